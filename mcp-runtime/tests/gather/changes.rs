//! Changes of mounted servers.

use std::time::Duration;

use mcp_runtime::{
    Revision,
    prelude::*,
    remote::Mount,
    testing::{Client, Notice},
    tool::{DynamicTool, ToolDefinition},
};
use serde_json::{Value, json};

use super::{
    gateway,
    servers::{Kind, Started},
};

fn extra(description: &'static str) -> impl mcp_runtime::Tool {
    DynamicTool::new(ToolDefinition::new("extra", description), async |_: Ctx, _: Value| "extra")
}

#[tokio::test]
async fn clients_are_told_about_changed_lists() {
    let mut tests = tokio::task::JoinSet::new();
    for kind in Kind::ALL {
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            tests.spawn(is_told_about_changed_lists(kind, revision));
        }
    }
    tests.join_all().await;
}

async fn is_told_about_changed_lists(kind: Kind, revision: Revision) {
    let shop = Started::new(kind).await;
    let service = gateway(&shop.remote).build().unwrap();
    let mut client = Client::new(&service, revision);
    assert_eq!(client.tools().await.len(), 3);
    client.subscribed([Notice::Tools]).await;
    // The gateway subscribes soon after it has read the lists, which are changes for a session.
    client.notices(Duration::from_secs(1)).await;
    shop.service.tools().add(extra("An extra tool.")).unwrap();
    assert_eq!(client.notice().await, Notice::Tools, "{kind:?} {revision}");
    assert_eq!(client.call("shop_extra", json!({})).await.text(), "extra", "{kind:?} {revision}");

    shop.service.tools().replace(extra("Another description.")).unwrap();
    assert_eq!(client.notice().await, Notice::Tools, "{kind:?} {revision}");
    let tools = client.tools().await;
    assert_eq!(tools.last().unwrap()["description"], "Another description.", "{kind:?} {revision}");

    shop.service.tools().remove("extra");
    assert_eq!(client.notice().await, Notice::Tools, "{kind:?} {revision}");
    assert_eq!(client.tools().await.len(), 3, "{kind:?} {revision}");
}

#[tokio::test]
async fn clients_are_told_about_changed_resources() {
    for kind in Kind::ALL {
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            let shop = Started::new(kind).await;
            let service = gateway(&shop.remote).build().unwrap();
            let mut client = Client::new(&service, revision);
            client.resources().await;
            let updated = Notice::Updated("shop://prices".to_owned());
            client.subscribed([updated.clone()]).await;
            // The gateway subscribes soon after its client.
            let updating = async {
                loop {
                    shop.service.resources().updated("shop://prices");
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
            };
            tokio::select! {
                notice = client.notice() => assert_eq!(notice, updated, "{kind:?} {revision}"),
                () = updating => {}
            }
        }
    }
}

#[tokio::test]
async fn a_changed_schema_does_not_lift_a_restriction() {
    let with = |parameter: &str| {
        let schema = json!({ "type": "object", "properties": { parameter: { "type": "string" } } });
        let definition = ToolDefinition::new("extra", "An extra tool.").input_schema(schema);
        DynamicTool::new(definition, async |_: Ctx, arguments: Value| arguments.to_string())
    };
    let shop = Started::new(Kind::Http).await;
    shop.service.tools().add(with("project")).unwrap();
    let mount = Mount::new(shop.remote.clone()).fix("extra", "project", "ours");
    let service = gateway(mount).build().unwrap();
    let mut client = Client::modern(&service);
    assert_eq!(client.call("shop_extra", json!({})).await.text(), r#"{"project":"ours"}"#);

    client.subscribed([Notice::Tools]).await;
    client.notices(Duration::from_millis(500)).await;
    shop.service.tools().replace(with("projects")).unwrap();
    assert_eq!(client.notice().await, Notice::Tools);
    assert!(client.call("shop_extra", json!({ "projects": "theirs" })).await.error().is_some());
    assert!(service.mounts()[0].warnings[0].contains("no parameter `project`"));
}
