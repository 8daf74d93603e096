//! The credentials that an operation needs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    document::Document,
    operation::Operation,
    text::{self, LONGEST_OF_ARGUMENT},
};

/// A security scheme of the document.
pub(super) struct Scheme {
    pub(super) name: String,
    pub(super) kind: SchemeKind,
    /// What the operator must set.
    pub(super) description: String,
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
        let noun = match kind {
            SchemeKind::Header(_) | SchemeKind::Query(_) => "The key",
            SchemeKind::Bearer => "The token",
            SchemeKind::Basic => "The user and the password, as `user:password`,",
        };
        let title = document.root()["info"]["title"].as_str().unwrap_or("the service");
        let more = text::plain(text("description"), LONGEST_OF_ARGUMENT);
        let more = if more.is_empty() { more } else { format!("\n{more}") };
        let description = format!("{noun} for `{name}` of {title}.{more}");
        Some(Scheme { name: name.clone(), kind, description })
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

/// Returns the schemes that these operations use, and sets the positions in the operations to those among them.
pub(super) fn used(schemes: Vec<Scheme>, operations: &mut [Operation]) -> Vec<Scheme> {
    let positions = || operations.iter().flat_map(|operation| operation.security.iter().flatten());
    let used: BTreeSet<usize> = positions().copied().collect();
    for position in operations.iter_mut().flat_map(|operation| operation.security.iter_mut().flatten()) {
        *position = used.range(..*position).count();
    }
    schemes.into_iter().enumerate().filter(|(index, _)| used.contains(index)).map(|(_, scheme)| scheme).collect()
}
