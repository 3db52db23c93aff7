//! Where and when an experiment is measured.

use std::time::{SystemTime, UNIX_EPOCH};

/// The system's name for the processor, if available.
pub(crate) fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<&str>>().join(" "))
}

/// The day in UTC, such as 2026-11-23.
pub(crate) fn today() -> Option<String> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(date(seconds / (24 * 60 * 60)))
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar.
fn date(day: u64) -> String {
    // Years begin in March here, so that the leap day is the last one; eras are the 400 years after
    // which the calendar repeats. Day 0 of the first era is 0000-03-01.
    const DAYS_OF_ERA: u64 = 146_097;
    let day = day + 719_468;
    let (era, day) = (day / DAYS_OF_ERA, day % DAYS_OF_ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year + next_year;
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(58), "1970-02-28");
        assert_eq!(date(59), "1970-03-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_780), "2026-11-23");
        // Dates increase strictly from day to day.
        let dates: Vec<String> = (0..50_000).map(date).collect();
        assert!(dates.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
