//! `crate = …` says where the runtime is, and nothing but that path is used.

/// A crate that re-exports the runtime under a name of its own.
mod facade {
    pub use mcp_runtime as mcp;
}

#[facade::mcp::elicits(crate = crate::facade::mcp)]
enum Booking {
    Confirm { confirmed: bool, seat: Seat },
    Details(Details),
}

#[derive(facade::mcp::Form)]
#[elicit(crate = crate::facade::mcp)]
struct Details {
    #[elicit(default = "Ann")]
    name: String,
}

#[derive(facade::mcp::Choice)]
#[choice(crate = crate::facade::mcp)]
enum Seat {
    Window,
    Aisle,
}

/// Books.
#[facade::mcp::mcp_tool(crate = crate::facade::mcp)]
async fn book(ctx: &facade::mcp::Ctx<Booking>) -> facade::mcp::Result<String> {
    let Confirm { confirmed, seat } = ctx.elicit("Sure?").strict().await?;
    let seat = matches!(seat, Seat::Window | Seat::Aisle);
    Ok(format!("{confirmed} {seat} {}", ctx.elicit::<Details>("Who?").strict().await?.name))
}

fn main() {
    let _ = facade::mcp::tools![book];
}
