//! The scope of exactly-once execution.

use std::sync::Arc;

use mcp_runtime::{
    Result, Server,
    prelude::*,
    store::{KeyRing, MemoryLedger, Once},
};
use serde_json::{Value, json};

use crate::steps::{
    effects::Deeds,
    wire::{asked, error, seat, state, sure, text},
    world::{Seat, Sure, Trip, World},
};

/// Changes nothing.
#[mcp_tool(replayable, read_only)]
async fn look(ctx: &Ctx<Trip>) -> Result<String> {
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{seat} {sure}"))
}

/// Changes something.
#[mcp_tool(replayable)]
async fn change(ctx: &Ctx<Trip>) -> Result<String> {
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{seat} {sure}"))
}

/// Creates three instances that share one key. Each instance has its own ledger.
fn three(once: Once) -> World {
    let services = [(); 3].map(|()| {
        let server = Server::new("trips", "1").ledger(MemoryLedger::new()).once(once);
        server.state_keys(KeyRing::new([7; 32])).tools(tools![look, change]).build().unwrap()
    });
    World::of(Deeds::new(), services.into())
}

async fn travels(world: &mut World, tool: &str) -> Value {
    let first = world.call(tool, json!({})).await;
    let second = world.answer(tool, &state(&first), seat("12A")).await;
    if second["error"].is_object() {
        return second;
    }
    assert_eq!(asked(&second), ["sure"]);
    world.answer(tool, &state(&second), sure(true)).await
}

#[tokio::test]
async fn a_state_needs_its_ledger_by_default() {
    let mut world = three(Once::PerLedger);
    let refused = travels(&mut world, "change").await;
    let (code, message) = error(&refused);
    assert_eq!(code, -32602);
    assert!(message.contains("ledger"), "{message}");
    assert_eq!(text(&travels(&mut world, "look").await), "12A true");
    assert_eq!(text(&travels(&mut three(Once::PerInstance), "change").await), "12A true");
}

#[tokio::test]
async fn a_call_can_return_to_an_earlier_instance() {
    let mut world = three(Once::PerInstance);
    world.wires.truncate(2);
    assert_eq!(text(&travels(&mut world, "change").await), "12A true");
}

#[tokio::test]
async fn the_manifest_names_the_scope_of_once() {
    let once = |world: &World, tool: usize| world.services[0].manifest()["tools"][tool]["once"].clone();
    let world = three(Once::PerLedger);
    assert_eq!([once(&world, 0), once(&world, 1)], [json!("perInstance"), Value::Null]);
    assert_eq!(once(&three(Once::PerInstance), 1), "perInstance");
    assert!(Arc::strong_count(&world.deeds) == 1);
}
