//! The principal of a request.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use serde_json::{Map, Value};

/// The authenticated sender of a request, with its scopes and claims.
///
/// The name is not a secret. For a token, the name consists of the token's issuer and subject. Sessions and states are
/// bound to the name, so that no other principal can continue them; scopes and claims can change with every request.
/// Two principals with the same name are equal.
///
/// Over HTTP the token verifier creates the principal. Alternatively a middleware in front of the endpoint puts a
/// principal into the extensions of the request:
///
#[cfg_attr(feature = "http", doc = "```")]
#[cfg_attr(not(feature = "http"), doc = "```ignore")]
/// use axum::{extract::Request, middleware::Next, response::Response};
/// use mcp_runtime::Principal;
///
/// /// For use behind a proxy that authenticates users.
/// async fn identify(mut request: Request, next: Next) -> Response {
///     if let Some(Ok(user)) = request.headers().get("x-user").map(|user| user.to_str()) {
///         let principal = Principal::new(user).scopes(["flights:read"]);
///         request.extensions_mut().insert(principal);
///     }
///     next.run(request).await
/// }
/// ```
///
/// Tools read the principal with [`Ctx::principal`](crate::Ctx::principal).
#[derive(Clone)]
pub struct Principal(Arc<PrincipalData>);

#[derive(Clone)]
struct PrincipalData {
    name: Arc<str>,
    scopes: Vec<Box<str>>,
    claims: Map<String, Value>,
}

impl Principal {
    /// Creates a principal with this name, without scopes.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(Arc::new(PrincipalData { name: name.into(), scopes: Vec::new(), claims: Map::new() }))
    }

    /// Adds granted scopes. Tools require them with `scopes(…)`.
    #[must_use]
    pub fn scopes<S: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let inner = Arc::make_mut(&mut self.0);
        for scope in scopes {
            if !inner.scopes.iter().any(|granted| **granted == *scope.as_ref()) {
                inner.scopes.push(scope.as_ref().into());
            }
        }
        self
    }

    /// Sets additional facts for tools to read, such as the claims of a token. They must not contain secrets.
    #[must_use]
    pub fn claims(mut self, claims: Map<String, Value>) -> Self {
        Arc::make_mut(&mut self.0).claims = claims;
        self
    }

    /// Returns the name of the principal.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the granted scopes.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.0.scopes.iter().map(|scope| &**scope)
    }

    /// Returns whether this scope was granted.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.granted().any(|granted| granted == scope)
    }

    /// Returns all claims.
    pub(crate) fn all_claims(&self) -> &Map<String, Value> {
        &self.0.claims
    }

    /// Returns the claim with this name, if there is one.
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.0.claims.get(name)
    }

    /// Returns the principal's name as a shared string.
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

/// Omits the claims, because they can be private.
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
    fn principals_are_equal_if_their_names_are() {
        let ann = Principal::new("ann");
        let granted = ann.clone().scopes(["read", "write", "read"]);
        assert_eq!(ann, granted);
        assert_ne!(ann, Principal::from("bob"));
        assert!(!ann.has_scope("read"), "scopes of a clone do not change the original");
        assert_eq!(granted.granted().collect::<Vec<_>>(), ["read", "write"]);
        assert!(granted.has_scope("write") && !granted.has_scope("writ"));
    }

    #[test]
    fn claims_can_be_read_but_are_not_in_debug_output() {
        let Value::Object(claims) = json!({ "email": "ann@example.com" }) else { unreachable!("it is an object") };
        let ann = Principal::new("ann").scopes(["read"]).claims(claims);
        assert_eq!(ann.claim("email"), Some(&json!("ann@example.com")));
        assert_eq!(ann.claim("phone"), None);
        assert_eq!(format!("{ann:?}"), r#"Principal { name: "ann", scopes: ["read"], .. }"#);
    }
}
