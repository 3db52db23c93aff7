//! Shared parts of all pictures: colors, fonts, escaping.

use std::fmt::Write;

/// The approximate width of a character in 12-pixel text.
pub(crate) const CHARACTER: f64 = 7.2;

/// The colors of pictures, for a `style` element.
pub(crate) const STYLE: &str = "\
.picture{--ink:#1d2733;--soft:#6b7682;--paper:#ffffff;--fill:#eef3f8;--accent:#0b62a8;--cut:#b03a00;\
background:var(--paper)}
@media (prefers-color-scheme:dark){.picture{--ink:#e3e8ee;--soft:#97a3af;--paper:#161b21;--fill:#252d36;\
--accent:#62b0f0;--cut:#ff9a5c}}
@media print{.picture{--ink:#000000;--soft:#444444;--paper:#ffffff;--fill:#ffffff;--accent:#000000;--cut:#000000}}
.picture text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:var(--ink);text-anchor:middle}
.picture .shape{fill:var(--fill);stroke:var(--ink);stroke-width:1.3}
.picture .start{stroke:var(--accent);stroke-width:2.5}
.picture .goal{stroke:var(--accent);stroke-width:3}
.picture .edge{fill:none;stroke:var(--soft);stroke-width:1.3}
.picture .head{fill:var(--soft);stroke:none}
.picture .cut{stroke:var(--cut);stroke-dasharray:5 3}
.picture text.note{fill:var(--cut);font-size:11px}
.picture text.label{stroke:var(--paper);stroke-width:5px;stroke-linejoin:round;paint-order:stroke}
";

/// Escape text for SVG and HTML, in elements and in attributes with double quotes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no other control characters.
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The approximate width of a text.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// The beginning of a picture, down to its description.
pub(crate) fn open(title: &str, area: [f64; 4]) -> String {
    let [left, top, right, bottom] = area;
    let (width, height) = (right - left, bottom - top);
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"{left:.1} {top:.1} {width:.1} {height:.1}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n"
    )
}

pub(crate) fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string doesn't fail");
}
