//! Writes arguments as texts of a path, a query, a header or a form.

use serde_json::Value;

use super::table::ApiStyle;

/// Returns the text of a value. Lists and objects are texts with commas; `explode` writes the members of an object as
/// `a=1,b=2`. `encode` writes what is between the separators, so a comma in an item is not one of them.
pub(super) fn joined(value: &Value, style: ApiStyle, encode: fn(&str) -> String) -> String {
    let scalar = |value| encode(&scalar(value));
    match (value, style) {
        (value, ApiStyle::Json) => encode(&value.to_string()),
        (Value::Array(items), _) => items.iter().map(scalar).collect::<Vec<_>>().join(","),
        (Value::Object(members), _) => {
            let separator = if matches!(style, ApiStyle::Exploded) { "=" } else { "," };
            let member = |(name, value): (&String, _)| encode(name) + separator + &scalar(value);
            members.iter().map(member).collect::<Vec<_>>().join(",")
        }
        (value, _) => scalar(value),
    }
}

/// Returns the pairs that a form has for a value, without their encoding.
pub(super) fn pairs(name: &str, value: &Value, style: ApiStyle) -> Vec<(String, String)> {
    pairs_with(name, value, style, str::to_owned)
}

/// Returns the pairs that a query has for a value.
pub(super) fn encoded_pairs(name: &str, value: &Value, style: ApiStyle) -> Vec<String> {
    let pairs = pairs_with(name, value, style, encoded);
    pairs.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
}

fn pairs_with(name: &str, value: &Value, style: ApiStyle, encode: fn(&str) -> String) -> Vec<(String, String)> {
    let is_empty = match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let pair = |name: &str, value| (encode(name), encode(&scalar(value)));
    match (value, style) {
        (value, ApiStyle::Json) => vec![(encode(name), joined(value, style, encode))],
        // As in RFC 6570, an empty list is a list that is not there.
        _ if is_empty => Vec::new(),
        (Value::Array(items), ApiStyle::Exploded) => items.iter().map(|item| pair(name, item)).collect(),
        (Value::Object(members), ApiStyle::Exploded) => members.iter().map(|(name, value)| pair(name, value)).collect(),
        (Value::Object(_) | Value::Array(_), ApiStyle::Deep) => {
            let mut pairs = Vec::new();
            deep(name.to_owned(), value, &mut pairs);
            pairs.into_iter().map(|(name, value)| (encode(&name), encode(&value))).collect()
        }
        _ => vec![(encode(name), joined(value, style, encode))],
    }
}

/// Writes `filter[a][b]=1`, `filter[a]=1&filter[a]=2` for a list, and `filter[0][a]=1` for a list of objects.
fn deep(name: String, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(member, value)| deep(format!("{name}[{member}]"), value, pairs));
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| match item {
            // Without the index, nothing says which members belong together.
            Value::Object(_) | Value::Array(_) => deep(format!("{name}[{index}]"), item, pairs),
            _ => deep(name.clone(), item, pairs),
        }),
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

/// Encodes a text for a path or a query: all except what RFC 3986 calls unreserved.
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
        let shown = |value: &Value, style| encoded_pairs("color", value, style).join("&");
        assert_eq!(shown(&list, ApiStyle::Exploded), "color=blue&color=black");
        assert_eq!(shown(&list, ApiStyle::Joined), "color=blue,black");
        assert_eq!(shown(&object, ApiStyle::Exploded), "R=100&G=200");
        assert_eq!(shown(&object, ApiStyle::Joined), "color=R,100,G,200");
        assert_eq!(shown(&object, ApiStyle::Deep), "color%5BR%5D=100&color%5BG%5D=200");
        let nested = json!({ "a": { "b": [1, 2] } });
        assert_eq!(shown(&nested, ApiStyle::Deep), "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2");
        let objects = json!([{ "a": 1, "b": 2 }, { "a": [3, 4] }]);
        let indexed = ["[0][a]=1", "[0][b]=2", "[1][a]=3", "[1][a]=4"].map(|pair| format!("color{pair}"));
        let written =
            pairs("color", &objects, ApiStyle::Deep).into_iter().map(|(name, value)| format!("{name}={value}"));
        assert_eq!(written.collect::<Vec<_>>(), indexed);
        assert_eq!(shown(&list, ApiStyle::Json), "color=%5B%22blue%22%2C%22black%22%5D");
        assert_eq!(shown(&json!(true), ApiStyle::Exploded), "color=true");
        assert_eq!(joined(&object, ApiStyle::Exploded, encoded), "R=100,G=200");
        assert_eq!(joined(&object, ApiStyle::Joined, encoded), "R,100,G,200");
        assert_eq!(pairs("color", &object, ApiStyle::Json), [("color".to_owned(), r#"{"R":100,"G":200}"#.to_owned())]);
    }

    #[test]
    fn a_comma_in_an_item_separates_nothing() {
        let (list, object) = (json!(["a,b", "c"]), json!({ "a=b": "c,d" }));
        assert_eq!(encoded_pairs("x", &list, ApiStyle::Joined), ["x=a%2Cb,c"]);
        assert_eq!(joined(&list, ApiStyle::Joined, encoded), "a%2Cb,c");
        assert_eq!(joined(&object, ApiStyle::Exploded, encoded), "a%3Db=c%2Cd");
        assert_eq!(joined(&list, ApiStyle::Joined, str::to_owned), "a,b,c");
    }

    #[test]
    fn an_empty_list_is_not_in_a_query() {
        for style in [ApiStyle::Joined, ApiStyle::Exploded, ApiStyle::Deep] {
            assert!(
                encoded_pairs("x", &json!([]), style).is_empty() && encoded_pairs("x", &json!({}), style).is_empty()
            );
        }
        assert_eq!(encoded_pairs("x", &json!([]), ApiStyle::Json), ["x=%5B%5D"]);
        assert_eq!(encoded_pairs("x", &json!(""), ApiStyle::Joined), ["x="]);
    }

    #[test]
    fn a_path_has_no_other_separators_than_its_own() {
        assert_eq!(encoded("a/b?c#d%e é"), "a%2Fb%3Fc%23d%25e%20%C3%A9");
    }
}
