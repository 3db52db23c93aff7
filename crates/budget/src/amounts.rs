//! Amounts, durations and speeds as people read and write them.

use std::time::Duration;

/// The amount of memory from which on bytes may be written without a unit.
const FEWEST_BARE_BYTES: f64 = (1 << 20) as f64;

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

/// Read a duration: `10`, `10s`, `1.5m`, `2h` or `500ms`.
///
/// # Errors
/// When the text isn't a duration; the error says what is expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a duration such as 10s, 5m or 500ms".to_owned();
    let (number, unit) = split_unit(text);
    if number.is_empty() {
        return Err(expected());
    }
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" | "s" | "sec" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`; use ms, s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "this is too long".to_owned())
}

/// Read an amount of memory: `64K`, `500M`, `2G`, with powers of 1024, or `4096B`. A number below
/// 1M needs a unit: who writes `10` hardly means bytes.
///
/// # Errors
/// When the text isn't an amount of memory; the error says what is expected.
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let expected = || "expected an amount of memory such as 500M or 2G".to_owned();
    let (number, unit) = split_unit(text);
    if number.is_empty() {
        return Err(expected());
    }
    let unit_name = unit.to_ascii_lowercase();
    let scale: u64 = match unit_name.trim_end_matches('b').trim_end_matches('i') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(format!("unknown unit `{unit}`; use K, M, G or T")),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    let bytes = number * scale as f64;
    if unit.is_empty() && bytes < FEWEST_BARE_BYTES {
        return Err(format!(
            "a number below a million needs a unit, such as {number}M, or {number}B for bytes"
        ));
    }
    if bytes >= 1.0 && bytes < usize::MAX as f64 {
        Ok(bytes as usize)
    } else {
        Err("expected at least one byte, and no more than a computer has".to_owned())
    }
}

/// Split a number from its unit.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// Two amounts of bytes to compare: to the byte if they look the same with a unit.
pub fn format_two_amounts(one: u128, other: u128) -> (String, String) {
    let (short, long) = (format_bytes, |bytes| format!("{bytes} B"));
    if short(one) == short(other) {
        (long(one), long(other))
    } else {
        (short(one), short(other))
    }
}

/// Return a duration for people, such as `45.6 ms`, `1.23 s`, `12 min 5 s` or `3 h 20 min`.
pub fn format_seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let whole = seconds.round() as u64;
    if whole >= 2 * 60 * 60 {
        let minutes = (whole + 30) / 60;
        format!(
            "{} h {} min",
            group_digits(u128::from(minutes / 60)),
            minutes % 60
        )
    } else if whole >= 2 * 60 {
        format!("{} min {} s", whole / 60, whole % 60)
    } else if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{:.0} µs", seconds * 1e6)
    }
}

/// Return the rate per second; 0 when the time is too short to measure.
pub fn per_second(amount: u128, duration: Duration) -> f64 {
    let seconds = duration.as_secs_f64();
    if seconds > 0.0 {
        (amount as f64 / seconds).round()
    } else {
        0.0
    }
}

/// Return a speed for people, such as `12.3 M nodes/s`; `-` when the time is too short to mean
/// anything.
pub fn format_speed(amount: u128, duration: Duration) -> String {
    format_rate(amount, duration, "nodes")
}

/// Return a speed for people, in any unit, as [`format_speed`] does for nodes.
pub fn format_rate(amount: u128, duration: Duration, unit: &str) -> String {
    let speed = per_second(amount, duration);
    if duration < Duration::from_millis(1) {
        "-".to_owned()
    } else if speed >= 1e9 {
        format!("{:.1} G {unit}/s", speed / 1e9)
    } else if speed >= 1e6 {
        format!("{:.1} M {unit}/s", speed / 1e6)
    } else if speed >= 1e3 {
        format!("{:.1} k {unit}/s", speed / 1e3)
    } else {
        format!("{speed:.0} {unit}/s")
    }
}

/// Duration and speed in one: `1.23 s, 12.3 M nodes/s`.
pub fn format_work(amount: u128, duration: Duration) -> String {
    let seconds = format_seconds(duration);
    match format_speed(amount, duration).as_str() {
        "-" => seconds,
        speed => format!("{seconds}, {speed}"),
    }
}

/// `1 rule`, `2 rules`, `1,024 rules`.
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{} {noun}s", group_digits(n as u128))
    }
}

/// Ascending numbers with runs shortened: `1-4, 7`. Nothing where there are none.
pub fn format_runs(numbers: impl Iterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(start, end)| match end - start {
            0 => start.to_string(),
            1 => format!("{start}, {end}"),
            _ => format!("{start}-{end}"),
        })
        .collect();
    texts.join(", ")
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

    #[test]
    fn durations_are_read() {
        assert_eq!(parse_duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "-1", "1y", "1e400", "nan", "inf"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn amounts_of_memory_are_read() {
        assert_eq!(parse_bytes("4096B"), Ok(4096));
        assert_eq!(parse_bytes("4096000"), Ok(4_096_000));
        assert_eq!(parse_bytes("500M"), Ok(500 << 20));
        assert_eq!(parse_bytes("1GiB"), Ok(1 << 30));
        assert_eq!(parse_bytes("0.5k"), Ok(512));
        for wrong in ["", "M", "-1", "1X", "0", "0B", "4096"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn amounts_are_printed_with_units() {
        let amounts = |one, other| format_two_amounts(one, other);
        assert_eq!(amounts(3000, 2000), ("2.9 KiB".into(), "2.0 KiB".into()));
        assert_eq!(amounts(2001, 2000), ("2001 B".into(), "2000 B".into()));
        assert_eq!(format_seconds(Duration::from_micros(1234)), "1.2 ms");
        assert_eq!(format_work(5, Duration::from_micros(12)), "12 µs");
        assert_eq!(
            format_work(3_000_000, Duration::from_secs(2)),
            "2.00 s, 1.5 M nodes/s"
        );
    }

    #[test]
    fn runs_of_numbers_are_shortened() {
        assert_eq!(
            format_runs([1, 2, 3, 4, 7, 9, 10].into_iter()),
            "1-4, 7, 9, 10"
        );
        assert_eq!(format_runs(std::iter::empty()), "");
    }
}
