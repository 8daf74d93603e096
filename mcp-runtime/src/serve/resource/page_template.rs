//! Fills the page of a view with state, so that no text of the state can become markup or code.

use serde_json::Value;

use crate::base::error::ToolError;

/// The placeholder for the whole state, as JSON.
const WHOLE: &str = "json";

/// Returns the page with its placeholders filled in: `{{name}}` is the member `name` of the state, escaped as text or as
/// the value of an attribute. `{{json}}` is the whole state, as JSON for a `<script type="application/json">`. Other text
/// in braces stays. The macro has checked where the placeholders are.
///
/// # Errors
/// Fails if the state lacks a member, or if a member is a list or an object.
pub(super) fn fill(page: &str, state: &Value) -> Result<String, ToolError> {
    let mut filled = String::with_capacity(page.len() + 256);
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let placeholder = after.split_once("}}").map(|(name, after)| (name.trim(), after));
        let Some((name, after)) = placeholder.filter(|(name, _)| is_name(name)) else {
            filled.push_str("{{");
            rest = after;
            continue;
        };
        if name == WHOLE {
            push_json(&mut filled, &state.to_string());
        } else {
            push_member(&mut filled, name, state)?;
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn push_member(filled: &mut String, name: &str, state: &Value) -> Result<(), ToolError> {
    match state.get(name) {
        Some(Value::String(text)) => push_escaped(filled, text),
        Some(Value::Null) => {}
        Some(value @ (Value::Bool(_) | Value::Number(_))) => push_escaped(filled, &value.to_string()),
        Some(Value::Array(_) | Value::Object(_)) => {
            return Err(format!(
                "the page names `{{{{{name}}}}}`, which is a list or an object; read it from `{{{{json}}}}`"
            )
            .into());
        }
        None => {
            return Err(format!("the page names `{{{{{name}}}}}`, but the state of the view has no `{name}`").into());
        }
    }
    Ok(())
}

/// Appends text that is safe in the text of an element, and in the quoted value of an attribute.
fn push_escaped(filled: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => filled.push_str("&amp;"),
            '<' => filled.push_str("&lt;"),
            '>' => filled.push_str("&gt;"),
            '"' => filled.push_str("&quot;"),
            '\'' => filled.push_str("&#39;"),
            _ => filled.push(char),
        }
    }
}

/// Appends JSON that cannot end its `<script>`, nor begin a comment in it.
fn push_json(filled: &mut String, json: &str) {
    for char in json.chars() {
        match char {
            '<' => filled.push_str("\\u003c"),
            '>' => filled.push_str("\\u003e"),
            '&' => filled.push_str("\\u0026"),
            '\u{2028}' => filled.push_str("\\u2028"),
            '\u{2029}' => filled.push_str("\\u2029"),
            _ => filled.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_text_of_the_state_becomes_markup() {
        let state = json!({ "title": "<img src=x onerror='a()'>\"&", "count": 3, "none": null, "done": true });
        let page = "<p title=\"{{title}}\">{{ count }}{{none}} {{done}}</p><script>{{json}}</script>{{ a: 1 }}{{";
        let filled = fill(page, &state).unwrap();
        let title = "&lt;img src=x onerror=&#39;a()&#39;&gt;&quot;&amp;";
        let json = r#"{"title":"\u003cimg src=x onerror='a()'\u003e\"\u0026","count":3,"none":null,"done":true}"#;
        assert_eq!(filled, format!("<p title=\"{title}\">3 true</p><script>{json}</script>{{{{ a: 1 }}}}{{{{"));
        let json = filled.split("<script>").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(serde_json::from_str::<Value>(json).unwrap(), state);
    }

    #[test]
    fn a_member_is_there_and_is_one_value() {
        let problem = |state| fill("{{rows}}", &state).unwrap_err().to_string();
        assert_eq!(problem(json!({})), "the page names `{{rows}}`, but the state of the view has no `rows`");
        assert_eq!(
            problem(json!({ "rows": [1] })),
            "the page names `{{rows}}`, which is a list or an object; read it from `{{json}}`"
        );
    }
}
