//! What is wrong with JSON that was typed on a command line, where lines and columns mean nothing.

use serde_json::error::Category;

use crate::protocol::text;

/// This much of the text shows where it goes wrong.
const SHOWN: usize = 24;

/// Says where `text` stops being JSON, and why.
pub(super) fn json_error(text: &str, error: &serde_json::Error) -> String {
    let reason = error.to_string();
    // ` at line 1 column 52`: a place that cannot be found by eye.
    let reason = reason.split(" at line ").next().unwrap_or_default();
    let at = offset(text, error);
    match error.classify() {
        Category::Eof if text.trim().is_empty() => "it is empty".to_owned(),
        Category::Eof => format!("it ends too early, after `{}`", last(text)),
        _ if text[at..].trim().is_empty() => format!("{reason} after `{}`", last(text)),
        _ => format!("{reason} at `{}`", first(&text[at..])),
    }
}

/// Where in the text the reader stopped, in bytes.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    // Behind the byte that is wrong.
    let at = text::offset(text, error).saturating_sub(1).min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn first(text: &str) -> String {
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    let more = if end < text.len() { "…" } else { "" };
    format!("{}{more}", &text[..end])
}

fn last(text: &str) -> String {
    let text = text.trim_end();
    let start = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    format!("{}{}", if start > 0 { "…" } else { "" }, &text[start..])
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn it_says_where_json_goes_wrong_by_its_text() {
        for (text, told) in [
            (r#"{"text": "a", "times": }"#, "expected value at `}`"),
            (r#"{"text": "a" "times": 1, "voice": "loud"}"#, "expected `,` or `}` at `\"times\": 1, \"voice\": \"lo…`"),
            ("{\n  \"text\": é}", "expected value at `é}`"),
            (
                r#"{"text": "a", "voice": "normal", "times": "#,
                "it ends too early, after `…ice\": \"normal\", \"times\":`",
            ),
            (r#"{"text": "a"}}"#, "trailing characters at `}`"),
            ("", "it is empty"),
        ] {
            let error = serde_json::from_str::<Value>(text).unwrap_err();
            assert_eq!(json_error(text, &error), told, "{text}");
        }
    }
}
