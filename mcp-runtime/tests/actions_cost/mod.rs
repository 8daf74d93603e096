//! What the definition of a tool costs a model, in tokens: one tool with thirty actions against thirty tools.

mod office;

use mcp_runtime::Server;
use serde_json::{Value, json};
use tiktoken_rs::o200k_base_singleton;

use crate::actions_cost::office::{one_tool, with_thirty_tools};

/// Counts the tokens of a text in `o200k_base`, the encoding of the models since GPT-4o.
fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

/// What a client passes to the model with every request: the definitions, and the instructions if there are any.
fn cost(server: Server) -> (usize, usize) {
    let manifest = server.build().unwrap().manifest();
    let tools = manifest["tools"].as_array().unwrap();
    let instructions = manifest["instructions"].as_str().map_or(0, tokens);
    (tools.len(), tokens(&Value::from(tools.clone()).to_string()) + instructions)
}

#[tokio::test]
async fn a_tool_with_thirty_actions_costs_less_than_a_third_of_thirty_tools() {
    let (one, with_actions) = cost(Server::new("office", "1.0.0").tool(one_tool()));
    let (thirty, separate) = cost(with_thirty_tools(Server::new("office", "1.0.0")));
    assert_eq!((one, thirty), (1, 30));
    assert!(with_actions * 10 <= separate * 3, "{with_actions} tokens of {separate}");
    assert!(separate > 30 * 80, "each tool is described as tools are: {separate}");

    // The parameters are read when the model needs them.
    let mut described = Vec::new();
    for name in ["create_task", "search_documents", "cancel_meeting"] {
        let description = one_tool().handle(json!({ "action": "describe", "params": { "action": name } })).await;
        described.push(tokens(&description.to_string()));
    }
    let task = with_actions + described.iter().sum::<usize>();
    assert!(task * 3 <= separate * 2, "with three descriptions: {task} of {separate}");
}
