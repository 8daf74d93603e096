//! The type decides what is the context, not its name.

use mcp_runtime::{Ctx, contract, contract::Contract};

type Context = Ctx;

pub struct Lamp;

/// Controls a lamp.
#[contract(resource = "lamp")]
impl Lamp {
    /// Turns the lamp on.
    async fn on(&self, context: &Context, again: &Ctx) {
        let _: (&Ctx, &Ctx) = (context, again);
    }
}

fn main() {
    assert!(Contract::builder("home").resource(Lamp.into_resource()).build().is_ok());
}
