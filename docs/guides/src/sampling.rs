//! The code of the page `sampling`.
#![cfg(test)]

use std::collections::HashMap;

use mcp_runtime::{
    Result, Revision,
    prelude::*,
    sample::{BranchLimits, Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest},
    testing::{Client, Reply},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

// ANCHOR: text
/// Writes a subject line for a letter.
#[mcp_tool(read_only, requires(sampling))]
async fn subject(ctx: &Ctx, letter: String) -> Result<String> {
    let ask = ctx.sample(format!("Write a subject line for this letter:\n\n{letter}"));
    let reply = ask.system("You write at most eight words.").max_tokens(40).await?;
    // A model can write anything: take the first line.
    Ok(reply.text.lines().next().unwrap_or_default().to_owned())
}
// ANCHOR_END: text

// ANCHOR: schema
/// What a letter is about.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Sorted {
    topic: Topic,
    /// From 1, can wait, to 5, today.
    #[schemars(range(min = 1, max = 5))]
    urgency: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Topic {
    Bill,
    Complaint,
    Other,
}

/// Says what a letter is about, and how urgent it is.
#[mcp_tool(read_only, requires(sampling))]
async fn sort_letter(ctx: &Ctx, letter: String) -> Result<Json<Sorted>> {
    Ok(Json(ctx.sample_schema::<Sorted>(format!("What is this letter about?\n\n{letter}")).await?.parsed))
}
// ANCHOR_END: schema

// ANCHOR: tools
/// What to do with a letter. These are tools of the model, not of the server.
#[derive(SampleTools, Debug)]
enum Next {
    /// Answer with a text that the office has: `opening_hours` or `prices`.
    Standard { text: String },
    /// Give the letter to a colleague, who needs a reason.
    Forward {
        /// In one sentence.
        #[schemars(length(max = 100))]
        reason: String,
    },
    /// Throw the letter away: it is an advertisement.
    Discard,
}

/// Says what happens to a letter.
#[mcp_tool(read_only, requires(sampling))]
async fn next_step(ctx: &Ctx, letter: String) -> Result<String> {
    Ok(match ctx.sample_tools::<Next>(format!("What is to be done?\n\n{letter}")).await?.into_first() {
        Next::Standard { text } => format!("answer with `{text}`"),
        Next::Forward { reason } => format!("forward: {reason}"),
        Next::Discard => "discard".to_owned(),
    })
}
// ANCHOR_END: tools

// ANCHOR: agent
#[derive(SampleTools)]
enum Lookup {
    /// Returns the balance of a customer, in cents.
    Balance { customer: String },
    /// Returns the last letter of a customer.
    LastLetter { customer: String },
}

/// Answers a question about customers.
#[mcp_tool(read_only, requires(sampling))]
async fn ask_office(ctx: &Ctx, office: &Office, question: String) -> Result<String> {
    let answer = ctx
        .sample_loop::<Lookup>(question)
        .system("You know only what the tools return.")
        .max_turns(4)
        .run(async |lookup| match lookup {
            Lookup::Balance { customer } => {
                office.balances.get(&customer).map(i64::to_string).ok_or("there is no such customer")
            }
            Lookup::LastLetter { customer } => {
                office.letters.get(&customer).cloned().ok_or("there is no such customer")
            }
        })
        .await?;
    Ok(answer.reply.text)
}
// ANCHOR_END: agent

#[derive(Default)]
struct Office {
    balances: HashMap<String, i64>,
    letters: HashMap<String, String>,
}

// ANCHOR: branch
/// Writes a reply, which a second conversation checks. It has two requests, and does not see the first conversation.
#[mcp_tool(read_only, requires(sampling))]
async fn write_reply(ctx: &Ctx, letter: String) -> Result<String> {
    let draft = ctx.sample(format!("Write a reply:\n\n{letter}")).await?.text;
    let limits = BranchLimits::new().asks(2);
    let check = async |b: &mcp_runtime::sample::Branch<'_>| {
        b.sample(format!("Which promises does this reply make?\n\n{draft}")).await?;
        b.sample("Is one of them about money? Answer yes or no.").await
    };
    let verdict = ctx.branch_within(limits, check).await?;
    if verdict.text.trim().to_lowercase().starts_with("yes") {
        return Err("the reply promises money; write it yourself".into());
    }
    Ok(draft)
}
// ANCHOR_END: branch

// ANCHOR: optional
/// Files a letter, with a summary if a model is there.
#[mcp_tool(optional(sampling))]
async fn file_letter(ctx: &Ctx, letter: String) -> Result<String> {
    let summary = match ctx.sample(format!("Summarize in one sentence:\n\n{letter}")).max_tokens(60).await {
        Ok(reply) => reply.text,
        Err(AskError::Capability(_)) => "no summary".to_owned(),
        Err(error) => {
            ctx.log(Level::Notice, format!("there is no summary: {error}"));
            "no summary".to_owned()
        }
    };
    Ok(format!("filed: {summary}"))
}
// ANCHOR_END: optional

// ANCHOR: provider
/// A model of the server, for clients that have none.
struct OwnModel;

impl SamplingProvider for OwnModel {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        // The first reply does not fit the schema. The request is sent again, with the reply and the reason.
        let text = match request.messages.len() {
            1 => r#"{ "topic": "bill", "urgency": 9 }"#,
            _ => r#"{ "topic": "bill", "urgency": 5 }"#,
        };
        Box::pin(async move { Ok(Sampled::new(vec![SamplingContent::Text(text.to_owned())], "own")) })
    }
}
// ANCHOR_END: provider

fn office() -> Server {
    let office = Office {
        balances: [("ada".to_owned(), -1250)].into(),
        letters: [("ada".to_owned(), "Where is my tea?".to_owned())].into(),
    };
    let tools = tools![subject, sort_letter, next_step, ask_office, write_reply, file_letter];
    Server::new("office", "1.0.0").state(office).tools(tools)
}

// ANCHOR: scripted
#[tokio::test]
async fn a_wrong_reply_is_asked_again() {
    let service = office().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let sorted = client
            .call("sort_letter", json!({ "letter": "You owe us 12 euros." }))
            .sampled("It is a bill.")
            .sampled_value(json!({ "topic": "bill", "urgency": 3 }))
            .await;
        assert_eq!(sorted.structured::<Sorted>().urgency, 3);
        assert_eq!(sorted.asked().len(), 2);

        let next = client
            .call("next_step", json!({ "letter": "When are you open?" }))
            .sampled_tool("standard", json!({ "text": "opening_hours" }))
            .await;
        assert_eq!(next.text(), "answer with `opening_hours`");
    }
}
// ANCHOR_END: scripted

#[tokio::test]
async fn three_wrong_replies_are_an_error() {
    let mut client = Client::modern(&office().build().unwrap());
    let wrong = || Reply::sampled("It is a bill.");
    let call = client.call("sort_letter", json!({ "letter": "…" })).reply(wrong()).reply(wrong()).reply(wrong());
    let failed = call.await;
    let expected = "`sample_schema` got no valid reply (attempts: 3); last error: there is no JSON in the reply";
    assert_eq!((failed.is_error(), failed.text().as_str()), (true, expected));
    assert_eq!(failed.asked().len(), 3);
}

// ANCHOR: agent_test
#[tokio::test]
async fn the_model_calls_tools_until_it_answers() {
    let service = office().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let answered = client
            .call("ask_office", json!({ "question": "Does Ada owe us money?" }))
            .sampled_tool("balance", json!({ "customer": "Ada" }))
            .sampled_tool("balance", json!({ "customer": "ada" }))
            .sampled("Yes: 12.50 euros.")
            .await;
        assert_eq!(answered.text(), "Yes: 12.50 euros.");
        // The error of the first look-up was for the model, not for the client.
        assert!(answered.asked()[1].params().to_string().contains("there is no such customer"));
    }
}
// ANCHOR_END: agent_test

// ANCHOR: without_a_model
#[tokio::test]
async fn a_client_without_a_model_uses_that_of_the_server() {
    let letter = json!({ "letter": "You owe us 12 euros." });
    let without = office().build().unwrap();
    let mut old = Client::legacy(&without, Revision::V2025_11_25).without_sampling();
    let names: Vec<_> = old.tools().await.into_iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["file_letter"]);
    let mut new = Client::modern(&without).without_sampling();
    assert_eq!(new.call("sort_letter", &letter).await.error().unwrap().code, -32021);
    assert_eq!(new.call("file_letter", &letter).await.text(), "filed: no summary");

    let with = office().sampling_provider(OwnModel).build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&with, revision).without_sampling();
        let sorted = client.call("sort_letter", &letter).await;
        assert_eq!(sorted.structured::<Sorted>().urgency, 5);
        assert_eq!((sorted.asked().len(), sorted.rounds()), (0, 1));
    }
}
// ANCHOR_END: without_a_model

#[tokio::test]
async fn texts_branches_and_choices_work_in_both_eras() {
    let service = office().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service, revision);
        let letter = json!({ "letter": "Where is my tea?" });
        assert_eq!(client.call("subject", &letter).sampled("Tea\nmore").await.text(), "Tea");
        assert_eq!(client.call("file_letter", &letter).sampled("Tea.").await.text(), "filed: Tea.");
        let call = client.call("write_reply", &letter).sampled("It comes.").sampled("Tea.").sampled("No.");
        let written = call.await;
        assert_eq!(written.text(), "It comes.");
        assert!(written.asked()[2].params()["messages"].as_array().unwrap().len() > 1);
        let call = client.call("write_reply", &letter).sampled("10 euros.").sampled("Money.").sampled("Yes.");
        assert_eq!(call.await.text(), "the reply promises money; write it yourself");
        let forwarded = client.call("next_step", &letter).sampled_tool("forward", json!({ "reason": "tea" })).await;
        assert_eq!(forwarded.text(), "forward: tea");
        assert_eq!(client.call("next_step", &letter).sampled_tool("discard", ()).await.text(), "discard");
        let last = client.call("ask_office", json!({ "question": "?" }));
        let last = last.sampled_tool("last_letter", json!({ "customer": "ada" })).sampled("Tea.").await;
        assert_eq!(last.text(), "Tea.");
    }
}

// ANCHOR: models
/// The model of the operator (`MCP_MODEL`), or a local one.
fn with_model(server: Server) -> std::result::Result<Server, Box<dyn std::error::Error>> {
    use mcp_runtime::providers::Model;
    let model = Model::from_env()?.unwrap_or_else(|| Model::ollama("llama3.2"));
    Ok(server.sampling_provider(model))
}
// ANCHOR_END: models

#[test]
fn a_server_with_a_model_is_built() {
    with_model(office()).unwrap().build().unwrap();
}
