//! When a server is asked again.

use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, SystemTime},
};

use reqwest::header::{HeaderMap, RETRY_AFTER};

const FIRST: Duration = Duration::from_millis(500);
const LAST: Duration = Duration::from_secs(8);
/// A server that wants more patience than this is not waited for.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// How long to wait before the try after the `tries`th, at least as long as the server says. None: it is to be given up.
pub(super) fn delay(tries: u32, retry_after: Option<Duration>) -> Option<Duration> {
    match retry_after {
        Some(wanted) => (wanted <= LONGEST).then_some(wanted),
        None => {
            let longest = FIRST.saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1))).min(LAST);
            // Half of it by chance: servers that failed for all at once are not asked by all at once.
            let chance = RandomState::new().hash_one(tries) as u32;
            Some(longest / 2 + longest.mul_f64(f64::from(chance) / f64::from(u32::MAX)) / 2)
        }
    }
}

/// When the server wants to be asked again: seconds or a date (RFC 9110), or milliseconds as OpenAI says it.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let milliseconds = headers.get("retry-after-ms").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    if let Some(milliseconds) = milliseconds {
        return Some(Duration::from_millis(milliseconds));
    }
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn each_wait_is_longer_up_to_a_limit() {
        for (tries, longest) in [(1, 500), (2, 1000), (3, 2000), (5, 8000), (6, 8000), (u32::MAX, 8000)] {
            for _ in 0..50 {
                let delay = delay(tries, None).unwrap().as_millis();
                assert!((longest / 2..=longest).contains(&delay), "{tries}: {delay}");
            }
        }
        let delays: std::collections::HashSet<_> = (0..50).map(|_| delay(1, None)).collect();
        assert!(delays.len() > 25, "not by chance");
    }

    #[test]
    fn what_the_server_says_counts_unless_it_is_too_long() {
        assert_eq!(delay(1, Some(Duration::from_secs(7))), Some(Duration::from_secs(7)));
        assert_eq!(delay(9, Some(Duration::ZERO)), Some(Duration::ZERO));
        assert_eq!(delay(1, Some(Duration::from_secs(61))), None);
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_read() {
        let read = |name: &'static str, value: &str| {
            retry_after(&HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_str(value).unwrap())]))
        };
        assert_eq!(read("retry-after", "3"), Some(Duration::from_secs(3)));
        assert_eq!(read("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(read("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(30));
        let wait = read("retry-after", &soon).unwrap();
        assert!((28..=30).contains(&wait.as_secs()), "{wait:?}");
        assert_eq!(read("retry-after", "soon"), None);
        assert_eq!(read("retry-after", "-1"), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
