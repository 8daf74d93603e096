//! The type of a field is judged by what it is, not by its name.

use mcp_runtime::prelude::*;

#[derive(Choice, Debug)]
enum Vec {
    Left,
    Right,
}

#[derive(Choice, Debug)]
enum HashMap {
    Street,
    Topo,
}

#[derive(Choice, Debug)]
enum MultiSelect {
    Yes,
    No,
}

type Set = std::string::String;
type Count = u16;
type Maybe<T> = Option<T>;

#[elicits]
#[derive(Debug)]
enum Direction {
    Turn {
        #[elicit(default = "left")]
        turn: Vec,
        map: HashMap,
        several: MultiSelect,
        #[elicit(max_length = 9)]
        set: Set,
        #[elicit(max = 65_535)]
        count: Count,
        #[elicit(default = 3)]
        maybe: Maybe<Count>,
    },
}

fn main() {
    let turn = Turn {
        turn: Vec::Right,
        map: HashMap::Topo,
        several: MultiSelect::No,
        set: Set::new(),
        count: 3,
        maybe: None,
    };
    let Direction::Turn(Turn { turn: Vec::Right, maybe: None, .. }) = turn.into() else { panic!() };
    let _ = (Vec::Left, HashMap::Street, MultiSelect::Yes);
}
