//! The code of the page `upgrading`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

// ANCHOR: tool
use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Weather {
    degrees: i32,
}

/// Returns the weather of a city.
#[mcp_tool(title = "Weather", read_only)]
async fn weather(city: String) -> Json<Weather> {
    Json(Weather { degrees: i32::try_from(city.len()).unwrap_or(0) })
}

#[elicits]
pub(crate) enum Moving {
    Confirm { confirmed: bool },
}

/// Moves to another city, if the user confirms it.
#[mcp_tool(replayable)]
async fn move_to(ctx: &Ctx<Moving>, city: String) -> Result<String> {
    let sure = ctx.elicit::<Confirm>(format!("Move to {city}?")).strict().await?;
    Ok(if sure.confirmed { format!("moved to {city}") } else { "stayed".to_owned() })
}
// ANCHOR_END: tool

// ANCHOR: optional
/// Moves to another city. Clients that cannot ask have to say so in an argument.
#[mcp_tool(replayable, optional(elicitation))]
async fn move_carefully(ctx: &Ctx<Moving>, city: String, confirmed: Option<bool>) -> Result<String> {
    let sure = match ctx.elicit::<Confirm>(format!("Move to {city}?")).await {
        Ok(answer) => matches!(answer, Elicited::Accept(Confirm { confirmed: true })),
        Err(AskError::Capability(_)) => confirmed == Some(true),
        Err(error) => return Err(error.into()),
    };
    Ok(if sure { format!("moved to {city}") } else { "stayed".to_owned() })
}
// ANCHOR_END: optional

#[cfg(test)]
mod tests {
    use mcp_runtime::{Revision, Service, testing::Client};
    use serde_json::{Value, json};

    use super::*;

    fn service() -> Service {
        Server::new("weather", "1.0.0").tools(tools![weather, move_to, move_carefully]).build().unwrap()
    }

    // ANCHOR: revisions
    #[tokio::test]
    async fn every_revision_gets_the_weather() {
        let service = service();
        for revision in Revision::ALL {
            let mut client = Client::new(&service, revision);
            let got = client.call("weather", json!({ "city": "Oslo" })).await;
            assert_eq!(got.text(), r#"{"degrees":4}"#, "{revision}");
            let has_structured_content = revision >= Revision::V2025_06_18;
            assert_eq!(got.structured_content().is_some(), has_structured_content, "{revision}");
        }
    }
    // ANCHOR_END: revisions

    #[tokio::test]
    async fn each_revision_gets_the_members_that_it_knows() {
        let service = service();
        for revision in Revision::ALL {
            let tool = Client::new(&service, revision).tools().await.remove(0);
            assert_eq!(tool["name"], "weather");
            assert_eq!(tool.get("annotations").is_some(), revision >= Revision::V2025_03_26, "{revision}");
            assert_eq!(tool.get("title").is_some(), revision >= Revision::V2025_06_18, "{revision}");
            assert_eq!(tool.get("outputSchema").is_some(), revision >= Revision::V2025_06_18, "{revision}");
        }
    }

    // ANCHOR: asks
    #[tokio::test]
    async fn a_question_is_a_request_or_a_round() {
        let service = service();
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
            let mut client = Client::new(&service, revision);
            let moved = client.call("move_to", json!({ "city": "Oslo" })).accept(Confirm { confirmed: true }).await;
            assert_eq!(moved.text(), "moved to Oslo");
            assert_eq!(moved.rounds(), if revision.is_modern() { 2 } else { 1 });
        }
    }
    // ANCHOR_END: asks

    #[tokio::test]
    async fn older_clients_are_told_or_the_tool_decides() {
        let service = service();
        for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
            let mut client = Client::new(&service, revision);
            let names: Vec<Value> = client.tools().await.into_iter().map(|tool| tool["name"].clone()).collect();
            assert_eq!(names, ["weather", "move_carefully"], "{revision}");
            let refused = client.call("move_to", json!({ "city": "Oslo" })).await;
            assert!(refused.is_error());
            assert_eq!(refused.text(), "the tool `move_to` needs a client that supports form elicitation");
            let stayed = client.call("move_carefully", json!({ "city": "Oslo" })).await;
            assert_eq!(stayed.text(), "stayed");
            let moved = client.call("move_carefully", json!({ "city": "Oslo", "confirmed": true })).await;
            assert_eq!(moved.text(), "moved to Oslo");
        }
        let mut cannot = Client::modern(&service).capabilities(json!({}));
        let refused = cannot.call("move_to", json!({ "city": "Oslo" })).await;
        assert_eq!(refused.error().unwrap().code, -32021);
    }
}
