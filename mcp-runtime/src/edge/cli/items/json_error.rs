//! Explains where JSON on the command line is invalid. The message shows the text at the error, because line and column
//! numbers do not help on a command line.

use serde_json::error::Category;

use crate::wire::protocol::text;

/// How many characters of the invalid text are shown.
const SHOWN: usize = 24;

/// Returns a message that says where and why `text` is not JSON.
pub(crate) fn json_error(text: &str, error: &serde_json::Error) -> String {
    let reason = error.to_string();
    // Removes ` at line 1 column 52`.
    let reason = reason.split(" at line ").next().unwrap_or_default();
    let at = offset(text, error);
    match error.classify() {
        Category::Eof if text.trim().is_empty() => "it is empty".to_owned(),
        Category::Eof => format!("it ends too early, after `{}`", last(text)),
        _ if text[at..].trim().is_empty() => format!("{reason} after `{}`", last(text)),
        _ => format!("{reason} at `{}`", first(&text[at..])),
    }
}

/// Returns the byte offset of the error.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    // `text::offset` points behind the wrong byte.
    let at = text::offset(text, error).saturating_sub(1).min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn first(text: &str) -> String {
    text::cut(text, SHOWN).into_owned()
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
    fn shows_the_text_at_the_error() {
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
