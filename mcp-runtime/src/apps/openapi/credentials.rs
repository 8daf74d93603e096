//! The credentials of the security schemes: where they are found, how they are sent, and how they are hidden.

use std::fmt;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};

use super::table::{ApiDocument, ApiOperation, ApiScheme, ApiSchemeKind};
use crate::{
    base::api_key::{ApiKey, HIDDEN, quoted},
    serve::settings::Secret,
};

/// The length from which a credential is hidden in results, in bytes.
const SHORTEST_HIDDEN: usize = 12;

/// One entry for each scheme of the document.
pub(super) struct Credentials {
    document: &'static ApiDocument,
    keys: Vec<Option<ApiKey>>,
}

impl Credentials {
    /// Takes the secrets, one for each scheme. Adds what is wrong with them to `problems`.
    pub(super) fn new(
        document: &'static ApiDocument,
        secrets: Vec<Option<Secret<String>>>,
        problems: &mut Vec<String>,
    ) -> Self {
        let mut keys = Vec::with_capacity(document.schemes.len());
        for (scheme, secret) in document.schemes.iter().zip(secrets) {
            let key = secret.and_then(|secret| ApiKey::new(secret.expose_secret()));
            if key.as_ref().is_some_and(|key| !key.is_sendable()) {
                problems.push(format!(
                    "the credential `{}` contains spaces or other characters that a header cannot have",
                    scheme.name
                ));
            }
            keys.push(key);
        }
        Self { document, keys }
    }

    /// Adds the credentials of the first alternative that is complete.
    ///
    /// # Errors
    /// If a credential is missing. The error says what the operator must set.
    pub(super) fn apply(&self, operation: &ApiOperation, url: &mut Url, headers: &mut HeaderMap) -> Result<(), String> {
        let is_complete = |alternative: &&&[usize]| alternative.iter().all(|scheme| self.keys[*scheme].is_some());
        let Some(alternative) = operation.security.iter().find(is_complete) else {
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
        operation.security.iter().map(of_alternative).collect::<Vec<_>>().join(", or ")
    }

    /// Prepares a text of the service for an error: hides the credentials, puts it on one line, and shortens it.
    pub(super) fn quote(&self, text: &str) -> String {
        quoted(&self.hide(text))
    }

    /// Hides the credentials in a text, and words that begin like one.
    pub(super) fn hide(&self, text: &str) -> String {
        self.keys.iter().flatten().fold(text.to_owned(), |text, key| key.hide(&text))
    }

    /// Hides the credentials in a result. Short ones, such as `me:pw`, stay, because other texts of the result can contain them.
    pub(super) fn hide_in_result(&self, text: String) -> String {
        let keys = self.keys.iter().flatten().map(ApiKey::expose).filter(|key| key.len() >= SHORTEST_HIDDEN);
        keys.fold(text, |text, key| if text.contains(key) { text.replace(key, HIDDEN) } else { text })
    }
}

fn send(scheme: &ApiScheme, key: &ApiKey, url: &mut Url, headers: &mut HeaderMap) {
    let (name, value) = match scheme.kind {
        ApiSchemeKind::Query(name) => {
            url.query_pairs_mut().append_pair(name, key.expose());
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

/// Shows which credentials there are.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.keys).finish()
    }
}
