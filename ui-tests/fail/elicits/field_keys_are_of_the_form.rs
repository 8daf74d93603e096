use mcp_runtime::prelude::*;

#[elicits]
enum Booking {
    Pick { flight: String },
    Name { name: String },
}

fn pick(ctx: &Ctx<Booking>) {
    drop(ctx.elicit::<Pick>("Which one?").choices(Name::NAME, ["TP1", "TP2"]));
}

fn main() {}
