//! What an operation answers if it succeeds.

use serde_json::Value;

use super::{
    body::is_json,
    document::Document,
    schema::{SchemaReader, Usage},
};

pub(super) struct Response {
    /// The header `Accept`.
    pub(super) accept: String,
    /// The schema of the answer, if each success is a JSON object of this one schema.
    pub(super) schema: Option<Value>,
    /// Whether a redirect is among the answers.
    pub(super) redirects: bool,
}

/// Reads the answers.
///
/// # Errors
/// Returns what cannot be described.
pub(super) fn response(document: &Document, operation: &Value) -> Result<Response, String> {
    let empty = serde_json::Map::new();
    let responses = operation["responses"].as_object().unwrap_or(&empty);
    let mut succeeding: Vec<&Value> =
        responses.iter().filter(|(status, _)| status.starts_with('2')).map(|(_, response)| response).collect();
    if succeeding.is_empty() {
        succeeding.extend(responses.get("default"));
    }
    let (mut schemas, mut types, mut is_structured) = (Vec::new(), Vec::new(), !succeeding.is_empty());
    for response in succeeding {
        let content = &document.resolved(response)?["content"];
        let content = content.as_object().unwrap_or(&empty);
        let json = content.iter().find(|(media_type, _)| is_json(media_type) || *media_type == "*/*");
        match json {
            Some((_, content)) if !schemas.contains(&&content["schema"]) => schemas.push(&content["schema"]),
            Some(_) => {}
            // A success without content, or with text.
            None => is_structured = false,
        }
        let media_types: Vec<&String> = match json {
            Some((media_type, _)) => vec![media_type],
            None => content.keys().collect(),
        };
        for media_type in media_types {
            if !types.contains(&media_type.as_str()) {
                types.push(media_type);
            }
        }
    }
    let accept = if types.is_empty() { "application/json".to_owned() } else { types.join(", ") };
    let mut reader = SchemaReader::new(document, Usage::Result);
    let schema = match schemas.as_slice() {
        [schema] if is_structured && reader.is_object(schema) => Some(*schema),
        _ => None,
    };
    let schema = match schema {
        Some(schema) => {
            let resolved = document.resolved(schema)?;
            let mut converted = reader.convert(resolved)?;
            converted["type"] = "object".into();
            Some(reader.finish(converted))
        }
        None => None,
    };
    let redirects =
        responses.keys().any(|status| matches!(status.as_str(), "301" | "302" | "303" | "307" | "308" | "3XX"));
    Ok(Response { accept, schema, redirects })
}
