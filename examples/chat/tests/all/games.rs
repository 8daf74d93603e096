//! A game of tic-tac-toe over MCP, and as a plugin whose questions a handler or the timeline answers.

use chat::{Chat, Scripted};
use mcp_runtime::{
    Elicited, Server,
    elicit::ElicitRequest,
    plugin::{Plugin, PluginCall, PluginHost, TimelineEventKind},
    testing::Client,
};
use play_ttt::{MovesHandler, PlayTtt, TakeCell};
use serde_json::{Value, json};

use crate::support::Folder;

/// The user's cells. The script answers with the centre, and then with corners.
const CELLS: [&str; 4] = ["1", "7", "6", "2"];

/// The messages above the forms, and the result.
type Game = (Vec<String>, String);

#[tokio::test]
async fn a_game_is_the_same_over_mcp_and_as_a_plugin() {
    let folder = Folder::new();
    let chat = folder.start().await;
    let expected = over_mcp(&chat).await;
    assert!(expected.0.len() >= 3 && expected.1.contains("won") || expected.1.contains("draw"), "{expected:?}");
    assert_eq!(on_the_timeline(&chat).await, expected);
    assert_eq!(with_a_handler().await, expected);
}

async fn over_mcp(chat: &Chat) -> Game {
    let mut client = Client::modern(chat.host().server());
    let mut call = client.call("play_ttt", arguments());
    for cell in CELLS {
        call = call.accept(TakeCell { cell: cell.into() });
    }
    let played = call.await;
    (played.asked().iter().map(|asked| asked.message().to_owned()).collect(), played.text())
}

async fn on_the_timeline(chat: &Chat) -> Game {
    let mut call = chat.host().call_as("ann", "play_ttt", arguments()).await.unwrap();
    let mut cells = CELLS.iter();
    let mut asked = Vec::new();
    while let Some(event) = call.next_event().await {
        if let TimelineEventKind::Elicit { question, .. } = event.kind {
            asked.push(question.message);
            let cell = (*cells.next().unwrap()).into();
            call.answer(question.seq, Elicited::Accept(TakeCell { cell })).await.unwrap();
        }
    }
    (asked, call.outcome().await.text())
}

/// Answers with the cells in order.
struct Player;

impl MovesHandler for Player {
    async fn take_cell(&self, request: ElicitRequest<'_, TakeCell>) -> Elicited<TakeCell> {
        Elicited::Accept(TakeCell { cell: CELLS[request.seq() as usize - 1].into() })
    }
}

async fn with_a_handler() -> Game {
    let server = Server::new("game", "1.0.0").sampling_provider(Scripted);
    let host = PluginHost::builder(server).plugin(Plugin::new(PlayTtt).on_elicit(Player)).start().await.unwrap();
    let call: PluginCall = host.call("play_ttt", arguments()).await.unwrap();
    let outcome = call.outcome().await;
    let mut asked = Vec::new();
    let mut call = call;
    while let Some(event) = call.next_event().await {
        if let TimelineEventKind::Elicit { question, .. } = event.kind {
            asked.push(question.message);
        }
    }
    (asked, outcome.text())
}

fn arguments() -> Value {
    json!({ "user_plays": "X" })
}
