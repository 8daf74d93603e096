//! The gateways through which an item has come. They are in the `_meta` of the item, so that a gateway does not offer its
//! own items again, also if they come back through other gateways.

use serde_json::{Map, Value};

use crate::engine::call::passed_on::MOST_HOPS;

const KEY: &str = "via";

/// Adds this gateway to the `_meta` of an item.
///
/// # Errors
/// Returns the reason why the item must not be offered.
pub(super) fn add_gateway(meta: &mut Option<Map<String, Value>>, id: &str) -> Result<(), String> {
    let meta = meta.get_or_insert_default();
    let via = meta.entry(KEY).or_insert_with(|| Value::Array(Vec::new()));
    let Value::Array(via) = via else {
        // Another server uses the key for something else.
        return Ok(());
    };
    if via.iter().any(|gateway| gateway == id) {
        return Err("it comes from this server itself".to_owned());
    }
    if via.len() >= usize::from(MOST_HOPS) {
        return Err(format!("it has come through {MOST_HOPS} gateways already; do they mount each other?"));
    }
    via.push(id.into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_item_does_not_come_back_to_its_gateway() {
        let mut meta = json!({ "other": 1 }).as_object().cloned();
        add_gateway(&mut meta, "a").unwrap();
        add_gateway(&mut meta, "b").unwrap();
        assert_eq!(json!(meta), json!({ "other": 1, "via": ["a", "b"] }));
        assert!(add_gateway(&mut meta, "a").unwrap_err().contains("this server itself"));
    }

    #[test]
    fn an_item_comes_through_a_limited_number_of_gateways() {
        let mut meta = None;
        for number in 0..MOST_HOPS {
            add_gateway(&mut meta, &number.to_string()).unwrap();
        }
        assert!(add_gateway(&mut meta, "next").unwrap_err().contains("mount each other"));
    }
}
