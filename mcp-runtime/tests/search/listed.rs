//! What the list of a server with a search contains.

use mcp_runtime::{Revision, Server, prelude::*, search::Search, testing::Client};
use serde_json::json;
use tiktoken_rs::o200k_base_singleton;

use super::{named, names, office, searchable};

#[tokio::test]
async fn the_list_has_the_search_and_pinned_tools_in_every_revision() {
    let service = searchable().build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        assert_eq!(names(&mut client).await, ["search_tools", "call_tool", "current_user"], "{revision}");
        // The others can be called as before.
        assert_eq!(client.call("send_invoice", json!({})).await.text(), "send_invoice", "{revision}");
    }
}

#[tokio::test]
async fn the_list_of_300_tools_costs_a_client_few_tokens() {
    let list = async |count: usize| {
        let tools = (0..count).map(|number| named(&format!("tool_{number}"), "Does one of many things."));
        let server = tools.fold(Server::new("large", "1"), Server::tool);
        let search = Search::new().pin("tool_7").pin("tool_9").about("issues, pull requests, releases and their files");
        let mut client = Client::modern(&server.searchable(search).build().unwrap());
        json!(client.tools().await).to_string()
    };
    let (ten, many) = (list(10).await, list(300).await);
    assert_eq!(ten, many, "the list does not depend on the number of tools");
    let tokens = o200k_base_singleton().encode_ordinary(&many).len();
    assert!(tokens <= 600, "{tokens}");
}

#[tokio::test]
async fn says_what_the_tools_are_about() {
    let service = office().searchable(Search::new().about("issues and invoices")).build().unwrap();
    let tools = Client::modern(&service).tools().await;
    assert!(tools[0]["description"].as_str().unwrap().ends_with("The tools are about: issues and invoices"));
    assert_eq!(tools[0]["annotations"], json!({ "readOnlyHint": true, "openWorldHint": false }));
    assert_eq!(tools[1]["annotations"], json!(null), "a called tool can change anything");
}

#[tokio::test]
async fn views_cannot_call_the_tools_of_the_search() {
    let tools = Client::modern(&searchable().build().unwrap()).tools().await;
    for tool in &tools[..2] {
        assert_eq!(tool["_meta"]["ui"]["visibility"], json!(["model"]), "{}", tool["name"]);
    }
    assert_eq!(tools[2]["_meta"], json!(null), "the pinned tool is as its author declared it");
}

#[tokio::test]
async fn the_list_follows_pinned_tools_that_come_and_go() {
    let service = office().dynamic_tools().searchable(Search::new().pin("late")).build().unwrap();
    let mut client = Client::modern(&service);
    assert_eq!(names(&mut client).await, ["search_tools", "call_tool"]);
    service.tools().add(named("late", "Comes late.")).unwrap();
    assert_eq!(names(&mut client).await, ["search_tools", "call_tool", "late"]);
    service.tools().remove("late");
    assert_eq!(names(&mut client).await, ["search_tools", "call_tool"]);
}

#[test]
fn build_refuses_a_pinned_tool_that_does_not_exist() {
    let error = office().searchable(Search::new().pin("curent_user")).build().unwrap_err().to_string();
    assert!(
        error.contains(
            "`Search::pin` names the tool `curent_user`, which the server does not have; did you mean `current_user`?"
        ),
        "{error}"
    );
}

#[test]
fn build_refuses_another_tool_with_the_name_of_a_search() {
    let server = searchable().tool(named("call_tool", "Calls."));
    let error = server.build().unwrap_err().to_string();
    assert!(error.contains("tool `call_tool`: two tools have this name"), "{error}");
}

#[test]
fn build_refuses_a_second_search() {
    let error = searchable().searchable(Search::new().pin("list_issues")).build().unwrap_err().to_string();
    assert!(error.contains("`Server::searchable` was called more than once; pin all tools in one `Search`"), "{error}");
}

/// Loads the rows of the table.
#[mcp_tool(visibility = "app")]
async fn rows() -> String {
    "rows".to_owned()
}

#[tokio::test]
async fn tools_that_only_views_call_stay_in_the_list_and_are_not_found() {
    let service = office().tools(tools![rows]).searchable(Search::new()).build().unwrap();
    let mut client = Client::modern(&service);
    assert_eq!(names(&mut client).await, ["search_tools", "call_tool", "rows"]);
    assert_eq!(super::found(&mut client, "rows of the table").await, [""; 0]);
    let refused = client.call("call_tool", super::of("rows", json!({}))).await;
    assert!(refused.text().starts_with("this server has no tool `rows`"), "{}", refused.text());
}
