//! The wall clock of the machine. Timeouts of calls use the time of the ledger instead, which never runs backwards.

use std::time::{Duration, SystemTime};

/// Milliseconds since 1970.
pub(crate) type Millis = u64;

/// Returns the time since 1970. Returns zero if the clock shows an earlier time.
pub(crate) fn since_1970() -> Duration {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    #[cfg(feature = "dev")]
    let since = since.saturating_add(super::development::clock_ahead());
    since
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
    let mut text = written(millis)?.to_vec();
    text.truncate("2000-01-01T00:00:00".len());
    text.push(b'Z');
    String::from_utf8(text).ok()
}

/// The same with milliseconds.
pub(crate) fn to_millis(millis: Millis) -> Option<String> {
    String::from_utf8(written(millis)?.to_vec()).ok()
}

fn written(millis: Millis) -> Option<[u8; 24]> {
    let seconds = millis / 1000;
    let (year, month, day) = date(seconds / 86_400);
    if year > 9999 {
        return None;
    }
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    // Where each number has its last two digits.
    let numbers =
        [(0, year / 100), (2, year), (5, month), (8, day), (11, hour), (14, minute), (17, second), (21, millis)];
    for (at, number) in numbers {
        text[at] = digit(number / 10);
        text[at + 1] = digit(number);
    }
    text[20] = digit(millis / 100);
    Some(text)
}

/// Returns the last digit of a number.
fn digit(number: u64) -> u8 {
    b'0' + (number % 10) as u8
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
