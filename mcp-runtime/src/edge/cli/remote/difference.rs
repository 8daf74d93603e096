//! What differs between two lists of tools.

use serde_json::Value;

use crate::wire::protocol::text::shortened;

/// So many differences of one tool are shown.
const SHOWN: usize = 10;

/// Returns a sentence for each difference.
pub(super) fn differences(saved: &[Value], now: &[Value]) -> Vec<String> {
    let find = |tools: &[Value], name: &Value| tools.iter().find(|tool| tool["name"] == *name).cloned();
    let mut found = Vec::new();
    for tool in saved {
        let name = tool["name"].as_str().unwrap_or_default();
        match find(now, &tool["name"]) {
            None => found.push(format!("`{name}` does not exist any more")),
            Some(other) => {
                let mut of_tool = Vec::new();
                compare("", tool, &other, &mut of_tool);
                let more = of_tool.len().saturating_sub(SHOWN);
                of_tool.truncate(SHOWN);
                found.extend(of_tool.into_iter().map(|difference| format!("`{name}`: {difference}")));
                if more > 0 {
                    found.push(format!("`{name}`: {more} more differences"));
                }
            }
        }
    }
    let is_new = |tool: &&Value| find(saved, &tool["name"]).is_none();
    found.extend(
        now.iter().filter(is_new).map(|tool| format!("`{}` is new", tool["name"].as_str().unwrap_or_default())),
    );
    found
}

fn compare(path: &str, saved: &Value, now: &Value, found: &mut Vec<String>) {
    let (Value::Object(before), Value::Object(after)) = (saved, now) else {
        if saved != now {
            let [saved, now] = [saved, now].map(|value| shortened(&value.to_string()).into_owned());
            found.push(format!("`{path}` was {saved} and is {now}"));
        }
        return;
    };
    let inner = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, value) in before {
        match after.get(name) {
            Some(other) => compare(&inner(name), value, other, found),
            None => found.push(format!("`{}` is gone", inner(name))),
        }
    }
    found.extend(
        after.keys().filter(|name| !before.contains_key(*name)).map(|name| format!("`{}` is new", inner(name))),
    );
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_difference_names_its_place() {
        let schema = |kind: &str| json!({ "type": "object", "properties": { "a": { "type": kind } } });
        let saved =
            [json!({ "name": "gone" }), json!({ "name": "kept", "inputSchema": schema("string"), "title": "K" })];
        let now = [json!({ "name": "kept", "inputSchema": schema("number"), "icons": [] }), json!({ "name": "new" })];
        assert_eq!(
            differences(&saved, &now),
            [
                "`gone` does not exist any more",
                r#"`kept`: `inputSchema.properties.a.type` was "string" and is "number""#,
                "`kept`: `title` is gone",
                "`kept`: `icons` is new",
                "`new` is new",
            ]
        );
        assert!(differences(&saved, &saved).is_empty());
    }
}
