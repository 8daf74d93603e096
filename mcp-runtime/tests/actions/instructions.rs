//! The instructions guide the sequence.

use mcp_runtime::{Server, Service, Tool as _};
use serde_json::json;

use crate::actions::pipelines::{Team, pipelines};

fn instructions(service: &Service) -> String {
    service.manifest()["instructions"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn instructions_guide_the_sequence() {
    let server = Server::new("s", "1.0.0").state(Team("red")).tool(pipelines());
    let text = instructions(&server.build().unwrap());
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("`{part}` is missing: {text}"));
    assert!(text.starts_with("`pipelines` is one tool with several actions."));
    let all = place(r#"1. {"action":"describe"} lists the actions"#);
    let one = place(r#"2. {"action":"describe","params":{"action":"runs"}} shows"#);
    assert!(all < one && one < place("3. Call the action"));
    assert!(place(r#"{"action":"describe","params":{"name":"…"}}"#) < place("Prefer short pipelines."));
}

#[test]
fn instructions_of_the_server_come_first_and_can_be_extended() {
    let tool = pipelines().instructions("Ask before you start one.").with_name("flows");
    let server = Server::new("s", "1.0.0").instructions("Be kind.").state(Team("red")).tool(tool);
    let text = instructions(&server.build().unwrap());
    assert!(text.starts_with("Be kind.\n\n`flows` is one tool"), "{text}");
    assert!(text.ends_with("Prefer short pipelines.\nAsk before you start one."), "{text}");
}

#[tokio::test]
async fn instructions_reach_the_client() {
    let service = Server::new("s", "1.0.0").state(Team("red")).tool(pipelines()).build().unwrap();
    let mut client = service.memory();
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    client.send(&request.to_string()).await;
    let answer = client.receive().await.unwrap();
    assert!(answer.contains("`pipelines` is one tool with several actions."), "{answer}");
}
