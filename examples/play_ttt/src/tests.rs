//! Games with every outcome, with the client's model and with a model of the server, in every mode.

use mcp_runtime::{
    Revision, Service, in_every_mode,
    sample::{ProviderError, Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest},
    testing::{Client, Fault, Outcome as Called, Question, Reply, ScriptedCall},
};
use serde_json::{Value, json};

use crate::{
    end::{Outcome, Report},
    server,
    user::TakeCell,
};

/// A model that takes the first free cell of this list.
#[derive(Clone, Copy)]
struct Prefers([u8; 9]);

const IN_ORDER: Prefers = Prefers([1, 2, 3, 4, 5, 6, 7, 8, 9]);

impl Prefers {
    /// Returns the cell that it takes, or `None` if it is asked for a plan.
    fn cell(self, text: &str) -> Option<u8> {
        let free = text.lines().find_map(|line| line.strip_prefix("Free cells: ")).unwrap();
        let cell = self.0.into_iter().find(|cell| free.contains(&cell.to_string()));
        cell.filter(|_| !text.contains("How do you play"))
    }
}

/// The script as the client's model.
fn said(model: Prefers, question: &Question) -> Reply {
    match model.cell(question.texts().next().unwrap()) {
        Some(cell) => Reply::sampled_value(json!({ "cell": cell })),
        None => Reply::sampled_tool("attack", json!({ "line": "any" })),
    }
}

/// The script as a model of the server, which can only write text.
impl SamplingProvider for Prefers {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        let answer = match self.cell(&request.messages[0].text()) {
            Some(cell) => json!({ "cell": cell }),
            None => json!({ "tool": "attack", "input": { "line": "any" } }),
        };
        let reply = Sampled::new(vec![SamplingContent::Text(answer.to_string())], "prefers");
        Box::pin(async { Ok(reply) })
    }
}

/// A game to play: the user's mark, the moves of both players, and the expected outcome.
struct Expected {
    user_plays: &'static str,
    model: Prefers,
    user: &'static [u8],
    outcome: Outcome,
    cells: &'static [u8],
}

const GAMES: [Expected; 4] = [
    Expected { user_plays: "O", model: IN_ORDER, user: &[4, 5], outcome: Outcome::ModelWon, cells: &[1, 4, 2, 5, 3] },
    Expected {
        user_plays: "O",
        model: IN_ORDER,
        user: &[5, 3, 7],
        outcome: Outcome::UserWon,
        cells: &[1, 5, 2, 3, 4, 7],
    },
    Expected { user_plays: "X", model: IN_ORDER, user: &[7, 8, 9], outcome: Outcome::UserWon, cells: &[7, 1, 8, 2, 9] },
    Expected {
        user_plays: "O",
        model: Prefers([1, 2, 7, 6, 9, 3, 4, 5, 8]),
        user: &[5, 3, 4, 8],
        outcome: Outcome::Draw,
        cells: &[1, 5, 2, 3, 7, 4, 6, 8, 9],
    },
];

impl Expected {
    fn begin<'a>(&self, client: &'a mut Client) -> ScriptedCall<'a> {
        client.call("play_ttt", user_plays(self.user_plays))
    }

    fn check(&self, called: &Called) -> Report {
        let report = report(called);
        let cells: Vec<_> = report.moves.iter().map(|turn| u8::from(turn.cell)).collect();
        assert_eq!((report.outcome, &cells[..]), (self.outcome, self.cells));
        report
    }
}

fn user_plays(mark: &str) -> Value {
    json!({ "user_plays": mark })
}

fn take(cell: u8) -> TakeCell {
    TakeCell { cell: cell.to_string() }
}

fn takes<'a>(call: ScriptedCall<'a>, cells: &[u8]) -> ScriptedCall<'a> {
    cells.iter().fold(call, |call, cell| call.accept(take(*cell)))
}

/// Plays the game.
fn play<'a>(call: ScriptedCall<'a>, model: Prefers, user: &'static [u8]) -> ScriptedCall<'a> {
    let mut user = user.iter();
    call.otherwise(move |question| match question.method() {
        "sampling/createMessage" => said(model, question),
        _ => user.next().map_or_else(Reply::cancel, |cell| Reply::accept(take(*cell))),
    })
}

fn client_only() -> Service {
    server().build().unwrap()
}

/// Returns the report, and checks that its text agrees with it.
fn report(called: &Called) -> Report {
    let report: Report = called.structured();
    let words = match report.outcome {
        Outcome::ModelWon => "\nThe model won.\n",
        Outcome::UserWon => "\nThe user won.\n",
        Outcome::Draw => "\nIt is a draw.\n",
        Outcome::Resigned => "\nThe user gave up: ",
        Outcome::Closed => "\nThe user closed the board. ",
        Outcome::Forfeited => "\nThe model gave no legal move: the user won.\nThe reason: ",
        Outcome::Adjourned => "\nThe game is adjourned: a player can no longer be asked.\nThe reason: ",
    };
    assert!(called.text().contains(words), "{}", called.text());
    assert_eq!(report.why.is_some(), words.ends_with("The reason: "));
    report
}

fn plans(report: &Report) -> usize {
    report.moves.iter().filter(|turn| turn.plan.as_deref() == Some("attack: any")).count()
}

#[tokio::test]
async fn a_server_model_plays_to_every_outcome_in_every_mode() {
    in_every_mode!(|mode| {
        for game in &GAMES {
            let mut client = mode.client(|| server().sampling_provider(game.model));
            let report = game.check(&takes(game.begin(&mut client), game.user).await);
            // There is no plan for the first mark and for the last free cell.
            let marks = report.moves.iter().filter(|turn| turn.mark.to_string() != game.user_plays).count();
            assert_eq!(plans(&report), (marks - 1).min(3));
        }
        let mut client = mode.client(|| server().sampling_provider(IN_ORDER));
        let resigned = takes(client.call("play_ttt", user_plays("O")), &[9]).decline().await;
        assert_eq!(report(&resigned).outcome, Outcome::Resigned);
        let closed = takes(client.call("play_ttt", user_plays("X")), &[9]).cancel().await;
        assert_eq!(report(&closed).outcome, Outcome::Closed);
    });
}

#[tokio::test]
async fn the_clients_model_plays_to_every_outcome_in_sessions() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        for game in &GAMES {
            let mut client = Client::legacy(&client_only(), revision);
            let report = game.check(&play(game.begin(&mut client), game.model, game.user).await);
            assert!(plans(&report) > 0);
        }
    }
}

/// A game to a full board takes eight rounds without plans, and more with plans.
#[tokio::test]
async fn the_clients_model_plays_to_every_outcome_in_rounds() {
    for trouble in Fault::ALL.into_iter().map(Some).chain([None]) {
        for game in &GAMES {
            let service = client_only();
            let mut client = Client::modern(&service);
            if let Some(trouble) = trouble {
                client = client.fault(trouble);
            }
            let called = play(game.begin(&mut client), game.model, game.user).await;
            assert_eq!(plans(&game.check(&called)), 0);
            assert_eq!(called.asked().len(), game.cells.len().min(8), "{trouble:?}");
        }
    }
}

/// There is no plan for the first mark, so that the questions are the same in every mode.
#[tokio::test]
async fn the_clients_model_or_the_user_ends_a_game_early_in_every_mode() {
    let cell = |cell: u8| json!({ "cell": cell });
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let resigned = client.call("play_ttt", user_plays("O")).sampled_value(cell(5)).decline().await;
        assert_eq!(report(&resigned).outcome, Outcome::Resigned);
        let closed = client.call("play_ttt", user_plays("X")).accept(take(5)).sampled_value(cell(1)).cancel().await;
        assert_eq!(report(&closed).outcome, Outcome::Closed);

        let call = client.call("play_ttt", user_plays("X")).accept(take(5));
        let forfeited = call.sampled("the centre").sampled("```json\n{\"cell\": 0}\n```").sampled("{\"cell\":").await;
        let told = report(&forfeited);
        assert_eq!(told.outcome, Outcome::Forfeited);
        assert!(told.why.unwrap().starts_with("`sample_schema` got no valid reply (attempts: 3)"));

        let call = client.call("play_ttt", user_plays("X")).accept(take(5));
        let forfeited = call.sampled_value(cell(5)).sampled_value(cell(5)).sampled_value(cell(5)).await;
        assert_eq!(report(&forfeited).outcome, Outcome::Forfeited);
    });
}

#[tokio::test]
async fn a_model_that_takes_a_taken_cell_is_asked_again_with_the_free_cells() {
    let mut client = Client::modern(&client_only());
    let call = client.call("play_ttt", user_plays("X")).accept(take(5));
    let corrected = call.sampled_value(json!({ "cell": 5 })).sampled("I take {\"cell\": 9}!").decline().await;
    let report = report(&corrected);
    assert_eq!(report.moves[1].cell.to_string(), "9");
    let texts: Vec<_> = corrected.asked()[2].texts().collect();
    assert_eq!(texts[1], "{\"cell\":5}");
    let told = "5 is taken. Take one of the free cells: 1, 2, 3, 4, 6, 7, 8, 9";
    assert!(texts[2].starts_with(told), "{texts:?}");
}

/// A correction takes a round that the last move then lacks.
#[tokio::test]
async fn a_game_that_runs_out_of_rounds_is_adjourned() {
    let mut client = Client::modern(&client_only());
    let draw = &GAMES[3];
    let call = draw.begin(&mut client).sampled("Where was I?");
    let adjourned = report(&play(call, draw.model, draw.user).await);
    assert_eq!((adjourned.outcome, adjourned.moves.len()), (Outcome::Adjourned, 7));
}

#[tokio::test]
async fn a_game_is_adjourned_if_a_player_cannot_be_asked() {
    let mut client = Client::legacy(&client_only(), Revision::V2025_11_25);
    let refused = client.call("play_ttt", user_plays("O")).refuse(-1, "User rejected sampling request").await;
    let told = report(&refused);
    assert_eq!(told.outcome, Outcome::Adjourned);
    assert_eq!(told.why.unwrap(), "the client refused: User rejected sampling request (code -1)");

    let call = client.call("play_ttt", user_plays("X")).refuse(-32603, "the window is gone").await;
    assert_eq!(report(&call).outcome, Outcome::Adjourned);

    let mut client = Client::modern(&client_only());
    let silent = client.call("play_ttt", user_plays("O")).silence().silence().silence().await;
    let told = report(&silent);
    assert_eq!(
        (told.outcome, &*told.why.unwrap()),
        (Outcome::Adjourned, "the client was asked three times and sent no answer")
    );

    let service = server().sampling_provider(Broken).build().unwrap();
    let told = report(&Client::modern(&service).call("play_ttt", user_plays("O")).await);
    assert_eq!(told.why.unwrap(), "the model cannot be asked: it gave no reply");
}

struct Broken;

impl SamplingProvider for Broken {
    fn sample<'a>(&'a self, _: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async { Err(ProviderError::new("it is out of order")) })
    }
}

#[tokio::test]
async fn a_missing_mark_is_drawn_at_random() {
    let service = server().sampling_provider(IN_ORDER).build().unwrap();
    let mut begun = [false; 2];
    for _ in 0..64 {
        let called = Client::modern(&service).call("play_ttt", ()).decline().await;
        begun[report(&called).x as usize] = true;
    }
    assert_eq!(begun, [true; 2]);
}

#[tokio::test]
async fn it_asks_the_same_when_it_is_run_again() {
    let service = server().sampling_provider(IN_ORDER).build().unwrap();
    let mut client = Client::modern(&service);
    takes(client.call("play_ttt", user_plays("O")), &[5, 3]).decline().assert_replay_safe().await;
}
