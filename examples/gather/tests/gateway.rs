//! The program as a client and as its operator meet it: a process with a file that names a server.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use mcp_runtime::{prelude::*, testing::Client};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Opens a ticket.
#[mcp_tool]
async fn create(project: String, text: String) -> String {
    format!("{project}: {text}")
}

/// Closes all tickets.
#[mcp_tool]
async fn close_all() -> &'static str {
    "closed"
}

/// Serves tickets, and returns their URL.
async fn tickets() -> String {
    let service = Server::new("tickets", "1.0.0").tools(tools![create, close_all]).build().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { service.serve_listener(listener, std::future::pending()).await });
    url
}

/// The program with this text in its file.
fn program(name: &str, text: &str) -> Command {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
    fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gather"));
    command.env("GATHER_CONFIG", file).env_remove("MCP_CONFIG");
    command
}

#[tokio::test]
async fn offers_the_tools_that_the_file_allows() {
    let url = tickets().await;
    let text = format!(
        "[servers.tickets]\nurl = \"{url}\"\nexcept = [\"close_all\"]\n\
         [servers.tickets.tools.create]\nname = \"open\"\nfixed = {{ project = \"support\" }}\n\
         [servers.gone]\nurl = \"http://127.0.0.1:1/mcp\"\n"
    );
    let mut client = Client::process(program("allows", &text));
    let tools = client.tools().await;
    let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["tickets_open"]);
    assert_eq!(tools[0]["inputSchema"]["properties"]["project"], Value::Null);
    assert_eq!(client.call("tickets_open", json!({ "text": "help" })).await.text(), "support: help");
}

#[tokio::test]
async fn limits_the_calls_of_a_caller() {
    let url = tickets().await;
    let text = format!("calls_per_minute = 2\n[servers.tickets]\nurl = \"{url}\"\n");
    let mut client = Client::process(program("limits", &text));
    for _ in 0..2 {
        assert_eq!(client.call("tickets_close_all", json!({})).await.text(), "closed");
    }
    let refused = client.call("tickets_close_all", json!({})).await;
    assert!(refused.error().unwrap().message.starts_with("at most 2 calls in a minute"), "{refused:?}");
}

#[test]
fn says_what_is_wrong_with_the_file() {
    for (name, text, problem) in [
        ("target", "[servers.a]\n", "the server `a`: write either `command` or `url`"),
        (
            "token",
            "[servers.a]\nurl = \"http://a\"\ntoken_env = \"GATHER_NONE\"\n",
            "the variable `GATHER_NONE` is not set",
        ),
        ("member", "[servers.a]\nuri = \"http://a\"\n", "unknown field `uri`"),
    ] {
        let output = program(name, text).arg("tools").stdin(Stdio::null()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(problem), "{errors}");
    }
}
