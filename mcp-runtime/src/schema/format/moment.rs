//! Formats of dates, times and durations.

pub(super) fn date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

pub(super) fn date_time(text: &str) -> bool {
    let split = text.split_at_checked(10).filter(|(_, rest)| rest.starts_with(['T', 't']));
    split.is_some_and(|(day, rest)| date(day) && time(&rest[1..]))
}

/// Checks `full-time` of RFC 3339: the offset is required.
pub(super) fn time(text: &str) -> bool {
    let Some(at) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, offset) = text.split_at(at);
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    if fraction.is_some_and(|fraction| fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    let mut parts = clock.split(':');
    let (Some(hour), Some(minute), Some(second), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (Some(hour), Some(minute), Some(second)) = (digits(hour, 2), digits(minute, 2), digits(second, 2)) else {
        return false;
    };
    let Some(offset) = offset_minutes(offset) else { return false };
    // A leap second is the last second of a day in UTC.
    let in_utc = (hour as i32 * 60 + minute as i32 - offset).rem_euclid(24 * 60);
    hour < 24 && minute < 60 && (second < 60 || (second == 60 && in_utc == 24 * 60 - 1))
}

fn offset_minutes(text: &str) -> Option<i32> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = text.strip_prefix(['+', '-'])?.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours as i32 * 60 + minutes as i32))
}

/// Checks Appendix A of RFC 3339, plus fractions of seconds, which Rust's date libraries write.
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

/// Returns whether the text is a sequence of numbers with units in this order, without gaps between the first and the
/// last unit.
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

/// Parses exactly `count` digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}
