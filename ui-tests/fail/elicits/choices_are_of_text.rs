use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick { flight: u32 },
}

fn pick(ctx: &Ctx<Booking>) {
    drop(ctx.elicit::<Pick>("Which one?").choices(Pick::FLIGHT, ["TP1", "TP2"]));
}

fn main() {}
