//! Numbers as people read them.

use budget::group_digits;

/// Return a number with about four significant digits; whole numbers from 1000 on in full.
pub fn short(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        "-".to_owned()
    } else if size >= 1e15 {
        format!("{number:.3e}")
    } else if size >= 1000.0 || (number.fract() == 0.0) {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("{sign}{}", group_digits(size.round() as u128))
    } else if size >= 100.0 {
        format!("{number:.1}")
    } else if size >= 1.0 {
        format!("{number:.2}")
    } else if size >= 1e-3 {
        format!("{number:.4}")
    } else {
        format!("{number:.2e}")
    }
}

/// Seconds with three significant digits.
pub(crate) fn seconds(number: f64) -> String {
    if number >= 100.0 {
        format!("{number:.0}")
    } else if number >= 1.0 {
        format!("{number:.2}")
    } else if number >= 1e-3 {
        format!("{number:.4}")
    } else {
        format!("{number:.6}")
    }
}

/// A time with three significant digits, in a unit chosen by its size.
pub(crate) fn time(seconds: f64) -> String {
    let (number, unit) = match seconds {
        long if long >= 1.0 => (long, "s"),
        some if some >= 1e-3 => (some * 1e3, "ms"),
        short => (short * 1e6, "µs"),
    };
    match number {
        many if many >= 1000.0 => format!("{} {unit}", group_digits(many.round() as u128)),
        many if many >= 100.0 => format!("{many:.0} {unit}"),
        some if some >= 10.0 => format!("{some:.1} {unit}"),
        few => format!("{few:.2} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time(0.0), "0.00 µs");
        assert_eq!(time(0.000_370), "370 µs");
        assert_eq!(time(0.001_234), "1.23 ms");
        assert_eq!(time(0.0456), "45.6 ms");
        assert_eq!(time(12.345), "12.3 s");
        assert_eq!(time(12_345.6), "12,346 s");
    }

    #[test]
    fn numbers_can_be_read() {
        assert_eq!(short(12.0), "12");
        assert_eq!(short(12.345), "12.35");
        assert_eq!(short(1234.5), "1,235");
        assert_eq!(short(0.012345), "0.0123");
        assert_eq!(short(f64::NAN), "-");
        assert_eq!(short(-5.0), "-5");
    }
}
