//! Who is behind a request.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use serde_json::{Map, Value};

/// Who is behind a request, and what they may do.
///
/// It is a name and no secret: issuer and subject of a token, never the token. The name binds sessions and states, so
/// that no other principal can go on with them; scopes and claims may be others with every request. Two principals of
/// one name are equal.
///
/// Over HTTP a verifier of tokens says who it is, or a middleware in front of the endpoint does, which puts a principal
/// into the extensions of the request:
///
#[cfg_attr(feature = "http", doc = "```")]
#[cfg_attr(not(feature = "http"), doc = "```ignore")]
/// use axum::{extract::Request, middleware::Next, response::Response};
/// use mcp_runtime::Principal;
///
/// /// Behind a proxy that has checked who it is.
/// async fn identify(mut request: Request, next: Next) -> Response {
///     if let Some(Ok(user)) = request.headers().get("x-user").map(|user| user.to_str()) {
///         let principal = Principal::new(user).scopes(["flights:read"]);
///         request.extensions_mut().insert(principal);
///     }
///     next.run(request).await
/// }
/// ```
///
/// Tools see it with [`Ctx::principal`](crate::Ctx::principal).
#[derive(Clone)]
pub struct Principal(Arc<Known>);

#[derive(Clone)]
struct Known {
    name: Arc<str>,
    scopes: Vec<Box<str>>,
    claims: Map<String, Value>,
}

impl Principal {
    /// Whoever goes by this name, without any scope.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(Arc::new(Known { name: name.into(), scopes: Vec::new(), claims: Map::new() }))
    }

    /// What they were granted, besides what they have: the scopes that tools name in `scopes(…)`.
    #[must_use]
    pub fn scopes<S: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let known = Arc::make_mut(&mut self.0);
        for scope in scopes {
            if !known.scopes.iter().any(|granted| **granted == *scope.as_ref()) {
                known.scopes.push(scope.as_ref().into());
            }
        }
        self
    }

    /// What else is known of them, for tools to read: the claims of a token. No secrets.
    #[must_use]
    pub fn claims(mut self, claims: Map<String, Value>) -> Self {
        Arc::make_mut(&mut self.0).claims = claims;
        self
    }

    /// What they go by.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What they were granted.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.0.scopes.iter().map(|scope| &**scope)
    }

    /// Whether they were granted this scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.granted().any(|granted| granted == scope)
    }

    /// A claim about them, where there is one of this name.
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.0.claims.get(name)
    }

    /// The name, shared.
    pub(crate) fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.0.name)
    }
}

impl From<&str> for Principal {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for Principal {
    fn from(name: String) -> Self {
        Self::new(name)
    }
}

impl From<Arc<str>> for Principal {
    fn from(name: Arc<str>) -> Self {
        Self::new(name)
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Principal {}

impl Hash for Principal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

/// Without the claims: they may be private.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal").field("name", &self.name()).field("scopes", &self.0.scopes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_principal_is_known_by_its_name_alone() {
        let ann = Principal::new("ann");
        let granted = ann.clone().scopes(["read", "write", "read"]);
        assert_eq!(ann, granted);
        assert_ne!(ann, Principal::from("bob"));
        assert!(!ann.has_scope("read"), "a clone was granted something, not this one");
        assert_eq!(granted.granted().collect::<Vec<_>>(), ["read", "write"]);
        assert!(granted.has_scope("write") && !granted.has_scope("writ"));
    }

    #[test]
    fn claims_are_read_and_not_logged() {
        let Value::Object(claims) = json!({ "email": "ann@example.com" }) else { unreachable!("it is an object") };
        let ann = Principal::new("ann").scopes(["read"]).claims(claims);
        assert_eq!(ann.claim("email"), Some(&json!("ann@example.com")));
        assert_eq!(ann.claim("phone"), None);
        assert_eq!(format!("{ann:?}"), r#"Principal { name: "ann", scopes: ["read"], .. }"#);
    }
}
