//! Tools that ask a model concurrently with other questions, and handoffs that ask a model.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_runtime::{
    Revision,
    testing::{Client, Mode, Reply, in_every_mode},
};
use serde_json::json;

use super::{model::Say, *};

/// Asks two models, the user and the client at once.
#[mcp_tool(replayable)]
async fn join(ctx: &Ctx<Ending>) -> Result<String> {
    let (one, two, cell, done, roots) = tokio::join!(
        async { ctx.sample("One?").await },
        async { ctx.sample("Two?").key("second").await },
        async { ctx.sample_schema::<Move>("Cell?").await },
        ctx.elicit::<Done>("Done?").strict(),
        ctx.roots(),
    );
    Ok(format!("{} {} {} {} {}", one?.text, two?.text, cell?.parsed.cell, done?.done, roots?.len()))
}

/// Takes whoever is first, and goes on.
#[mcp_tool(replayable)]
async fn race(ctx: &Ctx<Ending>) -> Result<String> {
    let first = tokio::select! {
        reply = ctx.sample("Done?").into_future() => reply?.text,
        done = ctx.elicit::<Done>("Done?").strict() => done?.done.to_string(),
    };
    Ok(format!("{first} {}", ctx.sample("And then?").await?.text))
}

#[tokio::test]
async fn asks_all_concurrently_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("games", "1").tools(tools![join, race]));
        let joined = client
            .call("join", ())
            .reply_to("sample", Reply::sampled("1"))
            .reply_to("second", Reply::sampled("2"))
            .reply_to("sample#2", Reply::sampled_value(json!({ "cell": 0 })))
            .reply_to("sample#2/2", Reply::sampled_value(json!({ "cell": 3 })))
            .reply_to("done", Reply::accept(Done { done: true }))
            .reply_to("roots", Reply::roots(["file:///a"]))
            .await;
        assert_eq!(joined.text(), "1 2 3 true 1");
        if mode.revision().is_modern() {
            assert_eq!(joined.rounds(), 3);
        }
        sampled(&joined, mode.revision());
    });
}

#[tokio::test(start_paused = true)]
async fn cancels_the_asks_that_lost() {
    let service = service(tools![join, race], None);
    let mut client = Client::legacy(&service, Revision::V2025_11_25);
    let late = Reply::sampled("late").after(Duration::from_secs(5));
    let raced = client
        .call("race", ())
        .reply_to("sample", late)
        .reply_to("done", Reply::accept(Done { done: true }))
        .reply_to("sample#2", Reply::sampled("next").after(Duration::from_secs(9)))
        .await;
    assert_eq!(raced.text(), "true next");
    for rebuilding in [false, true] {
        let client = Client::modern(&service);
        let mut client = if rebuilding { client.rebuilding() } else { client };
        let raced = client
            .call("race", ())
            .reply_to("sample", Reply::silence())
            .reply_to("done", Reply::accept(Done { done: true }))
            .reply_to("sample#2", Reply::sampled("next"))
            .await;
        assert_eq!(raced.text(), "true next");
    }
}

/// The moves that were played.
#[derive(Clone, Default)]
struct Played(Arc<Mutex<Vec<String>>>);

struct Play;

/// Plays one move.
#[handoff]
impl Play {
    async fn before(&self, board: String) -> Vec<String> {
        vec![board, "drawn".to_owned()]
    }

    async fn client(ctx: &Ctx<Ending>, board: &Vec<String>) -> Result<(u8, bool)> {
        let strategy = ctx.sample_tools::<Strategy>(format!("Your strategy for {}?", board.join(" "))).await?;
        let text = format!("{:?}: your move.", strategy.into_first());
        let cell = ctx.sample_schema::<Move>(text).await?.parsed.cell;
        Ok((cell, ctx.elicit::<Done>(format!("I take {cell}.")).strict().await?.done))
    }

    async fn after(&self, played: &Played, board: Vec<String>, (cell, done): (u8, bool)) -> String {
        let said = format!("{} {cell} {done}", board[0]);
        played.0.lock().unwrap().push(said.clone());
        said
    }
}

async fn plays(mode: &Mode, provided: bool) {
    let says = [
        Say::Text("Hm."),
        Say::Call("wait", json!({})),
        Say::Value(json!({ "cell": 11 })),
        Say::Value(json!({ "cell": 2 })),
    ];
    let played = Played::default();
    let model = Model::new(Default::default(), says.clone());
    let server = || {
        let server = Server::new("games", "1").state(played.clone()).tool(Play);
        if provided { server.sampling_provider(model.clone()) } else { server }
    };
    let client = mode.client(server);
    let mut client = if provided { client.without_sampling() } else { client };
    let call = client.call("play", json!({ "board": "X" }));
    let call = if provided { call } else { says.iter().fold(call, |call, say| call.reply(say.reply())) };
    let outcome = call.accept(Done { done: true }).await;
    assert_eq!(outcome.text(), "X 2 true");
    assert_eq!(*played.0.lock().unwrap(), ["X 2 true"]);
    if provided {
        mode.same("asked", model.asked().len());
        assert_eq!(model.asked().len(), 4);
    }
    sampled(&outcome, mode.revision());
}

#[tokio::test]
async fn a_handoff_can_sample_in_every_mode() {
    in_every_mode(async |mode: &Mode| plays(mode, false).await).await;
    in_every_mode(async |mode: &Mode| plays(mode, true).await).await;
}

/// A long reply is carried by the client or kept in the ledger.
#[tokio::test]
async fn keeps_a_long_reply_in_every_mode() {
    /// Asks for much.
    #[mcp_tool(replayable)]
    async fn much(ctx: &Ctx<Ending>) -> Result<Text<usize>> {
        let reply = ctx.sample("Write.").await?;
        ctx.elicit::<Done>("Done?").strict().await?;
        Ok(Text(reply.text.len()))
    }
    for kilobytes in [1, 30, 100] {
        in_every_mode!(|mode| {
            let mut client = mode.client(|| Server::new("games", "1").tools(tools![much]));
            let long = "word ".repeat(kilobytes * 1024 / 5);
            let outcome = client.call("much", ()).sampled(long.clone()).accept(Done { done: true }).await;
            assert_eq!(outcome.text(), long.len().to_string());
        });
    }
}
