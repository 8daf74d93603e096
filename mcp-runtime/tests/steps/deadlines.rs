//! Time limits for answers.

use std::time::Duration;

use mcp_runtime::{AskError, Result, Revision, Server, prelude::*, testing::Client};
use serde_json::{Value, json};

use crate::steps::{
    wire::{Wire, error, seat, state, text},
    world::{Seat, Sure, Trip},
};

/// Gives its user little time.
#[mcp_tool(replayable)]
async fn hurry(ctx: &Ctx<Trip>, milliseconds: u64) -> Result<String> {
    match ctx.elicit::<Seat>("Which seat?").strict().timeout(Duration::from_millis(milliseconds)).await {
        Ok(Seat { seat }) => Ok(seat),
        Err(error @ AskError::Timeout(_)) => {
            let Sure { sure } = ctx.elicit::<Sure>(format!("{error}; any seat?")).strict().await?;
            Ok(format!("any: {sure}"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Gives its user all the time there is.
#[mcp_tool(replayable)]
async fn patient(ctx: &Ctx<Trip>) -> Result<String> {
    Ok(ctx.elicit::<Seat>("Which seat?").strict().timeout(Duration::MAX).await?.seat)
}

/// Its states are good for no time at all.
#[mcp_tool(answer_within = "1ms")]
async fn fleeting(ctx: &Ctx<Trip>) -> Result<String> {
    Ok(ctx.elicit::<Seat>("Which seat?").strict().await?.seat)
}

async fn call(wire: &mut Wire, tool: &str, more: &Value) -> Value {
    let id = wire.send(tool, more).await;
    wire.reply(id).await
}

#[tokio::test]
async fn rejects_a_late_answer_in_every_mode() {
    let (short, long) = (json!({ "milliseconds": 40 }), json!({ "milliseconds": 3_600_000 }));
    for rebuilt in [false, true] {
        let service = Server::new("trips", "1").tools(tools![hurry]).build().unwrap();
        let mut wire = Wire::new(&service);
        let first = state(&call(&mut wire, "hurry", &json!({ "arguments": short })).await);
        if rebuilt {
            let mut client = Client::modern(&service).rebuilding();
            assert_eq!(client.call("hurry", &long).accept(Seat { seat: "1A".to_owned() }).await.text(), "1A");
        }
        tokio::time::sleep(Duration::from_millis(80)).await;
        let more = json!({ "arguments": short, "requestState": first, "inputResponses": seat("12A") });
        let second = call(&mut wire, "hurry", &more).await;
        let message = &second["result"]["inputRequests"]["sure"]["params"]["message"];
        assert_eq!(message, "no answer within 40ms; any seat?");
        // A late answer stays late when the call is replayed.
        let mut client = Client::modern(&service).rebuilding();
        assert_eq!(client.call("hurry", &long).accept(Seat { seat: "1A".to_owned() }).await.text(), "1A");
        let sure = json!({ "sure": { "action": "accept", "content": { "sure": true } } });
        let more = json!({ "arguments": short, "requestState": state(&second), "inputResponses": sure });
        assert_eq!(text(&call(&mut wire, "hurry", &more).await), "any: true");
    }
}

#[tokio::test]
async fn accepts_a_limit_beyond_the_range_of_the_clock() {
    let service = Server::new("trips", "1").tools(tools![patient]).build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let call = client.call("patient", ()).accept(Seat { seat: "12A".to_owned() }).await;
        assert_eq!(call.text(), "12A", "{revision}");
    }
}

#[tokio::test]
async fn a_tool_sets_the_lifetime_of_its_state() {
    let service = Server::new("trips", "1").tools(tools![fleeting]).build().unwrap();
    let mut wire = Wire::new(&service);
    let first = state(&call(&mut wire, "fleeting", &json!({})).await);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let more = json!({ "requestState": first, "inputResponses": seat("12A") });
    let refused = call(&mut wire, "fleeting", &more).await;
    let (code, message) = error(&refused);
    assert_eq!(code, -32602);
    assert!(message.starts_with("`requestState` has expired"), "{message}");
}
