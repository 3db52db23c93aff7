//! Plots as data.

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// A caption: the compared quantity and the limits.
    pub caption: String,
    /// Its kind.
    pub kind: PlotKind,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The data.
    pub series: Vec<Series>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotKind {
    /// Points in order, joined by lines.
    Lines,
    /// Points in order, joined by steps that begin at the lower edge.
    Steps,
    /// Points, with diagonals where both axes have the same value and where one has ten times the
    /// other's.
    Scatter,
    /// Bars beside each other.
    Bars,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The quantity, with the unit in parentheses.
    pub title: String,
    /// Whether equal distances are equal ratios.
    pub is_log: bool,
}

/// The points of a plot that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points. For bars, x is their position and y their height.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its horizontal coordinate.
    pub x: f64,
    /// Its vertical coordinate.
    pub y: f64,
    /// The text that appears when the pointer is over it.
    pub label: String,
    /// Whether a limit stopped the measurement. Such a point is drawn hollow.
    pub is_limited: bool,
    /// Whether a line joins it with the point before. It doesn't where they are means over
    /// different instances.
    pub is_joined: bool,
}

/// A bar of a histogram.
pub type Bar = Point;

impl Plot {
    /// All points.
    pub(crate) fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }
}
