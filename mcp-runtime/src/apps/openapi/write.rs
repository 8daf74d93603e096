//! Writes arguments as texts of a path, a query, a header or a form.

use serde_json::Value;

use super::table::ApiStyle;

/// Returns the text of a value, without its encoding. Lists and objects are texts with commas; `explode` writes the
/// members of an object as `a=1,b=2`.
pub(super) fn joined(value: &Value, style: ApiStyle) -> String {
    match (value, style) {
        (value, ApiStyle::Json) => value.to_string(),
        (Value::Array(items), _) => items.iter().map(scalar).collect::<Vec<_>>().join(","),
        (Value::Object(members), ApiStyle::Exploded) => {
            members.iter().map(|(name, value)| format!("{name}={}", scalar(value))).collect::<Vec<_>>().join(",")
        }
        (Value::Object(members), _) => {
            members.iter().flat_map(|(name, value)| [name.clone(), scalar(value)]).collect::<Vec<_>>().join(",")
        }
        (value, _) => scalar(value),
    }
}

/// Returns the pairs that a query or a form has for a value.
pub(super) fn pairs(name: &str, value: &Value, style: ApiStyle) -> Vec<(String, String)> {
    match (value, style) {
        (Value::Array(items), ApiStyle::Exploded) => items.iter().map(|item| (name.to_owned(), scalar(item))).collect(),
        (Value::Object(members), ApiStyle::Exploded) => {
            members.iter().map(|(name, value)| (name.clone(), scalar(value))).collect()
        }
        (Value::Object(_) | Value::Array(_), ApiStyle::Deep) => {
            let mut pairs = Vec::new();
            deep(name.to_owned(), value, &mut pairs);
            pairs
        }
        _ => vec![(name.to_owned(), joined(value, style))],
    }
}

/// Writes `filter[a][b]=1`, and `filter[a]=1&filter[a]=2` for a list.
fn deep(name: String, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(member, value)| deep(format!("{name}[{member}]"), value, pairs));
        }
        Value::Array(items) => items.iter().for_each(|item| deep(name.clone(), item, pairs)),
        value => pairs.push((name, scalar(value))),
    }
}

/// Returns a value without quotes. What is not a scalar stays JSON.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// Encodes a text for a path: all except what RFC 3986 calls unreserved.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_style_is_that_of_the_specification() {
        let (list, object) = (json!(["blue", "black"]), json!({ "R": 100, "G": 200 }));
        let shown = |value: &Value, style| {
            pairs("color", value, style)
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
                .join("&")
        };
        assert_eq!(shown(&list, ApiStyle::Exploded), "color=blue&color=black");
        assert_eq!(shown(&list, ApiStyle::Joined), "color=blue,black");
        assert_eq!(shown(&object, ApiStyle::Exploded), "R=100&G=200");
        assert_eq!(shown(&object, ApiStyle::Joined), "color=R,100,G,200");
        assert_eq!(shown(&object, ApiStyle::Deep), "color[R]=100&color[G]=200");
        assert_eq!(shown(&json!({ "a": { "b": [1, 2] } }), ApiStyle::Deep), "color[a][b]=1&color[a][b]=2");
        assert_eq!(shown(&object, ApiStyle::Json), r#"color={"R":100,"G":200}"#);
        assert_eq!(shown(&json!(true), ApiStyle::Exploded), "color=true");
        assert_eq!(joined(&object, ApiStyle::Exploded), "R=100,G=200");
        assert_eq!(joined(&object, ApiStyle::Joined), "R,100,G,200");
    }

    #[test]
    fn a_path_has_no_other_separators_than_its_own() {
        assert_eq!(encoded("a/b?c#d%e é"), "a%2Fb%3Fc%23d%25e%20%C3%A9");
    }
}
