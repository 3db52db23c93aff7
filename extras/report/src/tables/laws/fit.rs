//! Fits laws of growth to points, by least squares of logarithms.

/// A law of growth: y is `factor` times a power of x, or an exponential of x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Law {
    pub(crate) kind: Kind,
    pub(crate) factor: f64,
    /// The exponent of a power law, the base of an exponential one.
    pub(crate) rate: f64,
    /// The fraction of the variance of log y that the law explains: 1 if the points lie on it.
    pub(crate) explained: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// `c (x + a)^b`
    Power { shift: f64 },
    /// `c b^x`
    Exponential,
}

/// Fit a law of a kind to points. Points with a y that isn't positive, or where a power law is
/// undefined, are left out; `None` if fewer than three remain, or only one x.
pub(crate) fn fit(kind: Kind, points: &[(f64, f64)]) -> Option<Law> {
    let coordinate = |x: f64| match kind {
        Kind::Power { shift } => (x + shift > 0.0).then(|| (x + shift).ln()),
        Kind::Exponential => Some(x),
    };
    let usable = points.iter().filter(|(_, y)| *y > 0.0);
    let usable: Vec<(f64, f64)> = usable
        .filter_map(|(x, y)| Some((coordinate(*x)?, y.ln())))
        .collect();
    if usable.len() < 3 {
        return None;
    }
    let n = usable.len() as f64;
    let mean_x = usable.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = usable.iter().map(|(_, y)| y).sum::<f64>() / n;
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        let terms = usable.iter().map(|(x, y)| of(x - mean_x, y - mean_y));
        terms.sum()
    };
    let spread = sum(&|x, _| x * x);
    if spread <= 0.0 {
        return None;
    }
    let slope = sum(&|x, y| x * y) / spread;
    let variance = sum(&|_, y| y * y);
    let rest = sum(&|x, y| (y - slope * x).powi(2));
    Some(Law {
        kind,
        factor: (mean_y - slope * mean_x).exp(),
        rate: match kind {
            Kind::Power { .. } => slope,
            Kind::Exponential => slope.exp(),
        },
        // Points at one height lie on their law.
        explained: if variance > 0.0 {
            1.0 - rest / variance
        } else {
            1.0
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of Table 7-3 of "Algorithms in a Nutshell": states of breadth-first search after 2
    /// to 14 moves.
    const BREADTH_FIRST: [f64; 13] = [
        4.5, 13.3, 25.6, 46.7, 77.3, 136.7, 217.1, 369.2, 567.6, 911.7, 1405.2, 2355.8, 3424.9,
    ];

    fn is_near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * other.abs().max(1.0)
    }

    #[test]
    fn points_of_a_law_give_it_back() {
        let made = |y: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
            let xs = (2..12).map(f64::from);
            xs.map(|x| (x, y(x))).collect()
        };
        for (shift, factor, rate) in [(0.0, 3.0, 1.5), (-1.0, 0.2, 2.7), (4.0, 1e6, -0.5)] {
            let points = made(&|x| factor * (x + shift).powf(rate));
            let law = fit(Kind::Power { shift }, &points).unwrap();
            assert!(
                is_near(law.factor, factor) && is_near(law.rate, rate),
                "{law:?}"
            );
            assert!(is_near(law.explained, 1.0));
            let other = fit(Kind::Exponential, &points).unwrap();
            assert!(other.explained < 0.999, "{other:?}");
        }
        let points = made(&|x| 7.0 * 1.3_f64.powf(x));
        let law = fit(Kind::Exponential, &points).unwrap();
        assert!(
            is_near(law.factor, 7.0) && is_near(law.rate, 1.3),
            "{law:?}"
        );
    }

    /// The least sum of squares, tested against nearby laws.
    #[test]
    fn no_law_nearby_is_better() {
        let points: Vec<(f64, f64)> = (2..).map(f64::from).zip(BREADTH_FIRST).collect();
        let shift = -1.0;
        let law = fit(Kind::Power { shift }, &points).unwrap();
        let error = |factor: f64, rate: f64| -> f64 {
            let of = |(x, y): &(f64, f64)| (factor * (x + shift).powf(rate) / y).ln().powi(2);
            points.iter().map(of).sum()
        };
        let least = error(law.factor, law.rate);
        for (factor, rate) in [(1.01, 1.0), (0.99, 1.0), (1.0, 1.01), (1.0, 0.99)] {
            assert!(error(law.factor * factor, law.rate * rate) > least);
        }
    }

    /// The book's 2.0 (n + 1)^2.6158 fits its table only with n - 1 in place of n + 1.
    #[test]
    fn the_law_of_the_book_counts_from_the_first_row() {
        let points: Vec<(f64, f64)> = (2..).map(f64::from).zip(BREADTH_FIRST).collect();
        let law = fit(Kind::Power { shift: -1.0 }, &points).unwrap();
        assert_eq!(format!("{:.1} {:.4}", law.factor, law.rate), "2.0 2.6158");
        let as_printed = fit(Kind::Power { shift: 1.0 }, &points).unwrap();
        assert_eq!(
            format!("{:.2} {:.4}", as_printed.factor, as_printed.rate),
            "0.04 4.0621"
        );
    }

    #[test]
    fn too_few_points_have_no_law() {
        let power = Kind::Power { shift: -1.0 };
        assert_eq!(fit(power, &[(2.0, 1.0), (3.0, 2.0)]), None);
        // Of these, one is at the law's pole and one has no logarithm.
        let points = [(1.0, 1.0), (2.0, 0.0), (3.0, 2.0), (4.0, 2.0)];
        assert_eq!(fit(power, &points), None);
        assert_eq!(fit(Kind::Exponential, &[(2.0, 1.0); 5]), None);
        let level = fit(Kind::Exponential, &[(1.0, 5.0), (2.0, 5.0), (3.0, 5.0)]).unwrap();
        assert!(is_near(level.rate, 1.0) && is_near(level.explained, 1.0));
    }
}
