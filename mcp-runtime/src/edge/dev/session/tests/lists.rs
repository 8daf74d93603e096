//! What a client sees beside calls.

use std::sync::Arc;

use serde_json::json;
use tokio::net::TcpListener;

use super::{
    super::{DevSession, SessionOptions, api::state::SessionSource, hub::NextEvent},
    LEGACY, MODERN, Tried, options, setup, text,
};
use crate::edge::dev::{
    attach::UrlTarget,
    session::NewCall,
    target::{ClientSetup, TransportKind},
};

#[tokio::test]
async fn lists_everything_in_both_eras() {
    let tried = Tried::new();
    for revision in [MODERN, LEGACY] {
        let items = tried.session.list(&setup(revision)).await.unwrap();
        let names: Vec<_> = items.tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert!(names.contains(&"send_money") && names.contains(&"poem"), "{names:?}");
        let greet = items.tools.iter().find(|tool| tool["name"] == "greet").unwrap();
        assert!(greet["tokens"].as_u64().unwrap() > 10 && greet["example"]["name"].is_string(), "{greet}");
        assert_eq!((items.prompts.len(), items.resources.len()), (1, 1));
        assert_eq!(items.server_info.unwrap()["name"], "bank");
        assert!(items.tokens > 50);
    }
}

#[tokio::test]
async fn a_build_changes_the_items() {
    let tried = Tried::new();
    let before = tried.session.hub.last();
    tried.target.change_code("?");
    items_change(&tried, before).await;
}

#[tokio::test]
async fn a_server_that_changes_its_lists_changes_the_items() {
    for revision in [MODERN, LEGACY] {
        let tried = Tried::new();
        assert_eq!(tried.session.list(&setup(revision)).await.unwrap().tools.len(), 7);
        // The subscription begins after the lists.
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        let before = tried.session.hub.last();
        let id = tried.call(revision, "grow", &json!({}), None);
        assert_eq!(tried.text(&id).await, "grown");
        items_change(&tried, before).await;
        assert_eq!(tried.session.list(&setup(revision)).await.unwrap().tools.len(), 8);
    }
}

/// Waits for the event that the items have changed, after the event with this number.
async fn items_change(tried: &Tried, mut seen: u64) {
    for _ in 0..400 {
        match tried.session.hub.after(seen) {
            NextEvent::Event(_, event) if event.contains("items_changed") => return,
            NextEvent::Event(id, _) => seen = id,
            _ => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
        }
    }
    panic!("no event says that the items have changed");
}

#[tokio::test]
async fn reads_resources_and_prompts() {
    let tried = Tried::new();
    for revision in [MODERN, LEGACY] {
        let read = tried.session.read_resource(&setup(revision), "news://latest").await.unwrap();
        assert_eq!(read["contents"][0]["text"], "nothing new");
        let request =
            serde_json::from_value(json!({ "kind": "prompt", "name": "letter", "arguments": { "to": "Bob" } }));
        let new = NewCall { request: request.unwrap(), setup: setup(revision), fault: None, answers: Vec::new() };
        let id = tried.session.call(new).unwrap().id;
        let call = tried.ended(&id).await;
        assert!(serde_json::to_string(&call).unwrap().contains("Write to Bob."));
        let wrong = tried.session.read_resource(&setup(revision), "news://other").await;
        assert!(wrong.is_err());
    }
}

#[tokio::test]
async fn the_rules_of_check_are_shown_with_sizes() {
    let tried = Tried::new();
    tried.session.list(&setup(MODERN)).await.unwrap();
    let report = tried.session.check().await.unwrap();
    assert_eq!((&*report.findings[0].rule, report.findings[0].item.as_deref()), ("debug-build", Some("server bank")));
    assert_eq!(report.tokens.total, report.tokens.tools.iter().map(|tool| tool.tokens).sum::<usize>());
}

#[tokio::test]
async fn a_server_behind_a_url_is_tried_with_its_headers_in_the_log() {
    let tried = Tried::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let service = tried.target.service();
    tokio::spawn(async move { service.serve_listener(listener, std::future::pending::<()>()).await });
    let target = UrlTarget::new(&url, http::HeaderMap::new()).unwrap();
    let source = SessionSource::Url { url: url.clone() };
    let session = DevSession::begin(Arc::new(target), SessionOptions { source, ..options() });
    let attached = Tried { session, target: tried.target };
    for revision in [MODERN, LEGACY] {
        let setup = ClientSetup { transport: TransportKind::Http, ..setup(revision) };
        let items = attached.session.list(&setup).await.unwrap();
        assert!(items.tools.len() > 3);
        let request = json!({ "kind": "tool", "name": "send_money", "arguments": { "to": "Ada" } });
        let new =
            NewCall { request: serde_json::from_value(request).unwrap(), setup, fault: None, answers: Vec::new() };
        let before = attached.session.commands_of_input(&new).unwrap();
        let id = attached.session.call(new).unwrap().id;
        let question = attached.question(&id).await;
        attached.accept(&id, &question, &json!({ "confirmed": true }));
        assert_eq!(text(&attached.ended(&id).await), "sent to Ada", "{revision}");
        let first = attached.session.log.first_of(&id).unwrap();
        assert_eq!(first.url.as_deref(), Some(&*url));
        assert!(
            first.headers.unwrap().iter().any(|(name, value)| name == "content-type" && value == "application/json")
        );
        let query = super::super::api::message::MessageQuery { call: Some(id.clone()), ..Default::default() };
        let messages = attached.session.messages(&query).messages;
        let last = messages.iter().rfind(|message| message.kind == "result").unwrap();
        assert_eq!(last.status, Some(200), "{messages:#?}");
        let curl = attached.session.commands(&id).unwrap().curl.unwrap();
        assert!(curl.contains(&url) && curl.contains("tools/call"), "{curl}");
        assert_eq!(before.curl, Some(curl), "an input that was not called yet has the same command");
    }
    let refused = attached.session.restart().await.unwrap_err();
    assert!(refused.to_string().contains("runs elsewhere"), "{refused}");
    assert!(!attached.session.state().abilities.records);
}
