//! Plots as SVG: no script, no external fonts or files, colors for light and dark themes.

mod scale;

use std::fmt::Write;

use drawing::escape;

use crate::plots::plot::{Plot, PlotKind, Series};
use scale::Scale;

/// The width of a plot.
const WIDTH: f64 = 640.0;
/// The height of the plot area.
const AREA_HEIGHT: f64 = 300.0;
/// The height where there is little room.
const LOW_AREA_HEIGHT: f64 = 190.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 20.0;
const BELOW: f64 = 52.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 20.0;
/// The approximate width of a character in 12-pixel text.
const CHARACTER: f64 = 7.4;
/// Names in legends are cut to this many characters.
const MOST_OF_NAME: usize = 48;

/// Steps with more points have no marks, which would hide the line.
const MOST_MARKS: usize = 40;

/// The number of series that can be distinguished. Later ones reuse styles.
pub(crate) const N_STYLES: usize = 8;

/// The colors and lines of plots, for a `style` element. The colors are those of Okabe and Ito,
/// which color-blind readers can distinguish; marks and dashes distinguish them on paper.
pub(crate) const STYLE: &str = "\
.plot{--ink:#1d2733;--faint:#d5dbe1;--paper:#ffffff;--s0:#0b62a8;--s1:#c8500a;--s2:#00805c;--s3:#a8438c;\
--s4:#8a6d00;--s5:#2a8fc4;--s6:#5b4bb5;--s7:#555555;background:var(--paper);color:var(--ink)}
@media (prefers-color-scheme:dark){.plot{--ink:#e3e8ee;--faint:#3a4450;--paper:#161b21;--s0:#62b0f0;--s1:#ff9a5c;\
--s2:#3fd0a4;--s3:#e59ad0;--s4:#e6c84c;--s5:#9bd8ff;--s6:#b3a8ff;--s7:#b8b8b8}}
@media print{.plot{--ink:#000000;--faint:#cccccc;--paper:#ffffff;--s0:#0b62a8;--s1:#c8500a;--s2:#00805c;--s3:#a8438c;\
--s4:#8a6d00;--s5:#2a8fc4;--s6:#5b4bb5;--s7:#555555}}
.plot text{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:var(--ink)}
.plot .grid{stroke:var(--faint);stroke-width:1}
.plot .axis{stroke:var(--ink);stroke-width:1}
.plot .diagonal{stroke:var(--ink);stroke-width:1;stroke-dasharray:2 4}
.plot .tenth{stroke:var(--ink);stroke-width:1;stroke-dasharray:1 6}
.plot .line{fill:none;stroke-width:2}
.plot .s0{stroke:var(--s0);fill:var(--s0)}.plot .s1{stroke:var(--s1);fill:var(--s1)}
.plot .s2{stroke:var(--s2);fill:var(--s2)}.plot .s3{stroke:var(--s3);fill:var(--s3)}
.plot .s4{stroke:var(--s4);fill:var(--s4)}.plot .s5{stroke:var(--s5);fill:var(--s5)}
.plot .s6{stroke:var(--s6);fill:var(--s6)}.plot .s7{stroke:var(--s7);fill:var(--s7)}
.plot .line{fill:none}.plot .hollow{fill:var(--paper)}
.plot .dot{fill-opacity:.55}.plot .bar{stroke:none}
";

/// Return a plot as a separate file.
pub fn svg(plot: &Plot) -> String {
    let drawn = draw(plot);
    let open = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    let style = format!("<style>{STYLE}</style>");
    let (front, back) = drawn.split_once('>').unwrap_or((&drawn, ""));
    format!("{}>{style}{back}\n", front.replacen("<svg", open, 1))
}

/// A plot as an element, for a page that has the style.
pub(crate) fn draw(plot: &Plot) -> String {
    Drawing::of(plot, AREA_HEIGHT).draw()
}

/// The same, but low, for the front of a page.
pub(crate) fn draw_low(plot: &Plot) -> String {
    Drawing::of(plot, LOW_AREA_HEIGHT).draw()
}

/// A plot with its measures.
struct Drawing<'a> {
    plot: &'a Plot,
    x: Scale,
    y: Scale,
    top: f64,
    /// The height of the plot area.
    area: f64,
    /// The position of each name in the legend.
    legend: Vec<(f64, f64)>,
}

impl<'a> Drawing<'a> {
    fn of(plot: &'a Plot, area: f64) -> Self {
        let bars = plot.kind == PlotKind::Bars;
        let from_zero = bars || plot.kind == PlotKind::Steps;
        let mut x = Scale::over(plot.points().map(|p| p.x), plot.x.is_log, 10, false);
        let mut y = Scale::over(plot.points().map(|p| p.y), plot.y.is_log, 7, from_zero);
        if plot.kind == PlotKind::Scatter {
            // Equal scales on both axes, so that the diagonal is at 45 degrees.
            let both = || plot.points().flat_map(|p| [p.x, p.y]);
            x = Scale::over(both(), plot.x.is_log, 7, false);
            y = x.clone();
        }
        if bars {
            x = x.with_room(0.5);
        }
        let mut legend = Vec::new();
        let (mut at, mut line) = (LEFT, 0.0);
        for series in &plot.series {
            let width = 46.0 + name(series).chars().count() as f64 * CHARACTER;
            if at + width > WIDTH - RIGHT && at > LEFT {
                (at, line) = (LEFT, line + 1.0);
            }
            legend.push((at, 14.0 + line * LEGEND_LINE));
            at += width;
        }
        Self {
            plot,
            x,
            y,
            top: 14.0 + (line + 1.0) * LEGEND_LINE,
            area,
            legend,
        }
    }

    fn px(&self, x: f64) -> f64 {
        LEFT + self.x.place(x) * (WIDTH - LEFT - RIGHT)
    }

    fn py(&self, y: f64) -> f64 {
        self.top + (1.0 - self.y.place(y)) * self.area
    }

    fn draw(&self) -> String {
        let height = self.top + self.area + BELOW;
        let mut out = String::new();
        let title = escape(&self.plot.title);
        let caption = escape(&self.plot.caption);
        put(
            &mut out,
            format_args!(
                "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" \
             aria-label=\"{title}\"><title>{title}</title><desc>{caption}</desc>"
            ),
        );
        self.axes(&mut out);
        for (number, series) in self.plot.series.iter().enumerate() {
            self.legend_entry(number, series, &mut out);
            put(
                &mut out,
                format_args!("<g data-series=\"{}\">", escape(&series.name)),
            );
            match self.plot.kind {
                PlotKind::Lines => self.line(number, series, &mut out),
                PlotKind::Steps => self.steps(number, series, &mut out),
                PlotKind::Scatter => self.dots(number, series, &mut out),
                PlotKind::Bars => self.bars(number, series, &mut out),
            }
            out.push_str("</g>");
        }
        out.push_str("</svg>");
        out
    }

    fn axes(&self, out: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, self.top + self.area);
        for tick in &self.y.ticks {
            let y = self.py(tick.at);
            put(
                out,
                format_args!(
                    "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick-y\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                    LEFT - 8.0,
                    y + 4.0,
                    tick.label
                ),
            );
        }
        for tick in &self.x.ticks {
            let x = self.px(tick.at);
            if self.plot.kind != PlotKind::Bars {
                put(
                    out,
                    format_args!(
                        "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{bottom}\"/>",
                        self.top
                    ),
                );
            }
            put(
                out,
                format_args!(
                    "<text class=\"tick-x\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    bottom + 18.0,
                    tick.label
                ),
            );
        }
        if self.plot.kind == PlotKind::Scatter {
            let (low, high) = self.x.ends();
            for (class, factor) in [("tenth", 0.1), ("diagonal", 1.0), ("tenth", 10.0)] {
                // The part of the line that lies within both axes.
                let from = low.max(low / factor);
                let to = high.min(high / factor);
                if from >= to {
                    continue;
                }
                put(
                    out,
                    format_args!(
                        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                        self.px(from),
                        self.py(from * factor),
                        self.px(to),
                        self.py(to * factor)
                    ),
                );
            }
        }
        put(
            out,
            format_args!(
                "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>\
             <line class=\"axis\" x1=\"{LEFT}\" x2=\"{LEFT}\" y1=\"{:.1}\" y2=\"{bottom}\"/>",
                self.top
            ),
        );
        let middle = (LEFT + right) / 2.0;
        put(
            out,
            format_args!(
                "<text class=\"title-x\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 40.0,
                escape(&cut(&self.plot.x.title, 80))
            ),
        );
        let middle = self.top + self.area / 2.0;
        put(
            out,
            format_args!(
                "<text class=\"title-y\" x=\"16\" y=\"{middle:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 16 {middle:.1})\">{}</text>",
                escape(&cut(&self.plot.y.title, 44))
            ),
        );
    }

    fn legend_entry(&self, number: usize, series: &Series, out: &mut String) {
        let Some((x, y)) = self.legend.get(number).copied() else {
            return;
        };
        match self.plot.kind {
            PlotKind::Lines | PlotKind::Steps => {
                put(
                    out,
                    format_args!(
                        "<path class=\"line s{}\"{} d=\"M{x:.1} {y:.1}h22\"/>",
                        number % N_STYLES,
                        dashes(number)
                    ),
                );
                mark(number, x + 11.0, y, false, "", out);
            }
            PlotKind::Scatter => mark(number, x + 11.0, y, false, "", out),
            PlotKind::Bars => put(
                out,
                format_args!(
                    "<rect class=\"bar s{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\"/>",
                    number % N_STYLES,
                    x + 5.0,
                    y - 6.0
                ),
            ),
        }
        put(
            out,
            format_args!(
                "<text class=\"legend\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 26.0,
                y + 4.0,
                escape(&name(series))
            ),
        );
    }

    fn line(&self, number: usize, series: &Series, out: &mut String) {
        let mut path = String::new();
        for (i, point) in series.points.iter().enumerate() {
            let (x, y) = (self.px(point.x), self.py(point.y));
            put(
                &mut path,
                format_args!(
                    "{}{x:.1} {y:.1}",
                    if i > 0 && point.is_joined { 'L' } else { 'M' }
                ),
            );
        }
        put_path(number, &path, out);
        self.dots(number, series, out);
    }

    fn steps(&self, number: usize, series: &Series, out: &mut String) {
        let bottom = self.top + self.area;
        let mut path = String::new();
        for (i, point) in series.points.iter().enumerate() {
            let (x, y) = (self.px(point.x), self.py(point.y));
            if i == 0 {
                put(&mut path, format_args!("M{x:.1} {bottom:.1}"));
            }
            put(&mut path, format_args!("H{x:.1}V{y:.1}"));
        }
        // Whoever is done stays so.
        put(&mut path, format_args!("H{:.1}", WIDTH - RIGHT));
        put_path(number, &path, out);
        if series.points.len() <= MOST_MARKS {
            self.dots(number, series, out);
        }
    }

    fn dots(&self, number: usize, series: &Series, out: &mut String) {
        for point in &series.points {
            mark(
                number,
                self.px(point.x),
                self.py(point.y),
                point.is_limited,
                &point.label,
                out,
            );
        }
    }

    fn bars(&self, number: usize, series: &Series, out: &mut String) {
        // Series are side by side within one unit.
        let unit = self.px(1.0) - self.px(0.0);
        let unit = if unit > 0.0 {
            unit
        } else {
            self.px(self.x.ends().0 + 1.0) - self.px(self.x.ends().0)
        };
        let width = (unit * 0.84 / self.plot.series.len().max(1) as f64).max(0.5);
        for point in &series.points {
            let x = self.px(point.x) - unit * 0.42 + number as f64 * width;
            let y = self.py(point.y);
            put(
                out,
                format_args!(
                    "<rect class=\"bar s{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{:.1}\">\
                 <title>{}</title></rect>",
                    number % N_STYLES,
                    self.top + self.area - y,
                    escape(&point.label)
                ),
            );
        }
    }
}

fn name(series: &Series) -> String {
    cut(&series.name, MOST_OF_NAME)
}

/// A text that isn't too long.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars()
        .take(most.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// The dashes of a line.
fn dashes(number: usize) -> &'static str {
    match number % 4 {
        0 => "",
        1 => " stroke-dasharray=\"7 3\"",
        2 => " stroke-dasharray=\"2 3\"",
        _ => " stroke-dasharray=\"9 3 2 3\"",
    }
}

/// Put the line of a series, in the series' style.
fn put_path(number: usize, path: &str, out: &mut String) {
    put(
        out,
        format_args!(
            "<path class=\"line s{}\"{} d=\"{path}\"/>",
            number % N_STYLES,
            dashes(number)
        ),
    );
}

/// The mark of a point: a circle, square, triangle or diamond.
fn mark(number: usize, x: f64, y: f64, is_hollow: bool, label: &str, out: &mut String) {
    let class = format!(
        "dot s{}{}",
        number % N_STYLES,
        if is_hollow { " hollow" } else { "" }
    );
    let inner = if label.is_empty() {
        String::new()
    } else {
        format!("<title>{}</title>", escape(label))
    };
    match number % 4 {
        0 => put(
            out,
            format_args!(
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\">{inner}</circle>"
            ),
        ),
        1 => put(
            out,
            format_args!(
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"6.4\" height=\"6.4\">{inner}</rect>",
                x - 3.2,
                y - 3.2
            ),
        ),
        2 => put(
            out,
            format_args!(
                "<path class=\"{class}\" d=\"M{x:.1} {:.1}l4 7h-8z\">{inner}</path>",
                y - 4.4
            ),
        ),
        _ => put(
            out,
            format_args!(
                "<path class=\"{class}\" d=\"M{x:.1} {:.1}l4.4 4.4l-4.4 4.4l-4.4 -4.4z\">{inner}</path>",
                y - 4.4
            ),
        ),
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string doesn't fail");
}
