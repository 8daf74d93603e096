//! Many games of `play_ttt` in a row: each ends, and in a way that has a name.

mod adversary;
mod against;
mod chance;
mod real;

use mcp_runtime::testing::{Outcome as Called, Question, Reply};
use serde::Deserialize;
use serde_json::{Value, json};

use self::chance::Chance;

/// What the tool tells, as one reads it who knows its output schema.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    outcome: Outcome,
    why: Option<String>,
    x: Player,
    board: [[Option<char>; 3]; 3],
    moves: Vec<Turn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    ModelWon,
    UserWon,
    Draw,
    Resigned,
    Closed,
    Forfeited,
    Adjourned,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Player {
    Model,
    User,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    mark: char,
    cell: usize,
    #[serde(rename = "plan")]
    _plan: Option<String>,
}

/// The report of a call that has ended, if it tells a game as one can be played.
fn judged(called: &Called) -> Report {
    assert!(!called.is_error(), "{}", called.text());
    let report: Report = called.structured();
    let mut board = [[None; 3]; 3];
    for (index, Turn { mark, cell, .. }) in report.moves.iter().enumerate() {
        assert_eq!(*mark, if index % 2 == 0 { 'X' } else { 'O' }, "{report:?}");
        assert!(winner(&board).is_none(), "it went on when it was won: {report:?}");
        let content: &mut Option<char> = &mut board[(cell - 1) / 3][(cell - 1) % 3];
        assert!(content.replace(*mark).is_none(), "a cell was taken twice: {report:?}");
    }
    assert_eq!(board, report.board);
    let by_model = |mark| (mark == 'X') == (report.x == Player::Model);
    let on_the_board = match (winner(&board), report.moves.len()) {
        (Some(mark), _) => Some(if by_model(mark) { Outcome::ModelWon } else { Outcome::UserWon }),
        (None, 9) => Some(Outcome::Draw),
        (None, _) => None,
    };
    let ended = [Outcome::ModelWon, Outcome::UserWon, Outcome::Draw].contains(&report.outcome);
    assert_eq!(on_the_board, Some(report.outcome).filter(|_| ended), "{report:?}");
    assert_eq!(report.why.is_some(), [Outcome::Forfeited, Outcome::Adjourned].contains(&report.outcome));
    report
}

fn winner(board: &[[Option<char>; 3]; 3]) -> Option<char> {
    let columns = [0, 1, 2].map(|column| board.map(|row| row[column]));
    let diagonals = [[0, 1, 2].map(|step| board[step][step]), [0, 1, 2].map(|step| board[step][2 - step])];
    let won = |line: &[Option<char>; 3]| line[0].filter(|_| line[0] == line[1] && line[1] == line[2]);
    board.iter().chain(&columns).chain(&diagonals).find_map(won)
}

/// The cell a user takes: one of those in the form.
fn any_cell(chance: &mut Chance, form: &Question) -> Reply {
    let field = &form.schema().expect("a form")["properties"]["cell"];
    let names = field.get("enum").or(field.get("oneOf")).and_then(Value::as_array).expect("choices");
    let cell = chance.pick(names);
    let cell = cell.get("const").unwrap_or(cell);
    Reply::answer(json!({ "action": "accept", "content": { "cell": cell } }))
}
