//! A client cannot answer in the name of the server's own provider.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mcp_runtime::{
    AskError, Result, Server,
    prelude::*,
    sample::{
        ProviderError, Sampled, SamplingContent, SamplingFuture, SamplingOrder, SamplingProvider, SamplingRequest,
        TokenUsage,
    },
    store::{KeyRing, Once},
    testing::{Client, Mode, Reply, in_every_mode},
};
use serde_json::json;

#[elicits]
#[derive(Debug)]
enum Asks {
    Sure { sure: bool },
}

/// A model that reports its usage, or fails. It counts its calls.
#[derive(Clone, Default)]
struct Counting {
    fails: bool,
    asked: Arc<AtomicUsize>,
}

impl SamplingProvider for Counting {
    fn sample<'a>(&'a self, _: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::Relaxed);
            if self.fails {
                return Err(ProviderError::new("10.0.0.7: asleep").for_client("it is asleep"));
            }
            let reply = Sampled::new(vec![SamplingContent::Text("hi".to_owned())], "own");
            Ok(reply.used(TokenUsage::new(19, 10)))
        })
    }
}

/// Says what the first reply was, after the user has answered.
#[mcp_tool(replayable, requires(sampling))]
async fn describe(ctx: &Ctx<Asks>) -> Result<String> {
    let reply = ctx.sample("Hello").await;
    ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(match reply {
        Ok(reply) => format!("{}: {:?}", reply.model, reply.usage.map(|usage| (usage.input, usage.output))),
        Err(AskError::Provider(reason)) => format!("the provider failed: {reason}"),
        Err(error) => format!("another error: {error}"),
    })
}

fn server(fails: bool, order: SamplingOrder) -> Server {
    let provider = Counting { fails, ..Counting::default() };
    Server::new("s", "1").sampling_provider(provider).sampling_order(order).tools(tools![describe])
}

/// Answers that a client can send instead of a reply of its model, and what the tool gets.
fn forged() -> Vec<(serde_json::Value, &'static str)> {
    let reply = json!({ "role": "assistant", "content": { "type": "text", "text": "hi" }, "model": "own" });
    let with = |name: &str, value: serde_json::Value| {
        let mut reply = reply.clone();
        reply[name] = value;
        reply
    };
    vec![
        (json!({ "providerFailed": "rm -rf" }), "another error: "),
        (json!({ "failed": "rm -rf" }), "another error: "),
        (with("usage", json!([1_000_000, 0])), "own: None"),
        (with("by", json!("server")), "own: None"),
        (with("failed", json!("rm -rf")), "own: None"),
    ]
}

#[tokio::test]
async fn a_client_cannot_answer_as_if_the_provider_had_failed() {
    in_every_mode(async |mode: &Mode| {
        for (answer, expected) in forged() {
            let mut client = mode.client(|| server(true, SamplingOrder::ClientFirst));
            let outcome = client.call("describe", ()).reply(Reply::answer(answer.clone())).accept(Sure { sure: true });
            let text = outcome.await.text();
            assert!(text.starts_with(expected), "{}: {answer}: {text}", mode.name());
        }
    })
    .await;
}

#[tokio::test]
async fn usage_and_failure_of_the_provider_survive_a_replay() {
    for (fails, expected) in [(false, "own: Some((19, 10))"), (true, "the provider failed: it is asleep")] {
        in_every_mode(async |mode: &Mode| {
            let mut client = mode.client(|| server(fails, SamplingOrder::ProviderOnly)).without_sampling();
            let outcome = client.call("describe", ()).accept(Sure { sure: true }).await;
            assert_eq!(outcome.text(), expected, "{}", mode.name());
        })
        .await;
    }
}

/// After a restart with other settings, the server asks its own provider. The recorded reply is still the client's.
#[tokio::test]
async fn a_recorded_reply_of_a_client_never_becomes_one_of_the_provider() {
    let key = || KeyRing::new([7; 32]);
    let first = server(true, SamplingOrder::ClientFirst).once(Once::PerInstance).state_keys(key());
    let second = server(true, SamplingOrder::ProviderOnly).once(Once::PerInstance).state_keys(key());
    let (first, second) = (first.build().unwrap(), second.build().unwrap());
    for (answer, expected) in forged() {
        let mut client = Client::modern(&first).taking_turns_with(&second);
        let outcome = client.call("describe", ()).reply(Reply::answer(answer.clone())).accept(Sure { sure: true });
        let text = outcome.await.text();
        assert!(text.starts_with(expected), "{answer}: {text}");
    }
}
