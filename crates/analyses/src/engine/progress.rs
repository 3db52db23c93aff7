//! The progress of an analysis, in words.

use budget::amounts::{format_bytes, format_seconds};
use move_prune::Forecast;

/// An analysis at one moment, on one line.
pub(super) fn in_words(forecast: &Forecast) -> String {
    let mut line = format!(
        "sequences of length {}: {} of {} extended",
        forecast.length, forecast.done, forecast.total
    );
    if let Some(rate) = forecast.per_second {
        line += &format!(", {}/s", amount(rate));
    }
    if let Some(left) = forecast.left
        && forecast.done < forecast.total
    {
        line += &format!(", {} left", format_seconds(left));
    }
    if let Some(next) = forecast.next {
        line += &format!(", about {} on the next level", amount(next));
    }
    line + &format!(", {}", format_bytes(forecast.bytes as u128))
}

/// A rough number for people, such as `12.3 M`.
fn amount(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1} G", n / 1e9),
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_forecast_fits_on_a_line() {
        let first = Forecast {
            length: 4,
            done: 0,
            total: 1000,
            per_second: None,
            left: None,
            next: None,
            bytes: 3 << 20,
        };
        assert_eq!(
            in_words(&first),
            "sequences of length 4: 0 of 1000 extended, 3.0 MiB"
        );
        let third = Forecast {
            length: 5,
            done: 2000,
            total: 3000,
            per_second: Some(200.0),
            left: Some(Duration::from_secs(5)),
            next: Some(9000.0),
            ..first
        };
        assert_eq!(
            in_words(&third),
            "sequences of length 5: 2000 of 3000 extended, 200/s, 5.00 s left, \
             about 9000 on the next level, 3.0 MiB"
        );
    }
}
