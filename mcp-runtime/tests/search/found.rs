//! What a search finds, and for whom.

use mcp_runtime::{Principal, Revision, prelude::*, search::Search, testing::Client};
use serde_json::{Value, json};

use super::{found, named, of, office, searchable};

#[tokio::test]
async fn a_search_returns_what_a_model_needs_for_a_call() {
    let service = searchable().build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        let reply = client.call("search_tools", json!({ "query": "listing an issue", "limit": 1 })).await;
        let text = reply.text().to_owned();
        assert!(
            text.starts_with("1 of 4 tools, the best match first:\n\n`list_issues`: Lists the issues of"),
            "{text}"
        );
        assert!(text.contains(r#"Input schema: {"type":"object""#), "{text}");
        if revision >= Revision::V2025_06_18 {
            let tool = &reply.structured::<Value>()["tools"][0];
            assert_eq!(tool["name"], "list_issues");
            assert_eq!(tool["inputSchema"]["properties"]["limit"]["minimum"], 1);
        }
    }
}

#[tokio::test]
async fn a_search_without_a_match_says_what_to_try() {
    let mut client = Client::modern(&searchable().build().unwrap());
    let reply = client.call("search_tools", json!({ "query": "weather" })).await;
    assert!(!reply.is_error());
    assert_eq!(reply.structured::<Value>(), json!({ "tools": [], "totalTools": 4 }));
    let text = reply.text();
    assert!(
        text.starts_with("no tool matches `weather`; this server has 4 tools to search. Try other words"),
        "{text}"
    );
}

#[tokio::test]
async fn the_number_of_tools_has_limits() {
    let tools = (0..50).map(|number| named(&format!("tool_{number}"), "Does a thing."));
    let service = tools.fold(office(), |server, tool| server.tool(tool)).searchable(Search::new()).build().unwrap();
    let mut client = Client::modern(&service);
    for (limit, number) in [(json!(null), 5), (json!(1), 1), (json!(20), 20)] {
        let reply = client.call("search_tools", json!({ "query": "thing", "limit": limit })).await;
        assert_eq!(reply.structured::<Value>()["tools"].as_array().unwrap().len(), number, "{limit}");
    }
    for limit in [0, 21] {
        let reply = client.call("search_tools", json!({ "query": "thing", "limit": limit })).await;
        assert!(reply.is_error() && reply.text().contains("limit"), "{limit}: {}", reply.text());
    }
}

#[tokio::test]
async fn long_descriptions_are_shortened_unless_the_tool_is_named() {
    let long = format!("Renders a film. {}", "It takes long. ".repeat(200));
    let service = office().tool(named("render", &long)).searchable(Search::new()).build().unwrap();
    let mut client = Client::modern(&service);
    let mut description = async |query: &str| {
        let reply = client.call("search_tools", json!({ "query": query })).await;
        reply.structured::<Value>()["tools"][0]["description"].as_str().unwrap().to_owned()
    };
    let short = description("films").await;
    assert!(short.len() <= 1030 && short.ends_with("It takes long. …"), "{short}");
    assert_eq!(description("render").await, long.trim());
}

#[tokio::test]
async fn the_index_follows_the_list() {
    let service = searchable().dynamic_tools().build().unwrap();
    let mut client = Client::modern(&service);
    assert_eq!(found(&mut client, "weather").await, [""; 0]);
    service.tools().add(named("forecast", "Returns the weather of tomorrow.")).unwrap();
    assert_eq!(found(&mut client, "weather").await, ["forecast"]);
    service.tools().replace(named("forecast", "Returns the rain of tomorrow.")).unwrap();
    assert_eq!(found(&mut client, "weather").await, [""; 0]);
    assert_eq!(found(&mut client, "rain").await, ["forecast"]);
    service.tools().remove("forecast");
    assert_eq!(found(&mut client, "rain").await, [""; 0]);
}

/// Deletes a project with all of its issues.
#[mcp_tool(scopes("projects:admin"))]
async fn delete_project() -> String {
    "deleted".to_owned()
}

#[tokio::test]
async fn a_caller_does_not_learn_of_tools_that_its_list_would_hide() {
    let server = |hide: bool| searchable().tools(tools![delete_project]).hide_unauthorized(hide).build().unwrap();
    for hide in [false, true] {
        let service = server(hide);
        let mut ann = Client::modern(&service).principal(Principal::new("ann"));
        let finds = found(&mut ann, "delete a project").await.contains(&"delete_project".to_owned());
        assert_eq!(finds, !hide);
        let reply = ann.call("search_tools", json!({ "query": "weather" })).await;
        assert_eq!(reply.structured::<Value>()["totalTools"], if hide { 4 } else { 5 });
        let unknown = ann.call("call_tool", of("delete_projekt", json!({}))).await;
        assert_eq!(unknown.text().contains("did you mean `delete_project`?"), !hide, "{}", unknown.text());
        let mut admin = Client::modern(&service).principal(Principal::new("eve").scopes(["projects:admin"]));
        assert_eq!(found(&mut admin, "delete a project").await[0], "delete_project");
    }
}

/// Lists the folders of the client.
#[mcp_tool(requires(roots))]
async fn folders() -> String {
    "none".to_owned()
}

#[tokio::test]
async fn a_client_in_a_session_does_not_find_tools_that_it_cannot_call() {
    let service = office().tools(tools![folders]).searchable(Search::new()).build().unwrap();
    for (revision, finds) in [(Revision::V2025_11_25, false), (Revision::LATEST, true)] {
        let mut without = Client::new(&service, revision).capabilities(json!({}));
        assert_eq!(found(&mut without, "folders").await.len(), usize::from(finds), "{revision}");
        let mut with = Client::new(&service, revision).capabilities(json!({ "roots": {} }));
        assert_eq!(found(&mut with, "folders").await, ["folders"], "{revision}");
    }
}
