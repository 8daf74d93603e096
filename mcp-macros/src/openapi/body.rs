//! The body of a request.

use serde_json::Value;

use super::{document::Document, names};

/// The body, as the request has it.
pub(super) struct Body<'d> {
    pub(super) kind: BodyKind,
    /// The media type.
    pub(super) media_type: String,
    pub(super) is_required: bool,
    pub(super) schema: &'d Value,
    pub(super) description: Option<&'d str>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum BodyKind {
    Json,
    Form,
    Text,
}

/// Reads the body. If there are several types of it, takes the first that is supported, in this order: JSON, forms, text.
///
/// # Errors
/// Fails if no type of the body is supported.
pub(super) fn body<'d>(document: &'d Document, operation: &'d Value) -> Result<Option<Body<'d>>, String> {
    let Some(body) = operation.get("requestBody") else { return Ok(None) };
    let body = document.resolved(body)?;
    let Some(content) = body["content"].as_object().filter(|content| !content.is_empty()) else { return Ok(None) };
    let kinds = [BodyKind::Json, BodyKind::Form, BodyKind::Text];
    let find =
        |kind| content.iter().find(|(media_type, _)| BodyKind::of(media_type) == Some(kind)).map(|found| (kind, found));
    let Some((kind, (media_type, content))) = kinds.into_iter().find_map(find) else {
        let types: Vec<_> = content.keys().map(|kind| format!("`{kind}`")).collect();
        return Err(format!("the body is of the type {}, which is not supported", types.join(" or ")));
    };
    let media_type = if media_type.contains('*') { "application/json" } else { media_type };
    Ok(Some(Body {
        kind,
        media_type: media_type.to_owned(),
        is_required: body["required"] == true,
        schema: &content["schema"],
        description: body["description"].as_str().filter(|text| !text.trim().is_empty()),
    }))
}

impl BodyKind {
    fn of(media_type: &str) -> Option<Self> {
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if is_json(&name) || name == "*/*" {
            Some(Self::Json)
        } else if name == "application/x-www-form-urlencoded" {
            Some(Self::Form)
        } else if name.starts_with("text/") {
            Some(Self::Text)
        } else {
            None
        }
    }
}

/// Returns whether a media type is JSON.
pub(super) fn is_json(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    name == "application/json" || name.ends_with("+json")
}

impl<'d> Body<'d> {
    /// Returns the schema of an object whose members can be arguments themselves: they have portable names that no
    /// parameter has, and the object has no others.
    pub(super) fn lifted(&self, document: &'d Document, is_taken: impl Fn(&str) -> bool) -> Option<&'d Value> {
        let schema = document.resolved(self.schema).ok().filter(|_| self.kind != BodyKind::Text)?;
        let properties = schema["properties"].as_object().filter(|properties| !properties.is_empty())?;
        let is_plain = matches!(&schema["type"], Value::Null) || schema["type"] == "object";
        let is_combined =
            ["allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "minProperties", "maxProperties"]
                .iter()
                .any(|keyword| schema.get(*keyword).is_some());
        let has_others = schema.get("additionalProperties").is_some_and(|others| *others != false);
        let has_required = schema["required"].as_array().is_some_and(|required| !required.is_empty());
        let fits = is_plain && !is_combined && !has_others && schema["nullable"] != true
            // The members of a body that can be missing are not required, and the schema cannot say that both are so.
            && (self.is_required || !has_required)
            && properties.keys().map(String::as_str).chain(undescribed(schema))
                .all(|name| names::is_portable_name(name) && !is_taken(name));
        fits.then_some(schema)
    }
}

/// Returns the members that an object must have, and that its schema does not describe.
pub(super) fn undescribed(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    required.filter(|name| schema["properties"].get(*name).is_none())
}
