//! What a client sees of mounted servers in lists.

use mcp_runtime::{
    Principal, Revision, Service,
    prelude::*,
    remote::{Mount, Remote},
    testing::Client,
};
use serde_json::{Value, json};

use super::{
    gateway,
    servers::{Kind, Started, chained, shop_with_admin, under_mcp},
};

async fn names(service: &Service) -> Vec<String> {
    let tools = Client::modern(service).tools().await;
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn tools_are_published_as_the_other_server_publishes_them() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(&shop.remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_11_25, Revision::V2025_06_18] {
            let theirs = Client::new(&shop.service, revision).tools().await;
            let ours = Client::new(&service, revision).tools().await;
            assert_eq!(ours.len(), theirs.len(), "{kind:?} {revision}");
            for (mut theirs, mut ours) in theirs.into_iter().zip(ours) {
                theirs["name"] = format!("shop_{}", theirs["name"].as_str().unwrap()).into();
                ours.as_object_mut().unwrap().shift_remove("_meta");
                assert_eq!(ours, theirs, "{kind:?} {revision}");
            }
        }
    }
}

#[tokio::test]
async fn a_mount_filters_renames_and_describes_tools() {
    let shop = Started::new(Kind::Service).await;
    let mount = Mount::new(shop.remote.clone())
        .except(["count"])
        .rename("book", "reserve")
        .describe("book", "Reserves a thing.")
        .prefix("my-");
    let service = gateway(mount).build().unwrap();
    assert_eq!(names(&service).await, ["my-reserve", "my-stock"]);
    let tools = Client::modern(&service).tools().await;
    assert_eq!(tools[0]["description"], "Reserves a thing.");

    let only = Mount::new(shop.remote.clone()).only(["stock", "stok"]).without_prefix();
    let service = gateway(only).build().unwrap();
    assert_eq!(names(&service).await, ["stock"]);
    assert_eq!(service.mounts()[0].warnings, ["the server has no tool `stok`, which the mount names"]);
}

#[tokio::test]
async fn a_fixed_parameter_is_hidden_and_filled_in() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(Mount::new(shop.remote.clone()).fix("stock", "of", "tea")).build().unwrap();
        let mut client = Client::modern(&service);
        let tools = client.tools().await;
        let stock = tools.iter().find(|tool| tool["name"] == "shop_stock").unwrap();
        assert_eq!(stock["inputSchema"]["properties"], json!({}), "{kind:?}");
        assert_eq!(stock["inputSchema"]["required"], Value::Null, "{kind:?}");
        for arguments in [json!({}), json!({ "of": "other" })] {
            assert_eq!(client.call("shop_stock", arguments).await.structured::<Value>()["of"], "tea", "{kind:?}");
        }
    }
}

#[tokio::test]
async fn a_restriction_that_cannot_hold_leaves_the_tool_out() {
    let shop = Started::new(Kind::Service).await;
    let mount = Mount::new(shop.remote.clone()).hide("stock", "of").fix("count", "limit", 3);
    let service = gateway(mount).build().unwrap();
    assert_eq!(names(&service).await, ["shop_book"]);
    let status = &service.mounts()[0];
    assert_eq!(status.tools, 1);
    assert!(status.warnings.iter().any(|warning| warning.contains("`of` is required")), "{status:?}");
    assert!(status.warnings.iter().any(|warning| warning.contains("no parameter `limit`")), "{status:?}");
}

#[tokio::test]
async fn each_caller_sees_the_tools_whose_scopes_it_has() {
    for kind in [Kind::Service, Kind::Session] {
        let shop = Started::of(kind, shop_with_admin).await;
        let mount = Mount::new(shop.remote.clone())
            .scope("shop")
            .tool_scope("count", "shop:count")
            .tool_scope("delete", "shop:admin");
        let service = gateway(mount).hide_unauthorized(true).build().unwrap();
        for (scopes, visible) in [
            (&[][..], &[][..]),
            (&["shop:count"], &[]),
            (&["shop"], &["shop_book", "shop_stock"]),
            (&["shop", "shop:admin"], &["shop_book", "shop_stock", "shop_delete"]),
            (&["shop", "shop:count"], &["shop_book", "shop_stock", "shop_count"]),
        ] {
            let mut client = Client::modern(&service).principal(Principal::new("ann").scopes(scopes.iter().copied()));
            let tools = client.tools().await;
            let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
            assert_eq!(names, visible, "{kind:?} {scopes:?}");
            let may_count = visible.contains(&"shop_count");
            assert_eq!(client.call("shop_count", json!({})).await.error().is_none(), may_count, "{kind:?} {scopes:?}");
        }
        assert_eq!(shop.done.take(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn the_scopes_of_a_service_in_the_same_process_hold_without_repetition() {
    let shop = Started::of(Kind::Service, shop_with_admin).await;
    let service = gateway(&shop.remote).hide_unauthorized(true).build().unwrap();
    let mut ann = Client::modern(&service).principal(Principal::new("ann"));
    assert!(!ann.tools().await.iter().any(|tool| tool["name"] == "shop_delete"));
    assert!(ann.call("shop_delete", json!({})).await.error().unwrap().message.contains("shop:admin"));
    let mut admin = Client::modern(&service).principal(Principal::new("admin").scopes(["shop:admin"]));
    assert_eq!(admin.call("shop_delete", json!({})).await.text(), "deleted");
}

/// A tool of the gateway.
#[mcp_tool]
async fn stock() -> &'static str {
    "own"
}

#[tokio::test]
async fn of_two_equal_names_the_first_one_is_listed() {
    let shop = Started::new(Kind::Service).await;
    let same = || Mount::new(shop.remote.clone()).without_prefix().only(["stock", "count"]).tools_only();
    let server = Server::new("gateway", "1").tools(tools![stock]).mount("a", same()).mount("b", same());
    let service = server.build().unwrap();
    assert_eq!(names(&service).await, ["stock", "count"]);
    assert_eq!(Client::modern(&service).call("stock", json!({})).await.text(), "own");
    let [a, b] = &service.mounts()[..] else { panic!("two mounts") };
    assert_eq!((a.tools, b.tools), (1, 0));
    assert!(a.warnings[0].contains("the service already has a tool of this name"), "{a:?}");
    assert!(b.warnings.iter().any(|warning| warning.contains("another mounted server has this name")), "{b:?}");
}

#[test]
fn build_reports_what_is_wrong_with_mounts() {
    let remote = Remote::http("http://localhost:1/mcp");
    let wrong = Mount::new(remote.clone()).scope("two words");
    let server = Server::new("gateway", "1").mount("a b", &remote).mount("a", &remote).mount("a", wrong);
    let problems = server.build().unwrap_err().to_string();
    for problem in ["`a b` is not a name", "two mounted servers are named `a`", "`two words` is not a scope"] {
        assert!(problems.contains(problem), "{problems}");
    }
}

#[tokio::test]
async fn a_server_that_mounts_itself_does_not_list_its_tools_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let remote = Remote::http(format!("http://{}/mcp", listener.local_addr().unwrap()));
    let service = Server::new("gateway", "1").tools(tools![stock]).mount("me", &remote).build().unwrap();
    let router = under_mcp(service.router());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let mut client = Client::modern(&service);
    client.tools().await;
    let is_told = || service.mounts()[0].warnings.iter().any(|it| it.contains("comes from this server itself"));
    // The list changes with each tool that comes back.
    for _ in 0..60 {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        if names(&service).await == ["stock", "me_stock"] && is_told() {
            break;
        }
    }
    assert_eq!(names(&service).await, ["stock", "me_stock"]);
    assert!(is_told(), "{:?}", service.mounts());
    assert_eq!(client.call("me_stock", json!({})).await.text(), "own");
}

#[tokio::test]
async fn names_with_long_prefixes_stay_acceptable() {
    let shop = Started::new(Kind::Service).await;
    let mut service = chained(&shop.remote);
    for _ in 0..2 {
        let mount = Mount::new(Remote::service(&service)).prefix("a-prefix-of-thirty-characters-").tools_only();
        service = gateway(mount).build().unwrap();
    }
    let names = names(&service).await;
    assert_eq!(names.len(), 3);
    assert!(names.iter().all(|name| name.len() <= 64), "{names:?}");
    let long = names.iter().find(|name| name.contains("m_sto")).unwrap_or(&names[1]);
    assert_eq!(Client::modern(&service).call(long, json!({ "of": "tea" })).await.structured::<Value>()["left"], 3);
}
