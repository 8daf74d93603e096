//! Computes when a request to a service is retried.

use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, SystemTime},
};

use reqwest::header::{HeaderMap, RETRY_AFTER};

const FIRST: Duration = Duration::from_millis(500);
const LAST: Duration = Duration::from_secs(8);
/// If the server asks for a longer wait than this, there is no retry.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Returns the delay before the next try. It is `retry_after` if the server sent it, otherwise an exponential backoff.
/// Returns `None` if `retry_after` is too long.
pub(crate) fn delay(tries: u32, retry_after: Option<Duration>) -> Option<Duration> {
    match retry_after {
        Some(wanted) => (wanted <= MAX_RETRY_AFTER).then_some(wanted),
        None => {
            let longest = FIRST.saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1))).min(LAST);
            // Half of the delay is random, so that not all clients of a failed server retry at the same time.
            let chance = RandomState::new().hash_one(tries) as u32;
            Some(longest / 2 + longest.mul_f64(f64::from(chance) / f64::from(u32::MAX)) / 2)
        }
    }
}

/// Returns the delay that the server asks for: seconds or a date (RFC 9110), or milliseconds in OpenAI's own header.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
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
    fn delays_grow_up_to_a_limit() {
        for (tries, longest) in [(1, 500), (2, 1000), (3, 2000), (5, 8000), (6, 8000), (u32::MAX, 8000)] {
            for _ in 0..50 {
                let delay = delay(tries, None).unwrap().as_millis();
                assert!((longest / 2..=longest).contains(&delay), "{tries}: {delay}");
            }
        }
        let delays: std::collections::HashSet<_> = (0..50).map(|_| delay(1, None)).collect();
        assert!(delays.len() > 25, "the delays are not random");
    }

    #[test]
    fn respects_retry_after_unless_it_is_too_long() {
        assert_eq!(delay(1, Some(Duration::from_secs(7))), Some(Duration::from_secs(7)));
        assert_eq!(delay(9, Some(Duration::ZERO)), Some(Duration::ZERO));
        assert_eq!(delay(1, Some(Duration::from_secs(61))), None);
    }

    #[test]
    fn reads_seconds_milliseconds_and_dates() {
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
