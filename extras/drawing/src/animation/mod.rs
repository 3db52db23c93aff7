//! A sequence of boards as a moving picture, with CSS only and no script.

mod controls;
mod cube;

use std::collections::BTreeSet;

use self::controls::Controls;
use self::cube::Cube;
use crate::layout::BoardLayout;
use crate::style::{escape, open, put};

/// The share of a step in which nothing moves.
const REST: f64 = 0.45;

/// Draw an animated picture of states in order, given as the values of their variables. `moves`
/// names the move that leads to each state but the first. Each step takes `seconds`, and the
/// animation repeats.
///
/// If each value is at most at one place, values glide from place to place; otherwise places change
/// their values. An unfolded [cube](BoardLayout::cube) is folded again. Links below the board play,
/// pause, and show each step. On paper the picture shows the first state. It also starts paused
/// there for readers who prefer reduced motion (`prefers-reduced-motion`).
pub fn animate(
    title: &str,
    layout: &BoardLayout,
    states: &[Vec<&str>],
    moves: &[String],
    seconds: f64,
) -> String {
    let side = layout.side(states);
    let cube = Cube::of(layout, side);
    let (width, height) = match &cube {
        Some(cube) => cube.size(),
        None => (layout.columns as f64 * side, layout.rows as f64 * side),
    };
    // Room for the words below, which may be wider than a small board.
    let room = (230.0 - width).max(0.0) / 2.0;
    let n_steps = states.len().max(1);
    let controls = Controls::new(title, moves, n_steps, width + 2.0 * room);
    let mut out = open(
        title,
        [
            -room - 8.0,
            -8.0,
            width + room + 8.0,
            height + 36.0 + controls.height(),
        ],
    );
    // The last state stays for two steps more.
    let clock = Clock {
        n_slots: n_steps + if n_steps > 1 { 2 } else { 0 },
        seconds: seconds.max(0.05),
    };
    let mut style = format!(
        ".moving{{animation-duration:{:.2}s;animation-iteration-count:infinite;animation-timing-function:ease-in-out}}\n\
         .flip{{animation-timing-function:step-end}}\n\
         .picture .tile text{{font-size:{:.0}px}}\n\
         @media (prefers-reduced-motion:reduce){{.moving{{animation-play-state:paused}}}}\n\
         @media print{{.moving{{animation:none!important}}}}\n",
        clock.n_slots as f64 * clock.seconds,
        side * 0.38
    );
    let mut body = match cube {
        Some(_) => String::new(),
        None => format!(
            "<rect class=\"edge\" x=\"-3\" y=\"-3\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\"/>\n",
            width + 6.0,
            height + 6.0
        ),
    };
    let board = Board {
        layout,
        states,
        side,
        cube,
    };
    // Values don't glide around the corner of a cube.
    let gliding = board.cube.is_none().then(|| board.values()).flatten();
    match gliding {
        Some(values) => board.glide(&values, &clock, &mut style, &mut body),
        None => board.flip(&clock, &mut style, &mut body),
    }
    for slot in 0..n_steps {
        let text = match slot.checked_sub(1).and_then(|before| moves.get(before)) {
            Some(name) => format!("{slot} of {}: {name}", n_steps - 1),
            None => format!("start, {} moves", n_steps - 1),
        };
        let class = clock.shown(slot, slot + 1 == n_steps, "w", &mut style);
        put(
            &mut body,
            format_args!(
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\"{}>{}</text>\n",
                width / 2.0,
                height + 26.0,
                if slot == 0 {
                    ""
                } else {
                    " visibility=\"hidden\""
                },
                escape(&text)
            ),
        );
    }
    controls.write(&clock, [width / 2.0, height + 44.0], &mut style, &mut body);
    put(
        &mut out,
        format_args!("<style>\n{style}</style>\n{body}</svg>\n"),
    );
    out
}

/// Write keyframes, and animate the class with their name by them. A single step uses a copy of the
/// animation under another name, so that its time starts again.
fn keyframes(name: &str, frames: &str, style: &mut String) {
    put(
        style,
        format_args!(
            "@keyframes {name}{{{frames}}}\n.{name}{{animation-name:{name}}}\n\
             @keyframes {name}s{{{frames}}}\n\
             .picture:has(.step:target) .{name}{{animation-name:{name}s}}\n"
        ),
    );
}

/// When each slot of the animation is shown.
pub(crate) struct Clock {
    n_slots: usize,
    seconds: f64,
}

impl Clock {
    /// A time in seconds at which nothing moves, after a number of steps.
    pub(crate) fn moment_after(&self, steps: usize) -> f64 {
        (steps as f64 + REST / 2.0) * self.seconds
    }

    /// The time at which a slot begins, in percent.
    fn percent(&self, slot: f64) -> f64 {
        (slot / self.n_slots as f64 * 100.0).clamp(0.0, 100.0)
    }

    /// The class of an element that is shown during one slot, or from it to the end.
    fn shown(&self, slot: usize, to_the_end: bool, prefix: &str, style: &mut String) -> String {
        if self.n_slots == 1 {
            return String::new();
        }
        let (from, to) = (self.percent(slot as f64), self.percent(slot as f64 + 1.0));
        let hidden = if slot > 0 {
            "0%{visibility:hidden}"
        } else {
            ""
        };
        let after = if to_the_end {
            String::new()
        } else {
            format!("{to:.3}%{{visibility:hidden}}")
        };
        let last = if to_the_end { "visible" } else { "hidden" };
        let frames =
            format!("{hidden}{from:.3}%{{visibility:visible}}{after}100%{{visibility:{last}}}");
        keyframes(&format!("{prefix}{slot}"), &frames, style);
        format!("moving flip {prefix}{slot}")
    }
}

struct Board<'a> {
    layout: &'a BoardLayout,
    states: &'a [Vec<&'a str>],
    side: f64,
    cube: Option<Cube>,
}

impl<'a> Board<'a> {
    /// The values, if each one is at exactly one place of each state.
    fn values(&self) -> Option<BTreeSet<&'a str>> {
        let of = |state: &Vec<&'a str>| {
            let places = 0..self.layout.rows * self.layout.columns;
            let all: Vec<&str> = places
                .filter_map(|place| self.layout.value(state, place))
                .collect();
            let set: BTreeSet<&str> = all.iter().copied().collect();
            (set.len() == all.len()).then_some(set)
        };
        let mut sets = self.states.iter().map(of);
        let first = sets.next()??;
        sets.all(|set| set.as_ref() == Some(&first))
            .then_some(first)
    }

    fn corner(&self, place: usize) -> (f64, f64) {
        let (row, column) = (place / self.layout.columns, place % self.layout.columns);
        (column as f64 * self.side, row as f64 * self.side)
    }

    fn place_of(&self, state: &[&str], value: &str) -> usize {
        let mut places = 0..self.layout.rows * self.layout.columns;
        places
            .find(|place| self.layout.value(state, *place) == Some(value))
            .unwrap_or(0)
    }

    /// Values glide from place to place.
    fn glide(&self, values: &BTreeSet<&str>, clock: &Clock, style: &mut String, body: &mut String) {
        for (number, value) in values.iter().enumerate() {
            let places: Vec<usize> = self
                .states
                .iter()
                .map(|state| self.place_of(state, value))
                .collect();
            let mut frames = String::new();
            for (slot, place) in places.iter().enumerate() {
                let (x, y) = self.corner(*place);
                let moved = slot > 0 && places[slot - 1] != *place;
                if slot > 0 && !moved {
                    continue;
                }
                if let Some(before) = slot.checked_sub(1) {
                    // It stays where it is until the step begins.
                    let (x, y) = self.corner(places[before]);
                    let at = clock.percent(before as f64 + REST);
                    put(
                        &mut frames,
                        format_args!("{at:.3}%{{transform:translate({x:.1}px,{y:.1}px)}}"),
                    );
                }
                let at = clock.percent(slot as f64);
                put(
                    &mut frames,
                    format_args!("{at:.3}%{{transform:translate({x:.1}px,{y:.1}px)}}"),
                );
            }
            let last = self.corner(places.last().copied().unwrap_or(0));
            put(
                &mut frames,
                format_args!(
                    "100%{{transform:translate({:.1}px,{:.1}px)}}",
                    last.0, last.1
                ),
            );
            keyframes(&format!("t{number}"), &frames, style);
            let (x, y) = self.corner(places.first().copied().unwrap_or(0));
            put(
                body,
                format_args!(
                    "<g class=\"tile moving t{number}\" transform=\"translate({x:.1} {y:.1})\">"
                ),
            );
            self.tile(value, body);
            body.push_str("</g>\n");
        }
    }

    /// Places change their values.
    fn flip(&self, clock: &Clock, style: &mut String, body: &mut String) {
        for (slot, state) in self.states.iter().enumerate() {
            let class = clock.shown(slot, slot + 1 == self.states.len(), "b", style);
            let hidden = if slot == 0 {
                ""
            } else {
                " visibility=\"hidden\""
            };
            put(body, format_args!("<g class=\"{class}\"{hidden}>"));
            for place in 0..self.layout.rows * self.layout.columns {
                if let Some(cube) = &self.cube {
                    self.sticker(cube, place, self.layout.value(state, place), body);
                } else if let Some(value) = self.layout.value(state, place) {
                    let (x, y) = self.corner(place);
                    put(
                        body,
                        format_args!("<g class=\"tile\" transform=\"translate({x:.1} {y:.1})\">"),
                    );
                    self.tile(value, body);
                    body.push_str("</g>");
                }
            }
            body.push_str("</g>\n");
        }
    }

    /// How a value is filled, as an attribute.
    fn fill(&self, value: &str) -> String {
        match self.layout.colors.get(value) {
            Some(color) => format!(" style=\"fill:{}\"", escape(color)),
            None => String::new(),
        }
    }

    /// The style attribute for the letters of a value: on colors they are black with a white seam,
    /// also in the dark theme.
    fn letters(&self, value: &str) -> &'static str {
        if self.layout.colors.contains_key(value) {
            " style=\"fill:#000;stroke:#fff;stroke-width:2px;paint-order:stroke\""
        } else {
            ""
        }
    }

    /// A place of a cube with its value.
    fn sticker(&self, cube: &Cube, place: usize, value: Option<&str>, body: &mut String) {
        let Some(corners) = cube.corners(place) else {
            return;
        };
        let points = corners.map(|[x, y]| format!("{x:.1},{y:.1}")).join(" ");
        let value = value.unwrap_or_default();
        let middle = [0, 1].map(|axis| (corners[0][axis] + corners[2][axis]) / 2.0);
        put(
            body,
            format_args!(
                "<g class=\"tile\"><polygon class=\"shape\"{} points=\"{points}\"/>\
                 <text{} x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                self.fill(value),
                self.letters(value),
                middle[0],
                middle[1] + self.side * 0.13,
                escape(value)
            ),
        );
    }

    fn tile(&self, value: &str, body: &mut String) {
        let fill = self.fill(value);
        let inner = self.side - 4.0;
        put(
            body,
            format_args!(
                "<rect class=\"shape\"{fill} x=\"2\" y=\"2\" width=\"{inner:.1}\" height=\"{inner:.1}\" rx=\"5\"/>\
             <text{} x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                self.letters(value),
                self.side / 2.0,
                self.side * 0.63,
                escape(value)
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [[&str; 4]; 3] = [
        ["1", "2", "3", "0"],
        ["1", "0", "3", "2"],
        ["0", "1", "3", "2"],
    ];

    fn picture(blank: Option<&str>, states: &[[&str; 4]]) -> String {
        let layout = BoardLayout {
            rows: 2,
            columns: 2,
            blank: blank.map(str::to_owned),
            colors: [("1".to_owned(), "#ff0000".to_owned())].into(),
            ..BoardLayout::default()
        };
        let states: Vec<Vec<&str>> = states.iter().map(|state| state.to_vec()).collect();
        animate(
            "a & b",
            &layout,
            &states,
            &["U".to_owned(), "<L>".to_owned()],
            0.5,
        )
    }

    #[test]
    fn tiles_glide() {
        let svg = picture(Some("0"), &STATES);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let tiles = document
            .descendants()
            .filter(|n| n.attribute("class").is_some_and(|c| c.starts_with("tile")));
        assert_eq!(tiles.count(), 3);
        // Two moves and two slots of rest: the 2 moves from 45 % of the first slot to the second
        // one.
        assert!(svg.contains("9.000%{transform:translate(38.0px,0.0px)}20.000%{transform:translate(38.0px,38.0px)}"), "{svg}");
        assert!(svg.contains("style=\"fill:#ff0000\""));
        assert!(svg.contains("2 of 2: &lt;L&gt;"));
        assert!(svg.contains("prefers-reduced-motion") && !svg.contains("<script"));
        // Play, pause, and each step: links to themselves.
        let links = document.descendants().filter(|n| n.has_tag_name("a"));
        let links: Vec<&str> = links.filter_map(|n| n.attribute("href")).collect();
        assert_eq!(links.len(), 2 + 3);
        for link in links {
            let id = link.trim_start_matches('#');
            let target = document
                .descendants()
                .find(|n| n.attribute("id") == Some(id));
            assert!(target.is_some(), "{link}");
        }
        // The second step, in the middle of its rest.
        assert!(
            svg.contains(":target) .moving{animation-play-state:paused;animation-delay:-1.11"),
            "{svg}"
        );
    }

    #[test]
    fn cubes_are_folded() {
        let layout = BoardLayout::from_comments(
            "# layout: rows 3 columns 4 cube color a red\n# layout: places - 1 - - 2 3 4 5 - 6 - -\n",
        );
        let layout = layout.unwrap().unwrap();
        assert_eq!(layout.check(6), Ok(()));
        // All are different, and yet nothing glides.
        let states = [
            vec!["a", "b", "c", "d", "e", "f"],
            vec!["b", "a", "c", "d", "e", "f"],
        ];
        let svg = animate("cube", &layout, &states, &["x".to_owned()], 0.5);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let stickers = document.descendants().filter(|n| n.has_tag_name("polygon"));
        assert_eq!(stickers.count(), 2 * 6);
        assert!(svg.contains("@keyframes b1") && !svg.contains("@keyframes t0"));
        assert_eq!(svg.matches("style=\"fill:red\"").count(), 2);
        // The text stays flat.
        assert_eq!(layout.text(&states[0]), ["  a    ", "b c d e", "  f    "]);
    }

    #[test]
    fn other_boards_flip() {
        let svg = picture(None, &[["0", "0", "1", "1"], ["0", "1", "1", "1"]]);
        assert!(roxmltree::Document::parse(&svg).is_ok());
        assert!(svg.contains("@keyframes b1"));
        // One state doesn't move at all.
        let still = picture(None, &[["0", "0", "1", "1"]]);
        assert!(!still.contains("@keyframes") && !still.contains("<a "));
        assert!(roxmltree::Document::parse(&picture(Some("0"), &[])).is_ok());
    }
}
