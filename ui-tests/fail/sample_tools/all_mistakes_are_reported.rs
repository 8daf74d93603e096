use mcp_runtime::prelude::*;

struct Cell(u8);

#[derive(SampleTools)]
enum Strategy {
    Attack {
        cell: Cell,
    },
    /// Defend.
    #[tool(nam = "defend")]
    Defend {
        line: &'static str,
        ctx: Ctx,
    },
    /// Wait.
    Wait(u8, u8),
    /// Wait too.
    #[tool(name = "wait")]
    WaitToo {
        #[serde(defualt)]
        turns: u8,
    },
}

fn ask<E: SampleTools>() {}

fn main() {
    ask::<Strategy>();
}
