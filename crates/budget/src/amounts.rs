//! Amounts as people read them.

/// Format bytes with a suitable unit, such as `1.5 MiB`.
pub fn format_bytes(bytes: u128) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if amount >= 1024.0 {
        // There is no well-known unit.
        return format!("10^{} B", bytes.ilog10());
    }
    format!("{amount:.1} {}", UNITS[unit])
}

/// Format a whole number with its digits in groups of three, such as `1,048,576`.
pub fn group_digits(number: u128) -> String {
    group_text(&number.to_string())
}

/// Return the digits of a whole number of any size in groups of three.
pub fn group_text(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_unit() {
        assert_eq!(format_bytes(1023), "1023 B");
        assert_eq!(format_bytes(1536), "1.5 KiB");
        assert_eq!(format_bytes(3 << 40), "3.0 TiB");
        assert_eq!(format_bytes(75 << 60), "75.0 EiB");
        assert_eq!(format_bytes(u128::MAX), "10^38 B");
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        let numbers = [0, 999, 1000, 1_048_576].map(group_digits);
        assert_eq!(numbers, ["0", "999", "1,000", "1,048,576"]);
    }
}
