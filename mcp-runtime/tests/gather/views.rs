//! Views of mounted servers.

use mcp_runtime::{
    Revision,
    call::Capability,
    prelude::*,
    remote::Mount,
    testing::Client,
    view::{View, ViewDefinition},
};
use serde_json::{Value, json};

use super::{
    gateway,
    servers::{Done, Kind, Started},
};

const UI: &str = "io.modelcontextprotocol/ui";

struct Menu;

impl View for Menu {
    const DEFINITION: &'static ViewDefinition =
        &ViewDefinition::new("ui://kitchen/menu", "menu", "<!doctype html><title>Menu</title>");
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Shown {
    as_view: bool,
}

/// Shows the menu to clients that can show views.
#[mcp_tool(view = Menu)]
async fn menu(ctx: &Ctx) -> Json<Shown> {
    Json(Shown { as_view: ctx.client().supports(Capability::Views) })
}

fn kitchen(_: &Done) -> Server {
    Server::new("kitchen", "1").tools(tools![menu])
}

fn shows_views() -> Value {
    json!({ "extensions": { UI: { "mimeTypes": ["text/html;profile=mcp-app"] } } })
}

#[tokio::test]
async fn a_view_of_a_mounted_tool_is_a_resource_of_the_gateway() {
    for kind in Kind::ALL {
        let kitchen = Started::of(kind, kitchen).await;
        let service = gateway(&kitchen.remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            let mut client = Client::new(&service, revision);
            let tools = client.tools().await;
            let uri = tools[0]["_meta"]["ui"]["resourceUri"].as_str().unwrap_or_else(|| panic!("{kind:?}: {tools:?}"));
            let page = client.read(uri).await;
            assert_eq!(page.result()["contents"][0]["mimeType"], "text/html;profile=mcp-app", "{kind:?} {revision}");
            assert!(page.text().contains("<title>Menu</title>"), "{kind:?} {revision}");
        }
    }
}

#[tokio::test]
async fn a_mounted_server_learns_whether_the_client_shows_views() {
    for kind in Kind::ALL {
        let kitchen = Started::of(kind, kitchen).await;
        let service = gateway(&kitchen.remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            for (mut client, shows) in [
                (Client::new(&service, revision).capabilities(shows_views()), true),
                (Client::new(&service, revision), false),
            ] {
                let menu: Value = client.call("shop_menu", json!({})).await.structured();
                assert_eq!(menu, json!({ "as_view": shows }), "{kind:?} {revision}");
            }
        }
    }
}

#[tokio::test]
async fn a_gateway_declares_views_unless_it_serves_only_tools() {
    let kitchen = Started::of(Kind::Http, kitchen).await;
    let tools_only = Mount::new(kitchen.remote.clone()).tools_only();
    for (mount, declares) in [(Mount::new(kitchen.remote.clone()), true), (tools_only, false)] {
        let service = gateway(mount).build().unwrap();
        let mut wire = crate::tasks::wire::Wire::new(&service);
        let capabilities = wire.result("server/discover", json!({})).await["capabilities"].clone();
        assert_eq!(capabilities["extensions"].get(UI).is_some(), declares, "{capabilities}");
        let tools = Client::modern(&service).tools().await;
        assert_eq!(tools[0]["_meta"]["ui"].get("resourceUri").is_some(), declares, "{tools:?}");
    }
}
