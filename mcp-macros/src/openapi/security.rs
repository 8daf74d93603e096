//! The credentials that an operation needs.

use std::{collections::BTreeSet, path::Path};

use serde_json::Value;

use super::{
    document::Document,
    operation::Operation,
    parameter::{Parameter, Place},
    text::{self, LONGEST_OF_ARGUMENT},
};
use crate::words::snake_text;

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

impl SchemeKind {
    /// Returns whether a parameter is the place of the credential.
    pub(super) fn is_sent_as(&self, parameter: &Parameter) -> bool {
        match self {
            Self::Header(name) => parameter.place == Place::Header && parameter.name.eq_ignore_ascii_case(name),
            Self::Query(name) => parameter.place == Place::Query && parameter.name == *name,
            // A parameter cannot be the header `Authorization`.
            Self::Bearer | Self::Basic => false,
        }
    }
}

impl Scheme {
    /// Returns the variable of the setting with the credential. It begins with the name of the file.
    pub(super) fn variable(&self, file: &str) -> String {
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("api");
        // One word, in every style.
        let scheme = self.name.replace("OAuth", "Oauth");
        format!("{}_{}", snake_text(stem), snake_text(&scheme)).to_uppercase()
    }
}

/// Returns a message about each two schemes whose credentials would be one setting.
pub(super) fn clashes(schemes: &[Scheme], file: &str) -> Vec<String> {
    let mut clashes = Vec::new();
    for (index, scheme) in schemes.iter().enumerate() {
        let variable = scheme.variable(file);
        if let Some(first) = schemes[..index].iter().find(|known| known.variable(file) == variable) {
            clashes.push(format!(
                "the security schemes `{}` and `{}` of `{file}` would both get the value of the setting `{}`; rename one of \
                 them in the document",
                first.name,
                scheme.name,
                variable.to_lowercase()
            ));
        }
    }
    clashes
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
