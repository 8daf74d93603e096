//! A gateway with many servers and tools.

use std::{collections::HashSet, time::Duration};

use mcp_runtime::{
    Service, Tool,
    prelude::*,
    remote::Remote,
    tool::{DynamicTool, ToolDefinition},
};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::tasks::wire::Wire;

const SERVERS: usize = 20;
const TOOLS: usize = 50;

fn tool(name: String) -> impl Tool {
    let definition = ToolDefinition::new(name, "Says its name.");
    DynamicTool::new(definition, async |_: Ctx, _: Value| "named")
}

/// Returns a server with many tools.
fn server(number: usize) -> Service {
    let tools: Vec<_> = (0..TOOLS).map(|at| Box::new(tool(format!("tool_{at}"))) as Box<dyn Tool>).collect();
    Server::new(format!("server-{number}"), "1").dynamic_tools().tools(tools).build().unwrap()
}

/// Returns the names of the tools, page by page.
async fn pages(service: &Service) -> Vec<Vec<String>> {
    let (mut client, mut pages, mut params) = (Wire::new(service), Vec::new(), json!({}));
    loop {
        let page = client.result("tools/list", params).await;
        let names = page["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
        pages.push(names.collect());
        match &page["nextCursor"] {
            Value::Null => return pages,
            next => params = json!({ "cursor": next }),
        }
    }
}

#[tokio::test]
async fn a_thousand_tools_are_one_list_in_the_order_of_the_mounts() {
    let servers: Vec<_> = (0..SERVERS).map(server).collect();
    let mut gateway = Server::new("gateway", "1").page_size(100);
    for (number, server) in servers.iter().enumerate() {
        gateway = gateway.mount(format!("s{number}"), Remote::service(server));
    }
    let service = gateway.build().unwrap();
    let first = pages(&service).await;
    assert!(first.len() == 10 && first.iter().all(|page| page.len() == 100), "{:?}", first.iter().map(Vec::len));
    let expected: Vec<_> =
        (0..SERVERS).flat_map(|server| (0..TOOLS).map(move |at| format!("s{server}_tool_{at}"))).collect();
    assert_eq!(first.concat(), expected);
    assert_eq!(pages(&service).await, first);
    assert!(service.mounts().iter().all(|mount| mount.tools == TOOLS && mount.warnings.is_empty()));

    // A server that changes keeps the others as they are.
    servers[3]
        .tools()
        .edit(|list| {
            list.remove("tool_7");
            list.add(tool("tool_new".to_owned()));
        })
        .unwrap();
    let changed = async {
        loop {
            let names = pages(&service).await.concat();
            if names.iter().any(|name| name == "s3_tool_new") {
                return names;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let names = timeout(Duration::from_secs(10), changed).await.unwrap();
    let (before, after): (HashSet<_>, HashSet<_>) = (expected.iter().collect(), names.iter().collect());
    assert_eq!((names.len(), after.len()), (SERVERS * TOOLS, SERVERS * TOOLS));
    assert_eq!(before.difference(&after).collect::<Vec<_>>(), [&"s3_tool_7"]);
    assert_eq!(after.difference(&before).collect::<Vec<_>>(), [&"s3_tool_new"]);
}
