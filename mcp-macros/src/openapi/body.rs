//! The body of a request.

use serde_json::Value;

use super::{
    document::Document,
    names,
    parameter::{Style, flat},
};

/// The body, as the request has it.
pub(super) struct Body<'d> {
    pub(super) kind: BodyKind,
    /// The media type.
    pub(super) media_type: String,
    pub(super) is_required: bool,
    /// The styles of members of a form that are not written as most are.
    pub(super) styles: Vec<(String, Style)>,
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
/// Fails if no type of the body is supported, or if a member of a form is written in a style that is not.
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
    let media_type = match kind {
        _ if !media_type.contains('*') => media_type,
        BodyKind::Text => "text/plain",
        _ => "application/json",
    };
    let styles = if kind == BodyKind::Form { styles(&content["encoding"])? } else { Vec::new() };
    Ok(Some(Body {
        kind,
        media_type: media_type.to_owned(),
        is_required: body["required"] == true,
        styles,
        schema: &content["schema"],
        description: body["description"].as_str().filter(|text| !text.trim().is_empty()),
    }))
}

/// Reads the styles of the members of a form.
fn styles(encoding: &Value) -> Result<Vec<(String, Style)>, String> {
    let mut styles = Vec::new();
    for (member, encoding) in encoding.as_object().into_iter().flatten() {
        let not_supported = |what| Err(format!("the member `{member}` of the body is {what}, which is not supported"));
        let explode = encoding["explode"].as_bool();
        let style = match (encoding["style"].as_str(), encoding["contentType"].as_str()) {
            (Some("deepObject"), _) => Style::Deep,
            (Some("form"), _) => flat(explode.unwrap_or(true)),
            (Some(style), _) => return not_supported(format!("of the style `{style}`")),
            // `contentType` is read only without `style` and `explode`.
            (None, Some(kind)) if explode.is_none() => match kind {
                _ if is_json(kind) => Style::Json,
                _ if BodyKind::of(kind) == Some(BodyKind::Text) => Style::Exploded,
                _ => return not_supported(format!("of the type `{kind}`")),
            },
            (None, _) => flat(explode.unwrap_or(true)),
        };
        if style != Style::Exploded {
            styles.push((member.clone(), style));
        }
    }
    Ok(styles)
}

impl BodyKind {
    fn of(media_type: &str) -> Option<Self> {
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if is_json(&name) || ["*/*", "application/*"].contains(&name.as_str()) {
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
        let schema = lone_target(document, self.schema).filter(|_| self.kind != BodyKind::Text)?;
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

/// Follows the reference that a schema is, if it is one. Returns `None` if the document says more about the value beside the
/// reference.
fn lone_target<'d>(document: &'d Document, mut schema: &'d Value) -> Option<&'d Value> {
    const DESCRIBING: [&str; 4] = ["$ref", "description", "summary", "title"];
    // Fails if the references are a circle.
    document.resolved(schema).ok()?;
    while let Some(reference) = schema["$ref"].as_str() {
        // OpenAPI 3.0 has nothing beside a reference.
        if !document.is_3_0 && !schema.as_object()?.keys().all(|keyword| DESCRIBING.contains(&keyword.as_str())) {
            return None;
        }
        schema = document.target(reference).ok()?;
    }
    Some(schema)
}

/// Returns the members that an object must have, and that its schema does not describe.
pub(super) fn undescribed(schema: &Value) -> impl Iterator<Item = &str> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    required.filter(|name| schema["properties"].get(*name).is_none())
}
