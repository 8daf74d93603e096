//! In multi-round calls, the replies of a model of the server are recorded like answers of a user.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    AskError, Elicited, Result, Server,
    prelude::*,
    sample::{
        ProviderError, Sampled, SamplingContent, SamplingFuture, SamplingOrder, SamplingProvider, SamplingRequest,
    },
    testing::{Client, Mode, in_every_mode},
};
use serde_json::json;

#[elicits]
#[derive(Debug)]
enum Asks {
    Sure { sure: bool },
}

/// A model that returns its input and counts its calls. Some words in the input change the behavior of the model.
#[derive(Default)]
struct Parrot {
    heard: Mutex<Vec<String>>,
    dropped: AtomicUsize,
}

#[derive(Clone, Default)]
struct Shared(Arc<Parrot>);

impl Shared {
    fn heard(&self) -> Vec<String> {
        self.0.heard.lock().unwrap().clone()
    }

    /// A cancelled round records nothing, so its questions are asked again.
    fn heard_once(&self, mode: &Mode, expected: &[&str]) {
        let mut heard = self.heard();
        if mode.name().contains("cut off") || mode.name().contains("killed") {
            heard.dedup();
        }
        assert_eq!(heard, expected, "{}", mode.name());
    }

    fn server(&self, tools: Vec<Box<dyn mcp_runtime::Tool>>) -> Server {
        Server::new("parrot", "1").sampling_provider(self.clone()).tools(tools)
    }
}

/// Counts a cancelled request.
struct GivenUp<'a>(&'a AtomicUsize);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl SamplingProvider for Shared {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async move {
            let said = request.messages.last().unwrap().text();
            self.0.heard.lock().unwrap().push(said.clone());
            match &*said {
                "fail" => return Err(ProviderError::new("http://bed:1: asleep").for_client("the model is asleep")),
                "never" => {
                    let _given_up = GivenUp(&self.0.dropped);
                    return pending().await;
                }
                "slow" => tokio::time::sleep(Duration::from_millis(20)).await,
                _ => tokio::task::yield_now().await,
            }
            Ok(Sampled::new(vec![SamplingContent::Text(said)], "parrot"))
        })
    }
}

/// Asks the model and the user in turn.
#[mcp_tool(replayable, requires(sampling))]
async fn in_turn(ctx: &Ctx<Asks>) -> Result<String> {
    let first = ctx.sample("one").await?.text;
    let sure = ctx.elicit::<Sure>(format!("{first}?")).strict().await?.sure;
    let second = ctx.sample(format!("two {sure}")).await?.text;
    let again = ctx.elicit::<Sure>(format!("{second}?")).strict().await?.sure;
    Ok(format!("{first}, {second}, {again}"))
}

#[tokio::test]
async fn asks_a_model_once_in_a_replayed_call() {
    in_every_mode(async |mode: &Mode| {
        let parrot = Shared::default();
        let mut client = mode.client(|| parrot.server(tools![in_turn])).without_sampling();
        let outcome = client.call("in_turn", ()).accept(Sure { sure: true }).accept(Sure { sure: false }).await;
        assert_eq!(outcome.text(), "one, two true, false");
        assert_eq!(
            outcome.asked().iter().map(|question| question.message()).collect::<Vec<_>>(),
            ["one?", "two true?"]
        );
        parrot.heard_once(mode, &["one", "two true"]);
    })
    .await;
}

/// Asks both at once.
#[mcp_tool(replayable, requires(sampling))]
async fn together(ctx: &Ctx<Asks>) -> Result<String> {
    let sample = async { ctx.sample("slow").await };
    let (sure, said) = tokio::try_join!(ctx.elicit::<Sure>("Sure?").strict(), sample)?;
    let after = ctx.sample("after").await?;
    Ok(format!("{} {} {}", sure.sure, said.text, after.text))
}

#[tokio::test]
async fn asks_the_user_and_a_model_concurrently() {
    in_every_mode(async |mode: &Mode| {
        let parrot = Shared::default();
        let mut client = mode.client(|| parrot.server(tools![together])).without_sampling();
        let outcome = client.call("together", ()).accept(Sure { sure: true }).await;
        assert_eq!(outcome.text(), "true slow after");
        parrot.heard_once(mode, &["slow", "after"]);
    })
    .await;
}

/// Takes what comes first.
#[mcp_tool(replayable, requires(sampling))]
async fn first(ctx: &Ctx<Asks>) -> Result<String> {
    let fastest = tokio::select! {
        sure = ctx.elicit::<Sure>("Sure?") => format!("{sure:?}"),
        said = ctx.sample("slow") => said?.text,
    };
    let sure = ctx.elicit::<Sure>(fastest.clone()).await?;
    Ok(format!("{fastest} {}", matches!(sure, Elicited::Accept(_))))
}

#[tokio::test]
async fn asking_the_user_does_not_wait_for_a_model() {
    // The first polled branch is random.
    for _ in 0..4 {
        in_every_mode(async |mode: &Mode| {
            let parrot = Shared::default();
            let mut client = mode.client(|| parrot.server(tools![first])).without_sampling();
            let outcome = client.call("first", ()).accept(Sure { sure: true }).await;
            assert_eq!(outcome.text(), "slow true", "{}", mode.name());
        })
        .await;
    }
}

/// Goes on without the model.
#[mcp_tool(replayable, requires(sampling))]
async fn without(ctx: &Ctx<Asks>) -> Result<String> {
    let error = ctx.sample("fail").await.unwrap_err();
    ctx.elicit::<Sure>(error.to_string()).strict().await?;
    Ok(error.to_string())
}

#[tokio::test]
async fn remembers_a_failed_request() {
    in_every_mode(async |mode: &Mode| {
        let parrot = Shared::default();
        let mut client = mode.client(|| parrot.server(tools![without])).without_sampling();
        let outcome = client.call("without", ()).accept(Sure { sure: true }).await;
        assert_eq!(outcome.text(), "the model cannot be asked: the model is asleep");
        parrot.heard_once(mode, &["fail"]);
    })
    .await;
}

/// Asks in a task of its own.
#[mcp_tool(requires(sampling))]
async fn spawned(ctx: &Ctx<Asks>) -> Result<String> {
    let task = tokio::spawn({
        let ctx = ctx.clone();
        async move { ctx.sample("slow").await }
    });
    tokio::task::yield_now().await;
    let sure = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{} {}", sure.sure, task.await??.text))
}

#[tokio::test]
async fn a_task_that_asks_a_model_does_not_block_the_call() {
    for client in [Client::modern, |service: &_| Client::legacy(service, mcp_runtime::Revision::V2025_11_25)] {
        let parrot = Shared::default();
        let service = parrot.server(tools![spawned]).build().unwrap();
        let outcome = client(&service).without_sampling().call("spawned", ()).accept(Sure { sure: true }).await;
        assert_eq!(outcome.text(), "true slow");
    }
}

/// Asks what is never answered.
#[mcp_tool(requires(sampling), timeout = "5s")]
async fn never(ctx: &Ctx, within: u64) -> Result<String> {
    Ok(ctx.sample("never").timeout(Duration::from_secs(within)).await?.text)
}

#[tokio::test(start_paused = true)]
async fn a_model_and_its_tool_have_separate_timeouts() {
    let parrot = Shared::default();
    let service = parrot.server(tools![never]).build().unwrap();
    for (within, told) in [(3, "no answer within 3s"), (9, "the tool `never` did not finish within 5s")] {
        let mut client = Client::modern(&service).without_sampling();
        let outcome = client.call("never", json!({ "within": within })).await;
        assert_eq!((outcome.is_error(), outcome.text()), (true, told.to_owned()));
    }
    assert_eq!(parrot.0.dropped.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn asks_the_client_first_by_default() {
    let parrot = Shared::default();
    for (order, answered) in [
        (SamplingOrder::ClientFirst, "client"),
        (SamplingOrder::ProviderFirst, "say"),
        (SamplingOrder::ProviderOnly, "say"),
    ] {
        let server = parrot.server(tools![say]).sampling_order(order);
        let service = server.build().unwrap();
        let mut client = Client::modern(&service);
        let call = client.call("say", ());
        let call = if answered == "client" { call.sampled("client") } else { call };
        assert_eq!(call.await.text(), answered);
    }
    let alone = Server::new("s", "1").sampling_order(SamplingOrder::ProviderOnly).build();
    assert!(alone.unwrap_err().to_string().contains("needs a provider"));
}

/// Asks a model.
#[mcp_tool(replayable, requires(sampling))]
async fn say(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample("say").await?.text)
}

#[tokio::test]
async fn asks_the_provider_if_the_client_never_answers() {
    for rebuilds in [false, true] {
        let parrot = Shared::default();
        let service = parrot.server(tools![say]).build().unwrap();
        let client = Client::modern(&service);
        let mut client = if rebuilds { client.rebuilding() } else { client };
        let silent = client.call("say", ()).silence().silence().silence();
        let outcome = silent.await;
        assert_eq!(outcome.text(), "say", "{rebuilds}");
        assert_eq!(parrot.heard(), ["say"]);
    }
}

/// Samples and does not say that it does.
#[mcp_tool]
async fn unannounced(ctx: &Ctx) -> Result<String> {
    match ctx.sample("say").await {
        Ok(reply) => Ok(reply.text),
        Err(error @ AskError::Capability(_)) => Err(error.into()),
        Err(error) => Ok(error.to_string()),
    }
}

#[tokio::test]
async fn reports_missing_sampling_as_the_era_does() {
    let service = Server::new("s", "1").tools(tools![unannounced]).build().unwrap();
    let modern = Client::modern(&service).without_sampling().call("unannounced", ()).await;
    assert_eq!(modern.error().map(|error| error.code), Some(-32021));
    let mut session = Client::legacy(&service, mcp_runtime::Revision::V2025_11_25).without_sampling();
    assert_eq!(session.call("unannounced", ()).await.text(), "the client does not support sampling");
}
