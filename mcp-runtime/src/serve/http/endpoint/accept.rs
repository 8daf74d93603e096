//! The header `Accept`: in which form the client can read a reply (RFC 9110, section 12.5.1).

use http::{HeaderMap, header::ACCEPT};

const EVENTS: (&str, &str) = ("text", "event-stream");
const JSON: (&str, &str) = ("application", "json");

/// Whether the client accepts a stream of events. The answer to a request without `Accept` is `false`.
pub(super) fn accepts_events(headers: &HeaderMap) -> bool {
    listed(headers, EVENTS) == Some(true)
}

/// Whether the client accepts JSON but no stream of events.
///
/// The protocol demands that clients list both. The server also sends a stream to a client that lists neither, because
/// such a client does not use the header.
pub(super) fn accepts_only_json(headers: &HeaderMap) -> bool {
    // What most clients send. A look-up by name would hash the name.
    let accept = headers.iter().find_map(|(name, value)| (name == ACCEPT).then_some(value));
    if accept.is_none_or(|accept| accept == "application/json, text/event-stream") {
        return false;
    }
    match listed(headers, EVENTS) {
        Some(accepts) => !accepts,
        None => listed(headers, JSON) == Some(true),
    }
}

/// Returns whether the client accepts this media type. Returns `None` if no part of the header matches the type. The
/// most specific part that matches decides: `text/event-stream` before `text/*` before `*/*`.
fn listed(headers: &HeaderMap, (kind, subtype): (&str, &str)) -> Option<bool> {
    let parts = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|v| v.split(','));
    let matches = parts.filter_map(|part| {
        let (range, params) = part.split_once(';').unwrap_or((part, ""));
        let (of_kind, of_subtype) = range.trim().split_once('/')?;
        let is = |pattern: &str, name: &str| pattern.eq_ignore_ascii_case(name);
        let rank = match (of_kind, of_subtype) {
            ("*", "*") => 0,
            (of_kind, "*") if is(of_kind, kind) => 1,
            (of_kind, of_subtype) if is(of_kind, kind) && is(of_subtype, subtype) => 2,
            _ => return None,
        };
        Some((rank, !has_quality_zero(params)))
    });
    matches.max_by_key(|(rank, _)| *rank).map(|(_, accepts)| accepts)
}

/// Whether the parameters contain `q=0`, which means "not acceptable".
fn has_quality_zero(params: &str) -> bool {
    params.split(';').filter_map(|param| param.split_once('=')).any(|(name, value)| {
        name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (ACCEPT, http::HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn the_most_specific_part_of_the_header_decides() {
        for (accept, events, only_json) in [
            (&["application/json, text/event-stream"][..], true, false),
            (&["application/json", "text/event-stream"], true, false),
            (&["Application/JSON;charset=utf-8, TEXT/Event-Stream ; q=0.1"], true, false),
            (&["*/*"], true, false),
            (&["text/*, application/json"], true, false),
            (&["text/event-stream"], true, false),
            (&["application/json"], false, true),
            (&["application/*"], false, true),
            (&["application/json, text/event-stream;q=0"], false, true),
            (&["application/json, text/event-stream; Q=0.000"], false, true),
            (&["text/event-stream;q=0"], false, true),
            (&["*/*, text/event-stream;q=0"], false, true),
            (&["text/*;q=0, text/event-stream"], true, false),
            (&["*/*;q=0, application/json"], false, true),
            (&["text/html"], false, false),
            (&["application/json;q=0"], false, false),
            (&["application/json, text/event-stream;q=high"], true, false),
            (&[], false, false),
        ] {
            let headers = headers(accept);
            assert_eq!((accepts_events(&headers), accepts_only_json(&headers)), (events, only_json), "{accept:?}");
        }
    }
}
