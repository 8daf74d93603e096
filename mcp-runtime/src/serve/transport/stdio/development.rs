//! The principal of the client on standard input in development mode. Without it, the client has no identity.

use serde_json::Value;

use crate::{
    base::development::{PRINCIPAL, variable},
    engine::call::Principal,
};

/// Returns the principal that the command `dev` has set.
pub(super) fn principal() -> Option<Principal> {
    read(&variable(PRINCIPAL)?)
}

fn read(text: &str) -> Option<Principal> {
    let principal: Value = serde_json::from_str(text).ok()?;
    let scopes = principal["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Some(Principal::new(principal["name"].as_str()?).scopes(scopes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_name_and_scopes() {
        let ann = read(r#"{"name":"ann","scopes":["a","b"]}"#).unwrap();
        assert_eq!((ann.name(), ann.granted().collect::<Vec<_>>()), ("ann", vec!["a", "b"]));
        assert_eq!(read(r#"{"scopes":["a"]}"#), None);
        assert_eq!(read("ann"), None);
    }
}
