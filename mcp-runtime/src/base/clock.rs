//! The wall clock of the machine. Timeouts of calls use the time of the ledger instead, which never runs backwards.

use std::time::{Duration, SystemTime};

/// Milliseconds since 1970.
pub(crate) type Millis = u64;

/// Returns the time since 1970. Returns zero if the clock shows an earlier time.
pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Returns the milliseconds since 1970.
pub(crate) fn now() -> Millis {
    millis(since_1970())
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// Writes the time of this many milliseconds since 1970 in the format of RFC 3339, with seconds only. Returns `None` for
/// a time after the year 9999, which the format cannot represent.
pub(crate) fn to_seconds(millis: Millis) -> Option<String> {
    written(millis, &[])
}

/// The same with milliseconds.
pub(crate) fn to_millis(millis: Millis) -> Option<String> {
    written(millis, &[('.', millis % 1000, 3)])
}

/// Writes a time with seconds, and after these a fraction: what stands before its number, and how many digits this has.
fn written(millis: Millis, fraction: &[(char, u64, u32)]) -> Option<String> {
    let seconds = millis / 1000;
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let parts = [('-', month, 2), ('-', day, 2), ('T', hour, 2), (':', minute, 2), (':', second, 2)];
    let mut text = String::with_capacity("2000-01-01T00:00:00.000Z".len());
    push_digits(&mut text, year, 4);
    for (separator, number, digits) in parts.iter().chain(fraction) {
        text.push(*separator);
        push_digits(&mut text, *number, *digits);
    }
    text.push('Z');
    (year <= 9999).then_some(text)
}

fn push_digits(text: &mut String, number: u64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = number / 10_u64.pow(place) % 10;
        text.extend(char::from_digit(digit as u32, 10));
    }
}

/// Returns year, month and day of the day that begins this many days after 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Years begin with March here, so that a leap day is the last day of its year. The calendar repeats after 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let is_next_year = month >= 10;
    let shown = if is_next_year { month - 9 } else { month + 3 };
    (400 * era + year + u64::from(is_next_year), shown, day - (153 * month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_leap_days_and_the_ends_of_years() {
        let times = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ];
        for (seconds, text) in times {
            assert_eq!(to_seconds(seconds * 1000).as_deref(), Some(text));
        }
        assert_eq!(to_millis(1_709_251_199_007).as_deref(), Some("2024-02-29T23:59:59.007Z"));
        assert_eq!(to_seconds(253_402_300_800_000), None);
    }
}
