//! Only the principal of a call can answer its questions.

use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use crate::steps::{
    wire::{Wire, error, seat, state, sure, text},
    world::{Seat, Sure, World, later},
};

async fn call(wire: &mut Wire, tool: &str, more: &Value) -> Value {
    let id = wire.send(tool, more).await;
    wire.reply(id).await
}

#[tokio::test]
async fn only_its_principal_can_use_a_state() {
    let world = World::one();
    let wire = |principal: &str| Wire::of(world.services[0].memory_as(principal));
    let (mut ann, mut bob) = (wire("ann"), wire("bob"));
    let mut nobody = Wire::new(&world.services[0]);
    let first = state(&call(&mut ann, "order", &json!({})).await);
    for other in [&mut bob, &mut nobody] {
        let refused = call(other, "order", &later(&first, &seat("1F"))).await;
        assert_eq!(
            error(&refused),
            (-32602, "`requestState` does not belong to this request; send the request again without it")
        );
    }
    let second = state(&call(&mut wire("ann"), "order", &later(&first, &seat("12A"))).await);
    assert_eq!(text(&call(&mut ann, "order", &later(&second, &sure(true))).await), "1 12A 2 true");
    let refused = call(&mut bob, "order", &later(&second, &sure(true))).await;
    assert_eq!(error(&refused).0, -32602, "nor does another read the result");
}

#[tokio::test]
async fn a_scripted_client_has_a_principal() {
    let world = World::one();
    let mut client = Client::modern(&world.services[0]).principal("ann").rebuilding();
    let outcome = client.call("order", ()).accept(Seat { seat: "12A".to_owned() }).accept(Sure { sure: true }).await;
    assert_eq!(outcome.text(), "1 12A 2 true");
}
