//! Formats of dates, times and durations. Most functions are `const`, so that defaults can be checked at compile time.

/// Checks a date in the form `2026-01-31`.
pub(crate) const fn date(text: &[u8]) -> bool {
    let [c1, c2, y1, y2, b'-', m1, m2, b'-', d1, d2] = text else { return false };
    let (Some(century), Some(year)) = (pair(*c1, *c2), pair(*y1, *y2)) else { return false };
    let (Some(month), Some(day)) = (pair(*m1, *m2), pair(*d1, *d2)) else { return false };
    let leap = year % 4 == 0 && (year != 0 || century % 4 == 0);
    let days = match month {
        2 => 28 + leap as i32,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    1 <= day && day <= days
}

/// Checks a date with a time, in the form `2026-01-31T14:30:00.123+01:00`.
pub(crate) const fn date_time(text: &[u8]) -> bool {
    match text.split_at_checked(10) {
        Some((day, [b'T' | b't', clock @ ..])) => date(day) && time(clock),
        _ => false,
    }
}

/// Checks a `full-time` of RFC 3339, in which the offset from UTC is required.
pub(super) const fn time(text: &[u8]) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text else { return false };
    let (Some(hour), Some(minute)) = (pair(*h1, *h2), pair(*m1, *m2)) else { return false };
    let (Some(second), Some(offset)) = (pair(*s1, *s2), offset_minutes(without_fraction(rest))) else { return false };
    // A leap second is the last second of a day in UTC.
    let in_utc = (hour * 60 + minute - offset).rem_euclid(24 * 60);
    hour < 24 && minute < 60 && (second < 60 || (second == 60 && in_utc == 24 * 60 - 1))
}

const fn without_fraction(text: &[u8]) -> &[u8] {
    let [b'.', b'0'..=b'9', rest @ ..] = text else { return text };
    let mut rest = rest;
    while let [b'0'..=b'9', more @ ..] = rest {
        rest = more;
    }
    rest
}

const fn offset_minutes(text: &[u8]) -> Option<i32> {
    let (sign, h1, h2, m1, m2) = match text {
        [b'Z' | b'z'] => return Some(0),
        [b'+', h1, h2, b':', m1, m2] => (1, h1, h2, m1, m2),
        [b'-', h1, h2, b':', m1, m2] => (-1, h1, h2, m1, m2),
        _ => return None,
    };
    match (pair(*h1, *h2), pair(*m1, *m2)) {
        (Some(hours @ 0..24), Some(minutes @ 0..60)) => Some(sign * (hours * 60 + minutes)),
        _ => None,
    }
}

/// Reads two digits as a number.
const fn pair(tens: u8, ones: u8) -> Option<i32> {
    if tens.is_ascii_digit() && ones.is_ascii_digit() {
        Some((tens - b'0') as i32 * 10 + (ones - b'0') as i32)
    } else {
        None
    }
}

/// Checks a duration of RFC 3339, Appendix A. Also accepts fractions of seconds, which Rust's date libraries write.
pub(super) fn duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (days, clock) = match rest.split_once('T') {
        Some((days, clock)) => (days, Some(clock)),
        None => (rest, None),
    };
    if clock.is_none() && days.len() > 1 && units(days, "W", false) {
        return true;
    }
    let days_fit = days.is_empty() || units(days, "YMD", false);
    let clock_fits = clock.map_or(!days.is_empty(), |clock| units(clock, "HMS", true));
    days_fit && clock_fits
}

/// Returns whether the text is a sequence of numbers with units, in the order of `order`. Between the first and the
/// last unit, no unit may be missing.
fn units(text: &str, order: &str, fraction: bool) -> bool {
    let mut rest = text;
    let mut units = order.chars().peekable();
    let mut begun = false;
    while !rest.is_empty() {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(mut unit) = rest[length..].chars().next().filter(|_| length > 0) else { return false };
        rest = &rest[length..];
        if fraction && unit == '.' {
            let length = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            rest = &rest[1 + length..];
            if length == 0 || rest != "S" {
                return false;
            }
            unit = 'S';
        }
        while units.next_if(|known| !begun && *known != unit).is_some() {}
        if units.next() != Some(unit) {
            return false;
        }
        begun = true;
        rest = &rest[1..];
    }
    begun
}
