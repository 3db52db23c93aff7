//! Links that play a moving picture, pause it, and show single steps. They work without a script:
//! each link leads to itself, and the style tests which one is the target of the page's address.

use super::Clock;
use crate::style::{escape, put};

/// The most steps that have separate links.
const MOST: usize = 120;
/// The width of a link, and the height of a row of links.
const WIDE: f64 = 26.0;
const HIGH: f64 = 20.0;

/// The links below a picture.
pub(crate) struct Controls {
    /// The prefix of the links' names, unique on the page.
    id: String,
    n_steps: usize,
    /// The number of links in a row.
    abreast: usize,
}

impl Controls {
    pub(crate) fn new(title: &str, moves: &[String], n_steps: usize, width: f64) -> Self {
        let words = std::iter::once(title).chain(moves.iter().map(String::as_str));
        Self {
            id: format!("m{:08x}", fingerprint(words)),
            n_steps: if (2..=MOST).contains(&n_steps) {
                n_steps
            } else {
                0
            },
            abreast: ((width / WIDE) as usize).max(4),
        }
    }

    /// The links: the end of the name, the text, and the effect.
    fn links(&self) -> Vec<(String, String, String)> {
        if self.n_steps == 0 {
            return Vec::new();
        }
        let link = |end: &str, sign: &str, about: &str| (end.into(), sign.into(), about.into());
        let mut links = vec![
            link("go", "\u{25b6}", "play"),
            link("stop", "\u{23f8}", "pause"),
        ];
        links.extend((0..self.n_steps).map(|step| {
            let number = step.to_string();
            link(&number, &number, &format!("step {number}"))
        }));
        links
    }

    /// The height of all rows.
    pub(crate) fn height(&self) -> f64 {
        self.links().len().div_ceil(self.abreast) as f64 * HIGH
    }

    /// Draw the links, the first row around a point.
    pub(crate) fn write(
        &self,
        clock: &Clock,
        [middle, top]: [f64; 2],
        style: &mut String,
        body: &mut String,
    ) {
        let (id, links) = (&self.id, self.links());
        if links.is_empty() {
            return;
        }
        put(
            style,
            format_args!(
                ".picture .control{{fill:var(--accent);cursor:pointer}}\n\
                 .picture .control:target{{font-weight:bold;text-decoration:underline}}\n\
                 @media print{{.picture .control{{display:none}}}}\n\
                 .picture:has(#{id}-stop:target) .moving{{animation-play-state:paused}}\n\
                 .picture:has(#{id}-go:target) .moving{{animation-play-state:running}}\n"
            ),
        );
        for step in 0..self.n_steps {
            let moment = clock.moment_after(step);
            put(
                style,
                format_args!(
                    ".picture:has(#{id}-{step}:target) .moving{{animation-play-state:paused;\
                     animation-delay:-{moment:.3}s}}\n"
                ),
            );
        }
        for (row, links) in links.chunks(self.abreast).enumerate() {
            let left = middle - (links.len() - 1) as f64 * WIDE / 2.0;
            for (column, (end, sign, about)) in links.iter().enumerate() {
                let (x, y) = (left + column as f64 * WIDE, top + row as f64 * HIGH);
                let kind = if end.starts_with(|c: char| c.is_ascii_digit()) {
                    " step"
                } else {
                    ""
                };
                let about = escape(about);
                put(
                    body,
                    format_args!(
                        "<a href=\"#{id}-{end}\" aria-label=\"{about}\"><text id=\"{id}-{end}\" \
                         class=\"control{kind}\" x=\"{x:.1}\" y=\"{y:.1}\">{sign}</text></a>\n"
                    ),
                );
            }
        }
    }
}

/// A number for a picture, the same each time.
fn fingerprint<'a>(words: impl Iterator<Item = &'a str>) -> u32 {
    let bytes = words.flat_map(|word| word.bytes().chain([0]));
    bytes.fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
