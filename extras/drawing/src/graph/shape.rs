//! The shapes of states: circles, extended horizontally and vertically to fit their text.

use crate::curve::{Curve, Place};
use crate::style::width;

use super::GraphState;

/// The least half of a shape's width and height, and the radius of its corners.
pub(super) const RADIUS: f64 = 17.0;
/// From one line of a name to the next one.
const LINE: f64 = 15.0;
/// The height of the remark below the name.
const REMARK: f64 = 14.0;

/// A shape and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) at: Place,
    /// Half of its width and of its height.
    pub(super) half: (f64, f64),
}

impl Shape {
    /// The shape of a state, independent of its position.
    pub(super) fn of(state: &GraphState) -> Self {
        let names = state.name.iter().map(|line| width(line));
        // Remarks are smaller.
        let widest = names.fold(width(&state.remark) * 0.92, f64::max);
        let remark = if state.remark.is_empty() { 0.0 } else { REMARK };
        let height = state.name.len() as f64 * LINE + remark;
        // A number fits into a circle.
        let beside = if widest < 2.0 * RADIUS - 8.0 {
            0.0
        } else {
            9.0
        };
        Self {
            at: (0.0, 0.0),
            half: (
                RADIUS.max(widest / 2.0 + beside),
                RADIUS.max(height / 2.0 + 5.0),
            ),
        }
    }

    /// The distance of a place from the shape's border; negative inside.
    pub(super) fn outside(&self, place: Place) -> f64 {
        let beyond = |at: f64, middle: f64, half: f64| (at - middle).abs() - (half - RADIUS);
        let across = beyond(place.0, self.at.0, self.half.0);
        let down = beyond(place.1, self.at.1, self.half.1);
        across.max(0.0).hypot(down.max(0.0)) + across.max(down).min(0.0) - RADIUS
    }

    /// From the right side of this shape to the left side of one further to the right.
    pub(super) fn rightward(&self, other: &Self) -> Curve {
        self.between_sides(other, 1.0)
    }

    /// From the left side of this shape to the right side of one further to the left.
    pub(super) fn leftward(&self, other: &Self) -> Curve {
        self.between_sides(other, -1.0)
    }

    fn between_sides(&self, other: &Self, sign: f64) -> Curve {
        let from = (self.at.0 + sign * self.half.0, self.at.1);
        let to = (other.at.0 - sign * other.half.0, other.at.1);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        Curve([
            from,
            (from.0 + dx * 0.4, from.1 + dy * 0.15),
            (to.0 - dx * 0.4, to.1 - dy * 0.15),
            to,
        ])
    }

    /// To a shape above or below this one, passing right of the shapes between them.
    pub(super) fn around(&self, other: &Self) -> Curve {
        let [from, to] = [self, other].map(|shape| (shape.at.0 + shape.half.0, shape.at.1));
        let right = from.0.max(to.0) + 24.0 + (to.1 - from.1).abs() * 0.2;
        Curve([from, (right, from.1), (right, to.1), to])
    }

    /// Left, top, right, bottom.
    pub(super) fn extent(&self) -> [f64; 4] {
        let ((x, y), (half_width, half_height)) = (self.at, self.half);
        [
            x - half_width,
            y - half_height,
            x + half_width,
            y + half_height,
        ]
    }

    /// The baselines of a name's lines, and of the remark below them.
    pub(super) fn base_lines(&self, state: &GraphState) -> (Vec<f64>, f64) {
        let remark = if state.remark.is_empty() { 0.0 } else { REMARK };
        let n_lines = state.name.len() as f64;
        let top = self.at.1 - (n_lines * LINE + remark) / 2.0;
        let lines = (0..state.name.len()).map(|line| top + LINE * line as f64 + 11.5);
        (lines.collect(), top + LINE * n_lines + 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_circles_and_words_in_boxes() {
        let circle = Shape::of(&GraphState::named("12"));
        assert_eq!(circle.half, (RADIUS, RADIUS));
        // Exactly the distance from the circle, in all directions.
        for place in [(30.0, 40.0), (-30.0, 40.0), (0.0, 50.0), (50.0, 0.0)] {
            assert!((circle.outside(place) - (50.0 - RADIUS)).abs() < 1e-9);
        }
        assert!(circle.outside((3.0, 4.0)) < 0.0);
        let wide = Shape::of(&GraphState::named("left right up"));
        assert!(wide.half.0 > 2.0 * RADIUS && wide.half.1 == RADIUS);
        assert!((wide.outside((wide.half.0 + 5.0, 0.0)) - 5.0).abs() < 1e-9);
        assert!((wide.outside((0.0, -RADIUS - 5.0)) - 5.0).abs() < 1e-9);
    }
}
