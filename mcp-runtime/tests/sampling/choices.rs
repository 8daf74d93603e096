//! Tools that are defined at run time, and tool choice.

use mcp_runtime::{
    Revision,
    sample::{Sampled, SamplingContent, SamplingTool, ToolChoice},
    testing::{Client, Reply, in_every_mode},
};
use serde_json::{Value, json};

use super::*;

/// Offers tools that the caller names.
#[mcp_tool(replayable)]
async fn offer(ctx: &Ctx, names: Vec<String>, choice: Option<String>) -> Result<String> {
    let schema =
        json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": 1 } }, "required": ["n"] });
    let tools = names.into_iter().map(|name| SamplingTool::new(name, "Does it.").input_schema(schema.clone()));
    let ask = ctx.sample("Choose.").temperature(f64::NAN).tools_dyn(tools);
    let ask = match choice.as_deref() {
        None => ask,
        Some("required") => ask.tool_choice(ToolChoice::Required),
        Some("none") => ask.tool_choice(ToolChoice::None),
        Some(_) => ask.tool_choice(ToolChoice::Auto),
    };
    let chosen = ask.await?;
    let calls = chosen.calls.into_iter().map(|call| match call.parsed {
        Ok(input) => format!("{} {}", call.tool_use.name, Value::Object(input)),
        Err(error) => error.message,
    });
    let calls: Vec<_> = calls.collect();
    Ok(if calls.is_empty() { chosen.reply.text } else { calls.join("; ") })
}

fn server() -> Server {
    Server::new("games", "1").tools(tools![offer])
}

#[tokio::test]
async fn calls_tools_defined_at_run_time_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        for choice in [None, Some("auto"), Some("required"), Some("none")] {
            let arguments = json!({ "names": ["left", "go-right"], "choice": choice });
            let said = client.call("offer", arguments.clone()).sampled("I stay.").await;
            assert_eq!(said.text(), "I stay.");
            let asked = sampled(&said, mode.revision());
            assert_eq!(asked[0].params().get("temperature"), None, "there is no such number in JSON");
            if !asked[0].tools().is_empty() {
                assert_eq!(asked[0].params()["toolChoice"]["mode"], choice.unwrap_or("auto"));
            }
            let both = Reply::sampled_tool("go-right", json!({ "n": 2 })).and_tool("left", json!({ "n": 0 }));
            let called = client.call("offer", arguments).reply(both).await;
            if choice != Some("none") {
                let wrong = "invalid input of `left`:\n- `n`: got 0, must be at least 1";
                assert_eq!(called.text(), format!("go-right {{\"n\":2}}; {wrong}"));
            }
        }
    });
}

#[tokio::test]
async fn rejects_invalid_tools() {
    for (names, problem) in [
        (json!([]), "the list of tools is empty; offer at least one tool"),
        (json!(["a", "a"]), "the tool `a`: two tools have this name"),
        (json!(["a b"]), "the tool `a b`: a name has 1 to 64 letters, digits, `_` and `-`"),
        (json!([""]), "the tool ``: a name has 1 to 64 letters, digits, `_` and `-`"),
    ] {
        let mut client = Client::modern(&server().build().unwrap());
        let refused = client.call("offer", json!({ "names": names })).await;
        assert!(refused.is_error());
        assert_eq!(refused.text(), format!("this question cannot be asked: {problem}"));
    }
}

/// Unsupported members are not sent, whatever a client declares.
#[tokio::test]
async fn sends_no_tools_to_an_old_client() {
    for revision in Revision::ALL.into_iter().filter(|revision| *revision < Revision::V2025_11_25) {
        let capabilities = json!({ "sampling": { "tools": {} } });
        let mut client = Client::new(&server().build().unwrap(), revision).capabilities(capabilities);
        let said = client.call("offer", json!({ "names": ["left"] })).sampled_tool("left", json!({ "n": 1 })).await;
        assert_eq!(said.text(), r#"left {"n":1}"#);
        assert!(sampled(&said, revision)[0].tools().is_empty());
    }
}

/// A model with native tools may write its call as text all the same.
#[tokio::test]
async fn accepts_a_call_written_as_text() {
    let words = "Sure!\n```json\n{\"name\": \"left\", \"arguments\": {\"n\": 3}}\n```";
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&server().build().unwrap(), revision);
        let reply = Reply::sampled_as(Sampled::new(vec![SamplingContent::Text(words.to_owned())], "m"));
        let said = client.call("offer", json!({ "names": ["left"] })).reply(reply).await;
        assert_eq!(said.text(), r#"left {"n":3}"#);
    }
}
