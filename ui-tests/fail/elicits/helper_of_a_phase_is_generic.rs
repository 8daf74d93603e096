use mcp_runtime::prelude::*;

fn note(ctx: &Ctx) {
    ctx.log(Level::Info, "noted");
}

struct Book;

/// Books a flight.
#[handoff]
impl Book {
    async fn before(ctx: &PhaseCtx) -> u32 {
        note(ctx);
        1
    }

    async fn client(ctx: &Ctx, before: &u32) -> u32 {
        note(ctx);
        *before
    }

    async fn after(before: u32, client: u32) -> Text<u32> {
        Text(before + client)
    }
}

fn main() {}
