//! Concurrent asks, and asks that end before their answer.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use mcp_runtime::{
    AskError, Elicited, Result, Revision, Server,
    prelude::*,
    testing::{Client, Outcome, Reply},
};

use serde_json::json;
use tokio::sync::{
    Notify,
    mpsc::{UnboundedSender, unbounded_channel},
    oneshot,
};

use crate::asking::{ASKING, Dinner, Pick, Sure, pick, service};

/// Asks two forms and the roots at once.
#[mcp_tool]
async fn join(ctx: &Ctx<Dinner>) -> Result<String> {
    let (pick, sure, roots) =
        tokio::join!(ctx.elicit::<Pick>("Which dish?").strict(), ctx.elicit::<Sure>("Sure?").strict(), ctx.roots(),);
    Ok(format!("{} {} {}", pick?.dish, sure?.sure, roots?.len()))
}

/// Is done with the first answer, and then asks once more.
#[mcp_tool]
async fn race(ctx: &Ctx<Dinner>) -> Result<String> {
    let first = tokio::select! {
        pick = ctx.elicit::<Pick>("Which dish?").strict() => pick?.dish,
        sure = ctx.elicit::<Sure>("Or whatever there is?").strict() => sure?.sure.to_string(),
    };
    let last = ctx.elicit::<Sure>("Is that all?").strict().await?.sure;
    Ok(format!("{first} {last}"))
}

/// Waits for two minutes at most.
#[mcp_tool]
async fn hurry(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(ctx.elicit::<Pick>("Which dish?").timeout(Duration::from_secs(120)).strict().await?.dish)
}

/// Has a time limit of its own, which says nothing of how long its user may take.
#[mcp_tool(timeout = "1s")]
async fn brief(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(ctx.elicit::<Pick>("Which dish?").strict().await?.dish)
}

/// Says how long it waited, whatever the answer.
#[mcp_tool]
async fn patient(ctx: &Ctx<Dinner>) -> Result<String> {
    Ok(match ctx.elicit::<Pick>("Which dish?").await {
        Ok(Elicited::Accept(pick)) => pick.dish,
        other => format!("{other:?}"),
    })
}

/// Asks in a task of its own.
#[mcp_tool]
async fn elsewhere(ctx: &Ctx<Dinner>) -> Result<String> {
    let asker = ctx.clone();
    let task = tokio::spawn(async move { asker.elicit::<Pick>("Which dish?").strict().await });
    Ok(task.await??.dish)
}

/// The channels of a task that outlives its call. The task waits for one, and reports the outcome of its question to
/// the other.
struct Left {
    go: Notify,
    told: UnboundedSender<Result<Elicited<Pick>, AskError>>,
}

/// Leaves a task behind that has asked, or will ask when the call is over.
#[mcp_tool]
async fn leave(ctx: &Ctx<Dinner>, left: &Arc<Left>, later: bool) {
    let (ctx, left) = (ctx.clone(), Arc::clone(left));
    let (start, started) = oneshot::channel();
    tokio::spawn(async move {
        let mut ask = pin!(ctx.elicit::<Pick>("Which dish?"));
        if !later {
            poll_fn(|cx| Poll::Ready(ask.as_mut().poll(cx).is_ready())).await;
        }
        start.send(()).unwrap();
        left.go.notified().await;
        left.told.send(ask.await).unwrap();
    });
    started.await.unwrap();
}

fn client(revision: Revision) -> Client {
    Client::new(&service(tools![join, race, hurry, brief, patient, elsewhere]), revision)
}

fn keys(outcome: &Outcome) -> Vec<&str> {
    outcome.asked().iter().map(|question| question.key()).collect()
}

fn after(seconds: u64, reply: Reply) -> Reply {
    reply.after(Duration::from_secs(seconds))
}

/// Returns the ids of the requests that the server withdrew.
fn withdrawn(outcome: &Outcome) -> Vec<String> {
    let received = outcome.transcript().received();
    let cancelled = received.iter().filter(|message| message["method"] == "notifications/cancelled");
    cancelled.map(|message| message["params"]["requestId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn sends_concurrent_questions_in_one_message() {
    for revision in ASKING {
        let mut client = client(revision);
        let call = client.call("join", ()).accept(pick("soup")).accept(Sure { sure: true }).roots(["file:///a"]);
        let outcome = call.await;
        assert_eq!(outcome.text(), "soup true 1");
        assert_eq!(keys(&outcome), ["pick", "sure", "roots"]);
        assert_eq!(outcome.rounds(), if revision.is_modern() { 2 } else { 1 });
    }
}

#[tokio::test(start_paused = true)]
async fn accepts_answers_to_concurrent_questions_in_any_order() {
    let outcome = client(Revision::V2025_11_25)
        .call("join", ())
        .reply(after(30, Reply::accept(pick("soup"))))
        .reply(after(20, Reply::accept(Sure { sure: true })))
        .reply(after(10, Reply::roots(["file:///a"])))
        .await;
    assert_eq!(outcome.text(), "soup true 1");
}

#[tokio::test(start_paused = true)]
async fn withdraws_the_ask_that_lost_a_race() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let outcome = client(revision)
            .call("race", ())
            .reply_to("pick", after(30, Reply::accept(pick("soup"))))
            .reply_to("sure", after(20, Reply::accept(Sure { sure: true })))
            .reply_to("sure#2", after(20, Reply::accept(Sure { sure: false })))
            .await;
        assert_eq!(outcome.text(), "true false");
        // `select!` asks in random order.
        let received = outcome.transcript().received();
        let lost = received.iter().find(|message| message["params"]["message"] == "Which dish?").unwrap();
        assert_eq!(withdrawn(&outcome), [lost["id"].as_str().unwrap()]);
    }
}

#[tokio::test]
async fn a_modern_client_does_not_see_the_ask_that_lost_a_race_again() {
    let outcome = client(Revision::V2026_07_28)
        .call("race", ())
        .reply_to("pick", Reply::accept(pick("soup")))
        .reply_to("sure", Reply::accept(Sure { sure: true }))
        .reply_to("sure#2", Reply::accept(Sure { sure: false }))
        .await;
    assert!(["soup false", "true false"].contains(&&*outcome.text()), "{}", outcome.text());
    assert_eq!((keys(&outcome).last(), outcome.rounds()), (Some(&"sure#2"), 3));
}

#[tokio::test(start_paused = true)]
async fn an_ask_has_a_timeout() {
    for revision in ASKING {
        let mut client = client(revision);
        let in_time = client.call("hurry", ()).reply(after(119, Reply::accept(pick("soup")))).await;
        assert_eq!(in_time.text(), "soup");
        let late = client.call("hurry", ()).reply(after(121, Reply::accept(pick("soup")))).await;
        assert_eq!((late.text().as_str(), late.is_error()), ("no answer within 120s", true));
        assert_eq!(withdrawn(&late).len(), usize::from(!revision.is_modern()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_does_not_extend_the_timeout() {
    for revision in ASKING {
        let mut client = client(revision);
        let unfit = || Reply::accept(pick("x"));
        let late = client.call("hurry", ()).reply(after(70, unfit())).reply(after(70, unfit())).await;
        assert_eq!(late.text(), "no answer within 120s");
        let mended = client.call("hurry", ()).reply(after(50, unfit()));
        assert_eq!(mended.reply(after(50, Reply::accept(pick("soup")))).await.text(), "soup");
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_user_does_not_count_as_running() {
    for revision in ASKING {
        let reply = after(600, Reply::accept(pick("soup")));
        assert_eq!(client(revision).call("brief", ()).reply(reply).await.text(), "soup");
    }
}

#[tokio::test(start_paused = true)]
async fn an_ask_in_a_session_expires_after_one_hour() {
    let mut client = client(Revision::V2025_11_25);
    let late = client.call("patient", ()).reply(after(3601, Reply::accept(pick("soup")))).await;
    assert_eq!(late.text(), "Err(Timeout(3600s))");
}

#[tokio::test]
async fn a_spawned_task_can_ask() {
    for revision in ASKING {
        let outcome = client(revision).call("elsewhere", ()).accept(pick("soup")).await;
        assert_eq!((outcome.text().as_str(), keys(&outcome)), ("soup", vec!["pick"]));
    }
}

#[tokio::test]
async fn no_ask_outlives_its_call() {
    for revision in ASKING {
        let (told, mut hear) = unbounded_channel();
        let left = Arc::new(Left { go: Notify::new(), told });
        let service = Server::new("test", "1").state(Arc::clone(&left)).tools(tools![leave]).build().unwrap();
        for later in [false, true] {
            let mut client = Client::new(&service, revision);
            let outcome = client.call("leave", json!({ "later": later })).await;
            assert!(!outcome.is_error() && outcome.asked().is_empty());
            left.go.notify_one();
            let told = tokio::time::timeout(Duration::from_secs(5), hear.recv()).await.unwrap().unwrap();
            assert_eq!(told, Err(AskError::Disconnected), "{revision} {later}");
        }
    }
}
