use mcp_runtime::prelude::*;

struct Cell(u8);

struct Reason;

#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { cell: Cell, reasons: Vec<Reason> },
    /// Defend.
    Defend { cell: u8 },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
