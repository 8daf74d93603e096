//! Arguments that a request repeats in HTTP headers, as the schema of its tool says with `x-mcp-header` (since 2026-07-28).

use http::HeaderName;
use serde_json::Value;

use super::{Remote, settings::ServerPlace};
use crate::serve::client::ClientRequest;

impl Remote {
    /// Returns the headers of a request.
    pub(super) async fn headers_of(&self, request: &ClientRequest) -> Vec<(HeaderName, String)> {
        let (ClientRequest::Tool { name, arguments }, ServerPlace::Url(..)) = (request, &self.settings.target) else {
            return Vec::new();
        };
        // Without the list, the server says which header is missing.
        let Ok(tools) = Box::pin(self.tools()).await else { return Vec::new() };
        let Some(tool) = tools.iter().find(|tool| tool["name"] == **name) else { return Vec::new() };
        let mut headers = Vec::new();
        if let Some(arguments) = arguments.as_ref().filter(|_| is_annotated(&tool["inputSchema"])) {
            let arguments = serde_json::from_str(arguments.get()).unwrap_or_default();
            collect(&tool["inputSchema"], &arguments, &mut headers);
        }
        headers
    }
}

fn is_annotated(schema: &Value) -> bool {
    schema["properties"].as_object().is_some_and(|properties| {
        properties.values().any(|property| !property["x-mcp-header"].is_null() || is_annotated(property))
    })
}

fn collect(schema: &Value, arguments: &Value, headers: &mut Vec<(HeaderName, String)>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let value = &arguments[name];
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => {
                collect(property, value, headers);
                continue;
            }
        };
        let header = property["x-mcp-header"].as_str().map(|header| format!("mcp-param-{header}").to_ascii_lowercase());
        headers.extend(header.and_then(|header| Some((header.parse().ok()?, text))));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn annotated_arguments_are_repeated_in_headers() {
        let schema = json!({ "type": "object", "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "limit": { "type": "integer", "x-mcp-header": "Limit" },
            "absent": { "type": "string", "x-mcp-header": "Absent" },
            "inner": { "type": "object", "properties": { "dry": { "type": "boolean", "x-mcp-header": "Dry" } } },
            "plain": { "type": "string" },
        } });
        assert!(is_annotated(&schema) && !is_annotated(&json!({ "properties": { "a": { "type": "string" } } })));
        let arguments = json!({ "region": "eu", "limit": 3, "absent": null, "inner": { "dry": true }, "plain": "x" });
        let mut headers = Vec::new();
        collect(&schema, &arguments, &mut headers);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), &**value)).collect();
        assert_eq!(headers, [("mcp-param-region", "eu"), ("mcp-param-limit", "3"), ("mcp-param-dry", "true")]);
    }
}
