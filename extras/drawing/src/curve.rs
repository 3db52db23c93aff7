//! Arrows: curves between circles.

/// A place in a picture.
pub(crate) type Place = (f64, f64);

/// A Bézier curve of the third degree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curve(pub(crate) [Place; 4]);

impl Curve {
    /// The place at `t`, from 0 to 1.
    pub(crate) fn at(&self, t: f64) -> Place {
        let s = 1.0 - t;
        let [a, b, c, d] = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        let sum = |of: fn(&Place) -> f64| {
            a * of(&self.0[0]) + b * of(&self.0[1]) + c * of(&self.0[2]) + d * of(&self.0[3])
        };
        (sum(|p| p.0), sum(|p| p.1))
    }

    /// The points of the curve from the first one that `has_left` accepts to the last one that
    /// `is_before` accepts.
    pub(crate) fn between(
        &self,
        has_left: impl Fn(Place) -> bool,
        is_before: impl Fn(Place) -> bool,
    ) -> Vec<Place> {
        const STEPS: usize = 96;
        let all: Vec<Place> = (0..=STEPS)
            .map(|i| self.at(i as f64 / STEPS as f64))
            .collect();
        let first = all.iter().position(|place| has_left(*place)).unwrap_or(0);
        let last = all.iter().rposition(|place| is_before(*place));
        let last = last.unwrap_or(STEPS);
        if first < last {
            all[first..=last].to_vec()
        } else {
            all
        }
    }
}

pub(crate) fn distance(a: Place, b: Place) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}
