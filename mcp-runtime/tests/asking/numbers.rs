//! Whole numbers in answers: JSON Schema defines integers by value, not by notation.

use mcp_runtime::{MemoryClient, Result, prelude::*};
use serde_json::{Value, json};

use crate::asking::service;

#[elicits]
enum Trip {
    Travellers {
        #[elicit(max = 9)]
        adults: u8,
        budget: i64,
        rate: f64,
    },
}

/// Asks for numbers.
#[mcp_tool]
async fn travel(ctx: &Ctx<Trip>) -> Result<String> {
    let Travellers { adults, budget, rate } = ctx.elicit::<Travellers>("Who travels?").strict().await?;
    Ok(format!("{adults} {budget} {rate}"))
}

/// Returns the result's text, or the repeated question, after an answer with this content.
async fn answered(content: &str) -> String {
    let mut client: MemoryClient = service(tools![travel]).memory();
    let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "test", "version": "1" } });
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "travel" } }),
    ] {
        client.send(&message.to_string()).await;
    }
    client.receive().await.unwrap();
    client.receive().await.unwrap();
    let answer = format!(r#"{{"jsonrpc":"2.0","id":"s-1","result":{{"action":"accept","content":{content}}}}}"#);
    client.send(&answer).await;
    let next: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    let said = next["params"]["message"].as_str().or(next["result"]["content"][0]["text"].as_str());
    said.unwrap_or_else(|| panic!("{next}")).to_owned()
}

#[tokio::test]
async fn accepts_integers_with_a_fraction_or_an_exponent() {
    assert_eq!(answered(r#"{"adults":2.0,"budget":1e3,"rate":1}"#).await, "2 1000 1");
    let largest = r#"{"adults":9.0,"budget":9223372036854775807.0,"rate":1e-3}"#;
    assert_eq!(answered(largest).await, "9 9223372036854775807 0.001");
}

#[tokio::test]
async fn names_the_range_of_a_number_that_is_too_large() {
    for (content, told) in [
        (
            r#"{"adults":1e400,"budget":1,"rate":1}"#,
            "`adults`: got a number above 1.7976931348623157e308, must be between 0 and 9",
        ),
        (r#"{"adults":10.0,"budget":1,"rate":1}"#, "`adults`: got 10, must be between 0 and 9"),
        (r#"{"adults":1,"budget":1e19,"rate":1}"#, "`budget`: got 10000000000000000000, must be between"),
    ] {
        let again = answered(content).await;
        assert!(again.contains(told) && !again.contains("column"), "{again}");
    }
}
