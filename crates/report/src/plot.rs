//! Plots as data.

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// What is compared with what, under which limits.
    pub caption: String,
    /// How it is drawn.
    pub kind: PlotKind,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotKind {
    /// Points in order, joined by lines.
    Lines,
    /// Points, with a diagonal where both axes are worth the same.
    Scatter,
    /// Bars beside each other.
    Bars,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub title: String,
    /// Whether equal distances are equal ratios.
    pub is_log: bool,
}

/// What belongs together in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points. Of bars, x is where they stand and y their height.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Where it is, horizontally.
    pub x: f64,
    /// Where it is, vertically.
    pub y: f64,
    /// What is told of it by a pointer that rests on it.
    pub label: String,
    /// Whether a limit stopped what it stands for: then it is drawn hollow.
    pub is_limited: bool,
}

/// A bar of a histogram.
pub type Bar = Point;

impl Plot {
    /// All points.
    pub(crate) fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }
}
