//! The code of the page `composition`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

use std::process::{Command, ExitCode};

use serde_json::json;

// ANCHOR: tools
use mcp_runtime::{Result, prelude::*};

#[elicits]
pub(crate) enum Event {
    Confirm { confirmed: bool },
}

/// Returns how many people a room holds.
#[mcp_tool(read_only)]
async fn capacity(room: String) -> Text<u32> {
    Text(if room == "Oak" { 20 } else { 4 })
}

pub(crate) struct OrderLunch;

/// Orders lunch, if the user confirms it.
#[handoff]
impl OrderLunch {
    async fn before(&self, people: u32) -> u32 {
        people * 12
    }

    async fn client(ctx: &Ctx<Event>, price: &u32) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Order lunch for {price} €?")).strict().await?.confirmed)
    }

    async fn after(&self, orders: &Orders, price: u32, confirmed: bool) -> Result<Text<u32>> {
        if !confirmed {
            return Err("the user does not want it".into());
        }
        orders.0.fetch_add(1, Relaxed);
        Ok(Text(price))
    }
}
// ANCHOR_END: tools

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

/// How often lunch was ordered.
#[derive(Clone, Default)]
pub(crate) struct Orders(Arc<AtomicU32>);

// ANCHOR: calls
/// Plans a meeting: the room, and lunch for everybody.
#[mcp_tool(replayable)]
async fn plan_meeting(ctx: &Ctx<Event>, room: String) -> Result<String> {
    let people = ctx.call_tool(capacity::with(room)).await?;
    let price = ctx.call_tool(OrderLunch::with(people)).await?;
    Ok(format!("lunch for {people}: {price} €"))
}
// ANCHOR_END: calls

// ANCHOR: remote
use mcp_runtime::remote::Remote;

/// The server of the caterer. A type for each server keeps several apart.
struct Caterer(Remote);

/// Orders tea from the caterer.
#[mcp_tool(replayable)]
async fn order_tea(ctx: &Ctx, caterer: &Caterer, cups: u32) -> Result<String> {
    let ordered = caterer.0.call("order_lunch", json!({ "people": cups })).within(ctx).await?;
    Ok(format!("ordered: {}", ordered.content()[0].as_text().unwrap_or_default()))
}

fn caterer() -> Caterer {
    Caterer(Remote::http("https://catering.example.com/mcp").named("caterer"))
}
// ANCHOR_END: remote

// ANCHOR: mount
use mcp_runtime::remote::Mount;

async fn gateway() -> ExitCode {
    let files = Remote::stdio(Command::new("files-server").arg("/srv/files"));
    let catering = Mount::new(Remote::http("https://catering.example.com/mcp"))
        .only(["order_lunch"])
        .rename("order_lunch", "order")
        .fix("order_lunch", "people", 4)
        .scope("catering:order");
    Server::new("gateway", env!("CARGO_PKG_VERSION"))
        .mount("files", files)
        .mount("catering", catering)
        .hide_unauthorized(true)
        .run()
        .await
}
// ANCHOR_END: mount

#[cfg(test)]
mod tests {
    use mcp_runtime::{Principal, Revision, Service, in_every_mode, testing::Client};

    use super::*;

    fn server(orders: &Orders) -> Server {
        Server::new("events", "1.0.0").state(orders.clone()).tool(OrderLunch).tools(tools![capacity, plan_meeting])
    }

    fn catering(orders: &Orders) -> Service {
        Server::new("catering", "1.0.0").state(orders.clone()).tool(OrderLunch).build().unwrap()
    }

    #[tokio::test]
    async fn a_called_handoff_runs_once_in_every_mode() {
        in_every_mode!(|mode| {
            let orders = Orders::default();
            let mut client = mode.client(|| server(&orders));
            let planned =
                client.call("plan_meeting", json!({ "room": "Oak" })).accept(Confirm { confirmed: true }).await;
            assert_eq!(planned.text(), "lunch for 20: 240 €");
            assert_eq!(planned.asked()[0].message(), "Order lunch for 240 €?");
            mode.same("orders", orders.0.load(Relaxed));
        });
    }

    #[tokio::test]
    async fn keys_name_the_called_tool() {
        let service = server(&Orders::default()).build().unwrap();
        let mut client = Client::modern(&service);
        let planned = client.call("plan_meeting", json!({ "room": "Oak" })).accept(Confirm { confirmed: true }).await;
        assert_eq!(planned.asked()[0].key(), "order_lunch/confirm");
        let declined = client.call("plan_meeting", json!({ "room": "Oak" })).decline().await;
        assert!(declined.is_error());
        assert_eq!(declined.text(), "the user declined");
    }

    #[tokio::test]
    async fn a_remote_server_asks_the_client_of_the_tool_in_every_revision() {
        for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::LATEST] {
            let orders = Orders::default();
            let remote = Caterer(Remote::service(&catering(&orders)).named("caterer"));
            let service = Server::new("tea", "1.0.0").state(remote).tools(tools![order_tea]).build().unwrap();
            let mut client = Client::new(&service, revision);
            let ordered = client.call("order_tea", json!({ "cups": 2 })).accept(Confirm { confirmed: true }).await;
            assert_eq!(ordered.text(), "ordered: 24");
            if revision.is_modern() {
                assert_eq!(ordered.asked()[0].key(), "caterer/order_lunch/confirm");
            }
            assert_eq!(orders.0.load(Relaxed), 1);
        }
    }

    #[tokio::test]
    async fn a_mount_renames_fixes_and_protects() {
        let catering = Mount::new(Remote::service(&catering(&Orders::default())))
            .rename("order_lunch", "order")
            .fix("order_lunch", "people", 4)
            .scope("catering:order");
        let service =
            Server::new("gateway", "1.0.0").mount("catering", catering).hide_unauthorized(true).build().unwrap();
        let mut client = Client::modern(&service);
        let tools = client.tools().await;
        assert_eq!(tools[0]["name"], "catering_order");
        assert_eq!(tools[0]["inputSchema"]["properties"].get("people"), None);
        let ordered = client.call("catering_order", json!({})).accept(Confirm { confirmed: true }).await;
        assert_eq!(ordered.text(), "48");

        let mut stranger = Client::modern(&service).principal(Principal::new("bob"));
        assert!(stranger.tools().await.is_empty());
        assert!(stranger.call("catering_order", json!({})).await.error().is_some());
    }
}
