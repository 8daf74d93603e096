//! A function with `#[mcp_tool]` is a plugin if its name has braces. The type of its context decides which handler the
//! plugin needs, under whatever name.

use std::sync::Mutex;

use mcp_runtime::{Elicited, Result, elicit::ElicitRequest, plugin::Plugin, prelude::*};

#[elicits]
pub enum Booking {
    Confirm { confirmed: bool },
}

type Asking = Ctx<Booking>;
type Context<S> = mcp_runtime::Ctx<S>;

macro_rules! context {
    ($set:ty) => { Context<$set> };
}

/// Books a flight.
#[mcp_tool]
async fn book(ctx: &Asking) -> Result<()> {
    ctx.elicit::<Confirm>("Book it?").strict().await?;
    Ok(())
}

/// Books a flight.
#[mcp_tool]
async fn book_after_state(_seats: &Mutex<u32>, _names: &Vec<String>, ctx: &Context<Booking>) -> Result<()> {
    book(ctx).await
}

/// Books a flight.
#[mcp_tool(register = BookFlight)]
async fn book_through_a_macro(ctx: &context!(Booking), _again: &Ctx) -> Result<()> {
    book(ctx).await
}

/// Books a flight.
#[mcp_tool]
async fn book_silently(_seats: &Mutex<u32>, _ctx: &Ctx) {}

pub struct Book;

/// Books a flight.
#[handoff]
impl Book {
    async fn before(&self) -> u32 {
        1
    }

    async fn client(_: &u32, ctx: &Asking) -> Result<()> {
        book(ctx).await
    }

    async fn after(&self, _: u32, _: ()) {}
}

mod own {
    //! State with the name of the context.

    use mcp_runtime::{Result, prelude::mcp_tool};

    pub struct Ctx<S>(pub S);

    /// Books a flight.
    #[mcp_tool]
    pub async fn book_with(_state: &Ctx<u8>, ctx: &super::Asking) -> Result<()> {
        super::book(ctx).await
    }
}

struct Ui;

impl BookingHandler for Ui {
    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Accept(Confirm { confirmed: true })
    }
}

async fn all_start() {
    let server = || Server::new("s", "1.0.0").state(Mutex::new(0_u32)).state(Vec::<String>::new()).state(own::Ctx(1_u8));
    let _ = Plugin::new(book {}).on_elicit(Ui).start(server()).await;
    let _ = Plugin::new(book_after_state {}).on_elicit(Ui).start(server()).await;
    let _ = Plugin::new(BookFlight {}).on_elicit(Ui).start(server()).await;
    let _ = Plugin::new(own::book_with {}).on_elicit(Ui).start(server()).await;
    let _ = Plugin::new(Book).on_elicit(Ui).start(server()).await;
    let _ = Plugin::new(book_silently {}).start(server()).await;
}

fn main() {
    drop(all_start());
    let server = Server::new("s", "1.0.0").tool(book {}).tool(BookFlight {});
    assert_eq!(server.build().unwrap().tools().names(), ["book", "book_through_a_macro"]);
}
