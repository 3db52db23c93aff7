//! Numbers as people read them.

/// A whole number with its digits in groups of three.
pub fn group_digits(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

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
        assert_eq!(group_digits(0), "0");
        assert_eq!(group_digits(999), "999");
        assert_eq!(group_digits(1_234_567), "1,234,567");
        assert_eq!(short(12.0), "12");
        assert_eq!(short(12.345), "12.35");
        assert_eq!(short(1234.5), "1,235");
        assert_eq!(short(0.012345), "0.0123");
        assert_eq!(short(f64::NAN), "-");
        assert_eq!(short(-5.0), "-5");
    }
}
