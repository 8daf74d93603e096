use mcp_runtime::prelude::*;

#[elicits]
enum Booking<T> {
    Pick { flight: T },
}

fn pick(ctx: &Ctx<Booking<String>>) {
    drop(ctx.elicit::<Pick>("Pick one:"));
}

fn main() {}
