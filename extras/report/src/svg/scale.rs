//! Maps values to places on an axis, and chooses its ticks.

/// A scale of one axis, onto 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
    pub(crate) ticks: Vec<Tick>,
}

/// A tick with its label; lines without one are drawn faintly.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

impl Scale {
    /// A scale that fits some values, with at most `most` ticks.
    pub(crate) fn over(
        values: impl Iterator<Item = f64>,
        is_log: bool,
        most: usize,
        from_zero: bool,
    ) -> Self {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for value in values.filter(|value| value.is_finite() && (!is_log || *value > 0.0)) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        if is_log {
            Self::log(low, high, most.max(2))
        } else {
            Self::linear(
                if from_zero { low.min(0.0) } else { low },
                high,
                most.max(2),
            )
        }
    }

    fn log(low: f64, high: f64, most: usize) -> Self {
        let first = low.log10().floor() as i32;
        let last = (high.log10().ceil() as i32).max(first + 1);
        let step = ((last - first) as usize).div_ceil(most).max(1) as i32;
        // The ends are ticks.
        let first = first.div_euclid(step) * step;
        let last = -(-last).div_euclid(step) * step;
        let ticks = (first..=last).step_by(step as usize).map(|power| Tick {
            at: 10f64.powi(power),
            label: power_of_ten(power),
        });
        Self {
            low: 10f64.powi(first),
            high: 10f64.powi(last),
            is_log: true,
            ticks: ticks.collect(),
        }
    }

    fn linear(low: f64, high: f64, most: usize) -> Self {
        let span = if high > low { high - low } else { 1.0 };
        let rough = span / most as f64;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
        let mut step = steps
            .into_iter()
            .find(|step| *step >= rough * 0.999_999)
            .unwrap_or(power * 10.0);
        let whole = |value: f64| value.fract() == 0.0;
        if whole(low) && whole(high) {
            // Depths and costs have nothing between them.
            step = step.max(1.0);
        }
        let first = (low / step).floor();
        let last = (high / step).ceil().max(first + 1.0);
        let n_ticks = (last - first) as usize;
        let ticks = (0..=n_ticks).map(|i| {
            let at = (first + i as f64) * step;
            Tick {
                at,
                label: tick_label(at),
            }
        });
        Self {
            low: first * step,
            high: last * step,
            is_log: false,
            ticks: ticks.collect(),
        }
    }

    /// The same scale with half a unit of margin at both ends, for bars.
    pub(crate) fn with_room(mut self, room: f64) -> Self {
        self.low -= room;
        self.high += room;
        self
    }

    /// The place of a value, from 0 to 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let place = if self.is_log {
            (value.max(f64::MIN_POSITIVE).log10() - self.low.log10())
                / (self.high.log10() - self.low.log10())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(0.0, 1.0)
    }

    /// The least and greatest value on the scale.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

/// A number in full, or with a power of ten if it would be long.
fn tick_label(at: f64) -> String {
    if at.abs() < 1e6 {
        return crate::short(at);
    }
    let power = at.abs().log10().floor() as i32;
    let digits = format!("{:.3}", at / 10f64.powi(power));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}×{}", power_of_ten(power))
}

/// 1, 10, 100, 1000, 10⁴, ...
fn power_of_ten(power: i32) -> String {
    match power {
        0..=3 => 10i64.pow(power as u32).to_string(),
        -3..=-1 => format!("{:.*}", -power as usize, 10f64.powi(power)),
        _ => {
            let digit = |c: char| match c {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                c => char::from_u32(0x2070 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
            };
            format!(
                "10{}",
                power.to_string().chars().map(digit).collect::<String>()
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_of_a_log_scale_are_powers_of_ten() {
        let scale = Scale::over([3.0, 25_000.0].into_iter(), true, 8, false);
        assert_eq!(labels(&scale), ["1", "10", "100", "1000", "10⁴", "10⁵"]);
        assert!((scale.place(1.0) - 0.0).abs() < 1e-12);
        assert!((scale.place(1000.0) - 0.6).abs() < 1e-12);
        // Few ticks over many powers.
        let scale = Scale::over([0.02, 3e18].into_iter(), true, 6, false);
        assert!(scale.ticks.len() <= 8, "{:?}", labels(&scale));
        let (low, high) = scale.ends();
        assert!(low <= 0.02 && high >= 3e18);
        let scale = Scale::over([0.02, 0.5].into_iter(), true, 6, false);
        assert_eq!(labels(&scale), ["0.01", "0.1", "1"]);
    }

    #[test]
    fn ticks_of_a_linear_scale_are_round() {
        let scale = Scale::over([0.0, 25.0].into_iter(), false, 6, false);
        assert_eq!(labels(&scale), ["0", "5", "10", "15", "20", "25"]);
        let scale = Scale::over([2.0, 3.0].into_iter(), false, 10, false);
        assert_eq!(labels(&scale), ["2", "3"]);
        let scale = Scale::over([7.0].into_iter(), false, 10, true);
        assert_eq!(labels(&scale).first(), Some(&"0"));
        assert!((scale.place(7.0) - 1.0).abs() < 0.2);
    }

    #[test]
    fn nothing_to_show_is_no_reason_to_panic() {
        for is_log in [false, true] {
            let scale = Scale::over(std::iter::empty(), is_log, 5, false);
            assert!(scale.ticks.len() >= 2);
            let scale = Scale::over([f64::NAN, -1.0, 0.0].into_iter(), is_log, 5, false);
            assert!(scale.place(0.0).is_finite());
        }
    }
}
