//! Whole numbers as values of options.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// Read a whole number.
pub(super) fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let too_large = || "this number is too large".to_owned();
    match text.parse::<u64>() {
        Ok(number) if is_whole => T::try_from(number).map_err(|_| too_large()),
        Err(_) if is_whole => Err(too_large()),
        _ => Err(match whole(text) {
            Some(number) => format!("expected a whole number: write {number}"),
            None => "expected a whole number from 0 on".to_owned(),
        }),
    }
}

/// Read a whole number within a range.
pub(super) fn number_in<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: TryFrom<u64> + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let expected = || {
            format!(
                "expected a number from {} to {}",
                range.start(),
                range.end()
            )
        };
        let read = number(text).ok();
        read.filter(|number| range.contains(number))
            .ok_or_else(expected)
    }
}

/// The whole number that is written as in `1e6`, `1_000_000` or `1,000,000`.
fn whole(text: &str) -> Option<u64> {
    let plain: String = text
        .chars()
        .filter(|c| !['_', ',', '\''].contains(c))
        .collect();
    let number: f64 = plain.parse().ok()?;
    // Beyond, not every whole number has a representation of its own.
    let is_exact = (0.0..=9e15).contains(&number) && number.fract() == 0.0;
    is_exact.then_some(number as u64)
}
