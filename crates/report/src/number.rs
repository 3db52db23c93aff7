//! Numbers as people read them.

use budget::group_digits;

/// A number with about four digits that matter; whole ones from 1000 on in full.
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

/// Seconds with three digits that matter.
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

#[cfg(test)]
mod tests {
    use super::*;

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
