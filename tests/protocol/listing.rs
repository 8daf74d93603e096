//! `tools/list` returns the same tools in the same order, page by page. Each tool has the fields of the revision.

use mcp_runtime::{
    Revision, Server,
    call::Capability,
    content::{Icon, Theme},
    prelude::*,
    tool::ToolDefinition,
};
use serde_json::{Value, json};

use crate::protocol::{client::Client, server, service};

async fn tools(client: &mut Client) -> Vec<Value> {
    client.result("tools/list", json!({})).await["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn describes_a_tool_with_the_fields_of_the_revision() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let tools = tools(&mut client).await;
        let add = tools.iter().find(|tool| tool["name"] == "add").unwrap();
        let mut expected = json!({
            "name": "add",
            "description": "Adds two numbers.",
            "inputSchema": add["inputSchema"],
        });
        if revision >= Revision::V2025_03_26 {
            expected["annotations"] = json!({ "readOnlyHint": true, "destructiveHint": false,
                "idempotentHint": true, "openWorldHint": false });
        }
        if revision >= Revision::V2025_06_18 {
            expected["title"] = json!("Add");
            expected["outputSchema"] = add["outputSchema"].clone();
            expected["_meta"] = json!({ "com.example/unit": "one" });
            assert_eq!(add["outputSchema"]["required"], json!(["total"]));
        }
        assert_eq!(add, &expected, "{revision}");
        assert_eq!(add["inputSchema"]["properties"]["a"]["description"], "The first of them.");
        assert_eq!(add["inputSchema"]["required"], json!(["a"]));

        let numbers = tools.iter().find(|tool| tool["name"] == "numbers").unwrap();
        assert_eq!(numbers.get("outputSchema").is_some(), revision.is_modern(), "its root is no object");
    }
}

#[tokio::test]
async fn parameters_are_listed_in_the_order_they_were_declared() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    client.send(&client.message(&json!(1), "tools/list", json!({})).to_string()).await;
    let tools = client.next_response().await;
    let everything =
        tools["result"]["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "everything").unwrap();
    let properties: Vec<&String> = everything["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(properties, ["any", "tree", "map", "maybe"]);
}

#[tokio::test]
async fn the_root_of_every_input_schema_is_a_plain_object() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        for tool in tools(&mut client).await {
            let schema = &tool["inputSchema"];
            assert_eq!(schema["type"], "object");
            for word in ["oneOf", "anyOf", "allOf", "$ref", "title", "$schema"] {
                assert!(schema.get(word).is_none(), "`{word}` at the root of {tool}");
            }
        }
    }
}

#[tokio::test]
async fn follows_pages_to_the_end() {
    let service = five_tools().page_size(2).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        for _ in 0..2 {
            let mut cursor = None;
            let mut pages = Vec::new();
            loop {
                let params = cursor.map_or(json!({}), |cursor: Value| json!({ "cursor": cursor }));
                let page = client.result("tools/list", params).await;
                pages.push(names(page["tools"].as_array().unwrap()).join(" "));
                cursor = page.get("nextCursor").cloned();
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(pages, ["t0 t1", "t2 t3", "t4"]);
        }
    }
}

#[tokio::test]
async fn a_full_last_page_has_no_cursor() {
    let service = five_tools().page_size(5).build().unwrap();
    let mut client = Client::open(&service, Revision::V2026_07_28).await;
    assert!(client.result("tools/list", json!({})).await.get("nextCursor").is_none());
}

#[tokio::test]
async fn rejects_an_unknown_cursor() {
    for page_size in [2, 250, usize::MAX] {
        let service = five_tools().page_size(page_size).build().unwrap();
        for revision in Revision::ALL {
            let mut client = Client::open(&service, revision).await;
            for cursor in
                ["", "page-3", "page-0", "page--1", "page-01", "page-999999", "page-18446744073709551615", "x"]
            {
                let error = client.error("tools/list", json!({ "cursor": cursor })).await;
                assert_eq!(error["code"], -32602, "{cursor}");
            }
            for cursor in [json!(1), json!({}), json!(["page-1"])] {
                let request = client.message(&json!("c"), "tools/list", json!({ "cursor": cursor }));
                assert_eq!(client.refused(&request.to_string()).await["code"], -32602);
            }
            client.works().await;
        }
    }
}

#[tokio::test]
async fn a_list_is_the_same_for_every_client_and_request() {
    let service = service();
    for revision in Revision::ALL {
        let mut texts = Vec::new();
        for _ in 0..2 {
            let mut client = Client::open(&service, revision).await;
            texts.push(json!(tools(&mut client).await).to_string());
            client.call("fail", json!({})).await;
            texts.push(json!(tools(&mut client).await).to_string());
        }
        assert!(texts.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[tokio::test]
async fn tools_keep_their_order() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let tools = tools(&mut client).await;
        assert_eq!(names(&tools)[..5], ["echo", "add", "numbers", "gallery", "everything"]);
    }
}

#[tokio::test]
async fn a_server_without_tools_lists_none() {
    let service = Server::new("empty", "0").build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        assert!(tools(&mut client).await.is_empty());
    }
}

#[tokio::test]
async fn the_manifest_contains_the_newest_list() {
    let service = server().0.build().unwrap();
    let mut client = Client::open(&service, Revision::V2026_07_28).await;
    let listed = tools(&mut client).await;
    let manifest = service.manifest();
    for (tool, described) in listed.iter().zip(manifest["tools"].as_array().unwrap()) {
        for (member, value) in tool.as_object().unwrap() {
            assert_eq!(&described[member], value);
        }
    }
    let timeout = manifest["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "brief").unwrap();
    assert_eq!(timeout["timeoutMs"], 50);
}

/// Returns a server with five tools that do nothing.
fn five_tools() -> Server {
    (0..5).fold(Server::new("five", "0"), |server, number| server.tool(Nothing(format!("t{number}"))))
}

struct Nothing(String);

impl mcp_runtime::Tool for Nothing {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new(self.0.clone(), "Does nothing.").optional(Capability::Roots)
    }

    fn call(
        &self,
        _: mcp_runtime::Call,
        _: mcp_runtime::tool::Arguments<'_>,
    ) -> Result<mcp_runtime::call::CallFuture, mcp_runtime::tool::ArgumentsError> {
        Ok(Box::pin(async { Ok(mcp_runtime::CallToolResult::default()) }))
    }
}

/// Draws a shape.
#[mcp_tool(icons("https://example.com/draw.svg", Icon::new("data:image/png;base64,AA==").theme(Theme::Dark)))]
async fn draw() {}

/// Asks for a drawing.
#[mcp_prompt(icons("https://example.com/ask.svg"))]
async fn ask_to_draw() -> &'static str {
    "Draw."
}

/// A drawing.
#[mcp_resource("test://drawings/{name}", icons("https://example.com/drawing.svg"))]
async fn drawing(name: String) -> String {
    name
}

#[tokio::test]
async fn every_kind_of_item_has_icons_since_2025_11_25() {
    let server = Server::new("s", "1").tools(tools![draw]).prompts(prompts![ask_to_draw]);
    let service = server.resources(resources![drawing]).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        for (method, list, expected) in [
            (
                "tools/list",
                "tools",
                json!([
                    { "src": "https://example.com/draw.svg" },
                    { "src": "data:image/png;base64,AA==", "theme": "dark" },
                ]),
            ),
            ("prompts/list", "prompts", json!([{ "src": "https://example.com/ask.svg" }])),
            ("resources/templates/list", "resourceTemplates", json!([{ "src": "https://example.com/drawing.svg" }])),
        ] {
            let listed = client.result(method, json!({})).await;
            let expected = Some(expected).filter(|_| revision >= Revision::V2025_11_25);
            assert_eq!(listed[list][0].get("icons"), expected.as_ref(), "{revision} {method}");
        }
    }
}
