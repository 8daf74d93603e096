//! The program as a client meets it: a process whose file of tools changes.

mod served;

use std::{thread, time::Duration};

use mcp_runtime::{
    Revision,
    testing::{Client, Notice},
};
use serde_json::{Value, json};

use crate::served::{Served, ServedOverHttp, ToolsFolder};

fn tool(name: &str, template: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer", "maximum": 9 } } });
    json!({ "name": name, "description": "A tool.", "inputSchema": schema, "template": template })
}

#[test]
fn the_tools_of_the_example_are_called() {
    let mut served = Served::start(concat!(env!("CARGO_MANIFEST_DIR"), "/tools.json").as_ref());
    let message = served.call("commit_message", json!({ "type": "fix", "summary": "close the door", "issue": 7 }));
    assert_eq!(message["content"][0]["text"], "fix: close the door\n\nCloses #7");
    let list = served.call("checklist", json!({ "title": "Release", "steps": ["test", "tag"] }));
    assert_eq!(list["content"][0]["text"], "## Release\n\n- [ ] test\n- [ ] tag");
}

#[test]
fn the_schema_is_enforced() {
    let folder = ToolsFolder::new(&json!([tool("echo", "{{ n }}")]));
    let mut served = Served::start(&folder.file());
    assert_eq!(served.call("echo", json!({ "n": 9 }))["content"][0]["text"], "9");
    let refused = served.call("echo", json!({ "n": 10 }));
    assert_eq!(refused["isError"], true);
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`n`") && text.contains("10") && text.contains("at most 9"), "{text}");
}

#[test]
fn a_reload_adds_replaces_and_removes_tools_with_one_notice() {
    let folder = ToolsFolder::new(&json!([tool("same", "same"), tool("old", "old"), tool("new", "before")]));
    let mut served = Served::start(&folder.file());
    assert_eq!(served.tools(), ["same", "old", "new"]);
    folder.write(&json!([tool("same", "same"), tool("new", "after"), tool("more", "more")]));
    assert_eq!(served.notice()["method"], "notifications/tools/list_changed");
    thread::sleep(Duration::from_millis(400));
    // Fails if a second notice comes before the answer.
    assert_eq!(served.tools(), ["same", "new", "more"]);
    assert_eq!(served.call("new", json!({}))["content"][0]["text"], "after");
}

#[test]
fn a_file_with_a_mistake_keeps_the_tools() {
    let folder = ToolsFolder::new(&json!([tool("first", "1")]));
    let mut served = Served::start(&folder.file());
    let twice = json!([tool("first", "2"), tool("first", "3")]).to_string();
    let template = json!([tool("first", "{{ n")]).to_string();
    let name = json!([tool("first", "2"), tool("not a name", "")]).to_string();
    for (broken, reason) in [
        ("[{", "is not a list of tools: EOF"),
        (&twice, "has the tool `first` twice; rename one"),
        (&template, "the template of the tool `first`: syntax error"),
        (&name, "tool `not a name`"),
    ] {
        folder.write_text(broken);
        // One change can be two events, so the earlier mistake can be logged twice.
        let is_logged = |line: &String| line.starts_with("the tools stay as they are: ") && line.contains(reason);
        while !is_logged(&served.log_line()) {}
        assert_eq!(served.tools(), ["first"]);
        assert_eq!(served.call("first", json!({}))["content"][0]["text"], "1");
    }
    folder.write(&json!([tool("second", "2")]));
    served.notice();
    assert_eq!(served.tools(), ["second"]);
}

#[tokio::test]
async fn clients_over_http_get_one_notice_for_a_reload() {
    let folder = ToolsFolder::new(&json!([tool("old", "old")]));
    let served = ServedOverHttp::start(&folder.file());
    let revisions = [Revision::V2025_11_25, Revision::V2026_07_28];
    let mut clients = revisions.map(|revision| Client::url(&served.url).revision(revision));
    for client in &mut clients {
        client.subscribed([Notice::Tools]).await;
        assert_eq!(client.call("old", json!({})).await.text(), "old");
    }
    folder.write(&json!([tool("new", "{{ n }}"), tool("more", "more")]));
    for client in &mut clients {
        assert_eq!(client.notice().await, Notice::Tools);
        assert_eq!(client.call("new", json!({ "n": 7 })).await.text(), "7");
        let names: Vec<_> = client.tools().await.into_iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, ["new", "more"]);
        assert_eq!(client.notices(Duration::from_millis(400)).await, []);
    }
}
