//! The model of the scripted client.

use mcp_runtime::{
    Result, Revision, SampleTools, Server,
    prelude::*,
    sample::{Sampled, SamplingContent},
    testing::{Client, Outcome, Reply, in_every_mode},
};
use serde_json::{Value, json};

use crate::testing::support::{lead, panic_of};

#[elicits]
enum Asks {
    Sure { sure: bool },
}

#[derive(SampleTools)]
enum Step {
    /// Goes left.
    Left { by: u8 },
    /// Stays.
    Stay,
}

/// Asks its user and a model.
#[mcp_tool(replayable)]
async fn walk(ctx: &Ctx<Asks>) -> Result<String> {
    ctx.elicit::<Sure>("Sure?").strict().await?;
    let far: u8 = ctx.sample_schema("How far?").await?.parsed;
    let steps = ctx.sample("Which way?").system("You walk.").tools::<Step>().await?;
    let said = ctx.sample("Why?").await?.text;
    let mut walked = format!("{far}");
    for call in steps.calls {
        walked += &match call.parsed? {
            Step::Left { by } => format!(" left {by}"),
            Step::Stay => " stay".to_owned(),
        };
    }
    Ok(format!("{walked} {said}"))
}

/// Asks a model.
#[mcp_tool(replayable)]
async fn think(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample("Think.").await?.text)
}

fn server() -> Server {
    Server::new("walks", "1").tools(tools![walk, think])
}

fn client(revision: Revision) -> Client {
    Client::new(&server().build().unwrap(), revision)
}

fn walked(client: &mut Client) -> impl Future<Output = Outcome> {
    let steps = Reply::sampled_tool("left", json!({ "by": 2 })).and_tool("stay", ());
    client.call("walk", ()).accept(Sure { sure: true }).sampled_value(3).reply(steps).sampled("So.").into_future()
}

#[tokio::test]
async fn one_script_of_a_model_works_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        assert_eq!(walked(&mut client).await.text(), "3 left 2 stay So.");
    });
}

#[tokio::test]
async fn a_question_shows_what_the_model_reads() {
    let outcome = walked(&mut client(Revision::LATEST)).await;
    let [_, far, way, why] = outcome.asked() else { panic!("{:?}", outcome.asked()) };
    assert_eq!((far.key(), far.method(), far.message()), ("sample", "sampling/createMessage", "How far?"));
    assert_eq!((far.tools(), way.tools(), why.tools()), (vec!["answer"], vec!["left", "stay"], vec![]));
    assert_eq!(way.texts().collect::<Vec<_>>(), ["Which way?"]);
    assert_eq!(way.params()["systemPrompt"], "You walk.");
    assert_eq!(why.to_string(), r#"`sample#3` (sampling/createMessage: "Why?")"#);
}

#[tokio::test]
async fn a_client_declares_the_configured_capabilities() {
    for (revision, sampling) in [
        (Revision::V2024_11_05, json!({})),
        (Revision::V2025_06_18, json!({})),
        (Revision::V2025_11_25, json!({ "tools": {} })),
        (Revision::V2026_07_28, json!({ "tools": {} })),
    ] {
        let declared = async |client: Client| {
            let mut client = client;
            let outcome = client.call("think", ()).sampled("Hm.").await;
            assert_eq!(outcome.text(), "Hm.");
            said_of_sampling(&client)
        };
        assert_eq!(declared(client(revision)).await, Some(sampling));
        assert_eq!(declared(client(revision).without_sampling_tools()).await, Some(json!({})));
        let mut nobody = client(revision).without_sampling();
        assert!(nobody.call("think", ()).await.is_error());
        assert_eq!(said_of_sampling(&nobody), None);
    }
}

/// Returns the sampling capability in the client's first request.
fn said_of_sampling(client: &Client) -> Option<Value> {
    let transcript = client.transcript().to_string();
    let first: Value = serde_json::from_str(transcript.lines().next()?.trim_start_matches("→ ")).unwrap();
    let params = &first["params"];
    let of_request = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    let capabilities = params.get("capabilities").unwrap_or(of_request);
    assert!(capabilities["roots"].is_object(), "{first}");
    capabilities.get("sampling").cloned()
}

#[tokio::test]
async fn an_answer_for_a_user_does_not_fit_a_question_to_a_model() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        for (reply, reason) in [
            (Reply::decline(), ", which asks a model"),
            (Reply::accept(Sure { sure: true }), ", which asks a model"),
            (Reply::roots(["file:///a"]), ", which asks a model"),
        ] {
            let mut client = client(revision);
            let text = panic_of(client.call("think", ()).reply(reply).into_future()).await;
            assert!(lead(&text).ends_with(reason), "{text}");
        }
        for reply in [Reply::sampled("x"), Reply::sampled_value(1), Reply::sampled_tool("stay", ())] {
            let mut client = client(revision);
            let text = panic_of(client.call("walk", ()).reply(reply).into_future()).await;
            assert!(lead(&text).ends_with(", which does not ask a model"), "{text}");
        }
        let mut client = client(revision);
        let call = client.call("walk", ()).accept(Sure { sure: true }).sampled_value(1).sampled_value(2);
        let text = panic_of(call.into_future()).await;
        assert!(
            lead(&text).ends_with(", which offers the tools `left`, `stay` and does not ask for a value"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn names_a_missing_answer() {
    let text = panic_of(client(Revision::LATEST).call("think", ()).into_future()).await;
    let words = "has no answer in the script; add `sampled`, `sampled_value` or `sampled_tool`";
    assert!(lead(&text).ends_with(words), "{text}");
    let text = panic_of(client(Revision::LATEST).call("think", ()).refuse(-1, "no").into_future()).await;
    let words = "an answer in 2026-07-28 cannot be an error; write `silence`";
    assert!(lead(&text).ends_with(words), "{text}");
    let whole = Reply::sampled_as(Sampled::new(vec![SamplingContent::Text("whole".to_owned())], "m"));
    for (reply, shown) in [
        (Reply::sampled("x"), r#"`sampled` "x""#),
        (Reply::sampled_value(json!({ "a": 1 })), r#"`sampled_value` {"a":1}"#),
        (Reply::sampled_tool("a", ()).and_tool("b", ()), "`sampled_tool` `a`, `b`"),
        (whole, r#"`sampled_as` "whole""#),
        (Reply::silence(), "`silence`"),
    ] {
        assert_eq!(reply.to_string(), shown);
    }
}

#[test]
fn the_input_of_a_call_must_be_an_object() {
    let panic = std::panic::catch_unwind(|| Reply::sampled_tool("a", 1)).unwrap_err();
    assert_eq!(*panic.downcast::<String>().unwrap(), "the input of a call must be an object, not 1");
    let panic = std::panic::catch_unwind(|| Reply::sampled("a").and_tool("b", ())).unwrap_err();
    assert_eq!(
        *panic.downcast::<String>().unwrap(),
        "`sampled` \"a\" is not a tool call; write `and_tool` after `sampled_tool`"
    );
}
