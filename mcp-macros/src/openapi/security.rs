//! The credentials that an operation needs.

use serde_json::Value;

use super::document::Document;

/// A security scheme of the document.
pub(super) struct Scheme {
    pub(super) name: String,
    pub(super) kind: SchemeKind,
}

pub(super) enum SchemeKind {
    Header(String),
    Query(String),
    Bearer,
    Basic,
}

/// Returns the schemes of the document that are supported, in its order.
pub(super) fn schemes(document: &Document) -> Vec<Scheme> {
    let schemes = document.root()["components"]["securitySchemes"].as_object();
    let read = |(name, scheme): (&String, &Value)| {
        let scheme = document.resolved(scheme).ok()?;
        let text = |key: &str| scheme[key].as_str().unwrap_or_default();
        let kind = match (text("type"), text("in"), text("scheme").to_ascii_lowercase().as_str()) {
            ("apiKey", "header", _) => SchemeKind::Header(text("name").to_owned()),
            ("apiKey", "query", _) => SchemeKind::Query(text("name").to_owned()),
            ("http", _, "basic") => SchemeKind::Basic,
            // A token, wherever it comes from.
            ("http", _, "bearer") | ("oauth2" | "openIdConnect", ..) => SchemeKind::Bearer,
            _ => return None,
        };
        Some(Scheme { name: name.clone(), kind })
    };
    schemes.into_iter().flatten().filter_map(read).collect()
}

/// Returns the alternatives of an operation: each is a list of schemes, by their positions. None of them means that no
/// credential is needed.
///
/// # Errors
/// Fails if no alternative is supported.
pub(super) fn alternatives(
    document: &Document,
    operation: &Value,
    schemes: &[Scheme],
) -> Result<Vec<Vec<usize>>, String> {
    let security = operation.get("security").unwrap_or(&document.root()["security"]);
    let Some(listed) = security.as_array().filter(|listed| !listed.is_empty()) else { return Ok(Vec::new()) };
    let position = |name: &String| schemes.iter().position(|scheme| scheme.name == *name);
    let read = |alternative: &Value| alternative.as_object()?.keys().map(position).collect::<Option<Vec<_>>>();
    let alternatives: Vec<Vec<usize>> = listed.iter().filter_map(read).collect();
    if alternatives.is_empty() {
        let names: Vec<_> = listed.iter().filter_map(Value::as_object).flat_map(|names| names.keys()).collect();
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        return Err(format!(
            "its security needs {names}, and only API keys in a header or the query, basic, bearer and OAuth tokens are \
             supported"
        ));
    }
    Ok(alternatives)
}
