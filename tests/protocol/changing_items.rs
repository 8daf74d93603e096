//! Prompts and resources that change while the server runs: their completions, their URIs, and several changes at once.

use std::time::Duration;

use mcp_runtime::{
    Revision, Server, Service, complete::CompletionRequest, prelude::*, prompt::PromptChanges,
    resource::ResourceChanges,
};
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client, wire::Wire};

async fn cities(_: CompletionRequest) -> Vec<&'static str> {
    vec!["rome", "riga", "oslo"]
}

/// The weather in a city.
#[mcp_resource("weather://{city}")]
async fn weather(#[complete(cities)] city: String) -> String {
    format!("sun in {city}")
}

/// The weather in a place.
#[mcp_resource("weather://{place}")]
async fn forecast(place: String) -> String {
    format!("rain in {place}")
}

/// The news.
#[mcp_resource("news://latest")]
async fn news() -> &'static str {
    "nothing new"
}

/// Other news.
#[mcp_resource("news://latest", name = "gossip")]
async fn gossip() -> &'static str {
    "everything is new"
}

/// Greets from a city.
#[mcp_prompt]
async fn greet(#[complete(cities)] city: String) -> String {
    format!("Greetings from {city}")
}

/// Says goodbye.
#[mcp_prompt]
async fn leave() -> &'static str {
    "Goodbye"
}

fn service() -> Service {
    Server::new("changing", "1").dynamic_prompts().dynamic_resources().build().unwrap()
}

async fn completed(client: &mut Client, of: Value, argument: &str) -> Value {
    let params = json!({ "ref": of, "argument": { "name": argument, "value": "r" } });
    let response = client.request("completion/complete", params).await;
    response.get("result").map_or_else(|| response["error"]["message"].clone(), |it| it["completion"]["values"].clone())
}

#[tokio::test]
async fn items_that_are_added_later_are_completed_until_they_are_removed() {
    for revision in Revision::ALL {
        let service = service();
        let mut client = Client::open(&service, revision).await;
        let prompt = json!({ "type": "ref/prompt", "name": "greet" });
        let template = json!({ "type": "ref/resource", "uri": "weather://{city}" });
        assert_eq!(completed(&mut client, prompt.clone(), "city").await, "Unknown prompt: greet");
        assert_eq!(
            completed(&mut client, template.clone(), "city").await,
            "Unknown resource template: weather://{city}"
        );
        service.prompts().add_all(prompts![greet]).unwrap();
        service.resources().add_all(resources![weather]).unwrap();
        assert_eq!(completed(&mut client, prompt.clone(), "city").await, json!(["rome", "riga"]));
        assert_eq!(completed(&mut client, template.clone(), "city").await, json!(["rome", "riga"]));
        assert!(service.prompts().remove("greet"));
        assert!(service.resources().remove("weather"));
        assert_eq!(completed(&mut client, prompt, "city").await, "Unknown prompt: greet");
        assert_eq!(completed(&mut client, template, "city").await, "Unknown resource template: weather://{city}");
    }
}

#[tokio::test]
async fn two_resources_cannot_have_the_same_uris() {
    let service = service();
    let resources = service.resources();
    resources.add_all(resources![weather, news]).unwrap();
    let taken = resources.add_all(resources![gossip, forecast]).unwrap_err().to_string();
    for problem in [
        "resource `gossip`: `news://latest` matches the same URIs as the resource `news`; change one of them",
        "resource `forecast`: `weather://{place}` matches the same URIs as the resource `weather`; change one of them",
    ] {
        assert!(taken.contains(problem), "{taken}");
    }
    assert!(resources.replace_all(resources![gossip]).is_err());
    assert_eq!(resources.names(), ["weather", "news"]);
    // In the order of the changes, the URI is free.
    let swap = |changes: &mut ResourceChanges| {
        changes.remove("news");
        changes.replace_all(resources![gossip]);
    };
    resources.edit(swap).unwrap();
    assert_eq!(resources.names(), ["weather", "gossip"]);
    let mut client = Client::open(&service, Revision::LATEST).await;
    let read = client.result("resources/read", json!({ "uri": "news://latest" })).await;
    assert_eq!(read["contents"][0]["text"], "everything is new");
}

#[tokio::test]
async fn several_changes_become_visible_at_once_or_not_at_all() {
    for revision in LEGACY {
        let service = service();
        let mut client = Client::new(Wire::memory(&service), revision).ready().await;
        let valid = |changes: &mut PromptChanges| {
            changes.add_all(prompts![greet, leave]);
            changes.replace_all(prompts![leave]);
            changes.remove("greet");
        };
        service.prompts().edit(valid).unwrap();
        assert_eq!(client.next().await["method"], "notifications/prompts/list_changed");
        let twice = |changes: &mut PromptChanges| {
            changes.remove("leave");
            changes.add_all(prompts![greet]);
            changes.add_all(prompts![greet]);
        };
        let error = service.prompts().edit(twice).unwrap_err().to_string();
        assert!(error.contains("prompt `greet`: the service already has a prompt of this name"), "{error}");
        assert_eq!(service.prompts().names(), ["leave"]);
        // Longer than changes are gathered.
        tokio::time::sleep(Duration::from_millis(100)).await;
        client.result("ping", json!({})).await;
        assert_eq!(client.notifications(), [] as [Value; 0]);
    }
}

/// Repeats a text.
#[mcp_tool]
async fn echo(text: String) -> String {
    text
}

#[tokio::test]
async fn each_list_of_a_server_without_items_can_change_after_its_first_use() {
    for revision in Revision::ALL {
        let service = Server::new("static", "1").build().unwrap();
        let mut before = Client::open(&service, revision).await;
        service.tools().add_all(tools![echo]).unwrap();
        service.prompts().add_all(prompts![greet]).unwrap();
        service.resources().add_all(resources![news, weather]).unwrap();
        let mut after = Client::open(&service, revision).await;
        for client in [&mut before, &mut after] {
            for (method, list, name) in [
                ("tools/list", "tools", "echo"),
                ("prompts/list", "prompts", "greet"),
                ("resources/list", "resources", "news"),
                ("resources/templates/list", "resourceTemplates", "weather"),
            ] {
                assert_eq!(client.result(method, json!({})).await[list][0]["name"], name, "{method}");
            }
            let prompt = json!({ "type": "ref/prompt", "name": "greet" });
            assert_eq!(completed(client, prompt, "city").await, json!(["rome", "riga"]));
        }
        assert!(service.tools().remove("echo"));
        assert!(service.prompts().remove("greet"));
        assert!(service.resources().remove("news"));
        assert_eq!(after.result("prompts/list", json!({})).await["prompts"], json!([]));
    }
}

#[tokio::test]
async fn a_session_that_begins_after_the_first_use_of_a_list_gets_its_notices() {
    for revision in LEGACY {
        let service = Server::new("static", "1").build().unwrap();
        let (tools, prompts, resources) = (service.tools(), service.prompts(), service.resources());
        let mut client = Client::new(Wire::memory(&service), revision).ready().await;
        tools.add_all(tools![echo]).unwrap();
        assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
        prompts.add_all(prompts![leave]).unwrap();
        assert_eq!(client.next().await["method"], "notifications/prompts/list_changed");
        resources.add_all(resources![news]).unwrap();
        assert_eq!(client.next().await["method"], "notifications/resources/list_changed");
    }
}
