//! Prompts, resources and completions of mounted servers.

use mcp_runtime::{Revision, in_every_mode, testing::Client};
use serde_json::json;

use super::{
    gateway,
    servers::{Kind, Started, YES, archive_server},
};

#[tokio::test]
async fn prompts_are_listed_and_got() {
    for kind in [Kind::Service, Kind::Http] {
        in_every_mode!(async |mode| {
            let shop = Started::new(kind).await;
            let mut client = mode.client(|| gateway(&shop.remote));
            let prompts = client.prompts().await;
            assert_eq!(prompts[0]["name"], "shop_praise", "{kind:?}");
            assert_eq!(prompts[0]["arguments"][0]["description"], "What to praise.", "{kind:?}");
            let got = client.prompt("shop_praise", json!({ "what": "tea", "first": "x" })).accept(YES).await;
            assert_eq!(got.messages()[0].content["text"], "Praise tea much", "{kind:?}");
        });
    }
}

#[tokio::test]
async fn the_error_of_another_server_is_the_same_error() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(&shop.remote).build().unwrap();
        let mut client = Client::modern(&service);
        let theirs = Client::modern(&shop.service).prompt("praise", json!({})).await;
        let ours = client.prompt("shop_praise", json!({})).await;
        assert_eq!(ours.error(), theirs.error(), "{kind:?}");
        assert!(ours.error().is_some(), "{kind:?}");
    }
}

#[tokio::test]
async fn resources_are_listed_and_read() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(&shop.remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            let mut client = Client::new(&service, revision);
            assert_eq!(client.resources().await[0]["uri"], "shop://prices", "{kind:?}");
            assert_eq!(client.templates().await[0]["uriTemplate"], "shop://prices/{of}", "{kind:?}");
            assert_eq!(client.read("shop://prices").await.text(), "tea: 3", "{kind:?}");
            let read = client.read("shop://prices").await;
            assert_eq!(read.result()["contents"][0]["mimeType"], "text/plain", "{kind:?}");
            assert_eq!(client.read("shop://prices/cup").await.text(), "cup: 3", "{kind:?}");
            assert!(client.read("shop://prices/nothing").await.is_not_found(), "{kind:?} {revision}");
        }
    }
}

#[tokio::test]
async fn arguments_and_variables_are_completed() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(&shop.remote).build().unwrap();
        let mut client = Client::modern(&service);
        let completed = client.complete("shop_praise", "what", "te").await.completion();
        assert_eq!(completed.values, ["tea"], "{kind:?}");
        let completed = client.complete("shop_praise", "what", "tx").filled("first", "x").await.completion();
        assert_eq!(completed.values, ["tx"], "{kind:?}");
        let completed = client.complete_template("shop://prices/{of}", "of", "ta").await.completion();
        assert_eq!(completed.values, ["table"], "{kind:?}");
    }
}

#[tokio::test]
async fn resources_that_no_list_has_are_read() {
    let archive = Started::of(Kind::Http, archive_server).await;
    let shop = Started::new(Kind::Http).await;
    let service = gateway(&shop.remote).mount("archive", &archive.remote).build().unwrap();
    Client::modern(&service).resources().await;
    // The lists of a server need not be complete.
    for name in service.resources().names().iter().filter(|name| name.starts_with("archive")) {
        service.resources().remove(name);
    }
    for revision in [Revision::LATEST, Revision::V2025_11_25] {
        let mut client = Client::new(&service, revision);
        assert_eq!(client.read("archive://a/b").await.text(), "archived a/b", "{revision}");
        assert!(client.read("nowhere://a").await.is_not_found(), "{revision}");
    }
}
