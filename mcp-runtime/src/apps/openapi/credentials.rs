//! The credentials of the security schemes: where they are found, and how they are sent.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};

use super::{
    redaction::Redaction,
    table::{ApiDocument, ApiOperation, ApiScheme, ApiSchemeKind},
    write::encoded,
};
use crate::{
    base::api_key::{ApiKey, quoted},
    serve::settings::Secret,
};

/// One entry for each scheme of the document.
pub(super) struct Credentials {
    document: &'static ApiDocument,
    keys: Vec<Option<ApiKey>>,
    redaction: Redaction,
}

impl Credentials {
    /// Takes the secrets, one for each scheme. Adds what is wrong with them to `problems`.
    pub(super) fn new(
        document: &'static ApiDocument,
        secrets: Vec<Option<Secret<String>>>,
        problems: &mut Vec<String>,
    ) -> Self {
        let mut keys = Vec::with_capacity(document.schemes.len());
        let mut redaction = Redaction::default();
        for (ApiScheme { name, kind }, secret) in document.schemes.iter().zip(secrets) {
            let key = secret.and_then(|secret| ApiKey::new(secret.expose_secret()));
            if let Some(key) = &key {
                let problem = problem(kind, key);
                problems.extend(problem.map(|problem| format!("the credential `{name}` {problem}")));
                redaction.add(kind, key);
            }
            keys.push(key);
        }
        Self { document, keys, redaction }
    }

    /// Adds the credentials of the first alternative that is complete. One that needs none is the last.
    ///
    /// # Errors
    /// If a credential is missing. The error says what the operator must set.
    pub(super) fn apply(&self, operation: &ApiOperation, url: &mut Url, headers: &mut HeaderMap) -> Result<(), String> {
        let is_complete = |alternative: &&&[usize]| alternative.iter().all(|scheme| self.keys[*scheme].is_some());
        let complete = || operation.security.iter().filter(is_complete);
        let Some(alternative) = complete().find(|schemes| !schemes.is_empty()).or_else(|| complete().next()) else {
            if operation.security.is_empty() {
                return Ok(());
            }
            return Err(format!(
                "`{}` needs a credential that this server does not have: its operator must set {}",
                self.document.title,
                self.variables(operation)
            ));
        };
        for index in *alternative {
            if let Some(key) = &self.keys[*index] {
                send(&self.document.schemes[*index], key, url, headers);
            }
        }
        Ok(())
    }

    /// Names the variables of the credentials: those of one alternative suffice.
    pub(super) fn variables(&self, operation: &ApiOperation) -> String {
        let of_alternative = |alternative: &&[usize]| {
            let names = alternative.iter().map(|scheme| format!("`{}`", self.document.settings[*scheme].env()));
            names.collect::<Vec<_>>().join(" and ")
        };
        let alternatives = operation.security.iter().filter(|schemes| !schemes.is_empty());
        alternatives.map(of_alternative).collect::<Vec<_>>().join(", or ")
    }

    /// Prepares a text of the service for an error: hides the credentials, puts it on one line, and shortens it.
    pub(super) fn quote(&self, text: &str) -> String {
        quoted(&self.hide(text))
    }

    /// See [`Redaction::hide`].
    pub(super) fn hide(&self, text: &str) -> String {
        self.redaction.hide(text)
    }

    /// See [`Redaction::hide_in_result`].
    pub(super) fn hide_in_result(&self, text: &str) -> String {
        self.redaction.hide_in_result(text)
    }
}

/// Returns why a credential cannot be sent. A query and basic authentication encode theirs, so these can have any
/// characters.
fn problem(kind: &ApiSchemeKind, key: &ApiKey) -> Option<&'static str> {
    match kind {
        ApiSchemeKind::Header(_) | ApiSchemeKind::Bearer if !key.is_sendable() => {
            Some("contains spaces or other characters that a header cannot have")
        }
        ApiSchemeKind::Basic if !key.expose().contains(':') => Some("has no `:`; write it as `user:password`"),
        _ => None,
    }
}

fn send(scheme: &ApiScheme, key: &ApiKey, url: &mut Url, headers: &mut HeaderMap) {
    let (name, value) = match scheme.kind {
        ApiSchemeKind::Query(name) => {
            set_in_query(url, name, key.expose());
            return;
        }
        ApiSchemeKind::Header(name) => (HeaderName::try_from(name).ok(), key.header("")),
        ApiSchemeKind::Bearer => (Some(AUTHORIZATION), key.header("Bearer ")),
        ApiSchemeKind::Basic => {
            let value = HeaderValue::try_from(format!("Basic {}", BASE64_STANDARD.encode(key.expose())));
            (Some(AUTHORIZATION), value.ok())
        }
    };
    if let (Some(name), Some(mut value)) = (name, value) {
        value.set_sensitive(true);
        headers.insert(name, value);
    }
}

/// Adds a pair to the query, in place of those with the same name, which an argument can have added.
fn set_in_query(url: &mut Url, name: &str, value: &str) {
    let is_other = |pair: &&str| form_urlencoded::parse(pair.as_bytes()).all(|(other, _)| other != name);
    let pair = format!("{}={}", encoded(name), encoded(value));
    let others = url.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    let query = others.filter(is_other).chain([pair.as_str()]).collect::<Vec<_>>().join("&");
    url.set_query(Some(&query));
}

/// Shows which credentials there are.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.keys).finish()
    }
}
