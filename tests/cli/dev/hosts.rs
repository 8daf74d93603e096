//! Hosts that connect to the command `dev`.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::json;

use super::{Dev, LONG, Workspace, compiler_error};

/// The address for hosts.
struct HostAddress {
    address: String,
    path: String,
}

impl HostAddress {
    fn of(dev: &Dev) -> Self {
        let lines = dev.line("dev: hosts connect to http://");
        let url = lines.last().unwrap().split("http://").nth(1).unwrap().split(';').next().unwrap();
        let (address, token) = url.split_once("/mcp/").unwrap();
        assert_eq!(token.len(), 64, "{url}");
        Self { address: address.to_owned(), path: format!("/mcp/{token}") }
    }

    fn send(&self, request: &str, body: &str) -> String {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(LONG)).unwrap();
        let head = format!("host: {}\r\nconnection: close\r\ncontent-length: {}", self.address, body.len());
        connection.write_all(format!("{request}{head}\r\n\r\n{body}").as_bytes()).unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).unwrap();
        response
    }

    /// Lists the tools, as a client of the current revision.
    fn list(&self, id: u32) -> String {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "editor", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": { "_meta": meta } });
        let head = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
                    mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\n";
        self.send(&format!("POST {} HTTP/1.1\r\n{head}", self.path), &body.to_string())
    }
}

#[test]
fn a_host_stays_connected_while_the_program_is_built_again() {
    let workspace = Workspace::new("cli_server");
    let dev = workspace.start(&["dev", "--no-page"]);
    let host = HostAddress::of(&dev);
    // The first build has only begun.
    let listed = host.list(1);
    assert!(listed.starts_with("HTTP/1.1 200 ") && listed.contains("\"tools\":["), "{listed}");
    let lines = dev.line(" tools/list of request 1, ");
    assert!(lines.last().unwrap().starts_with("editor -> "), "{lines:?}");
    let lines = dev.line(" result of request 1, ");
    assert!(lines.last().unwrap().starts_with("editor <- "), "{lines:?}");

    let first = workspace.running();
    workspace.write("program", &format!("{}# changed\n", workspace.read("program")));
    workspace.change();
    dev.line("dev: building");
    let listed = host.list(2);
    assert!(listed.starts_with("HTTP/1.1 200 "), "{listed}");
    let lines = dev.line(" result of request 2, ");
    assert!(lines.iter().any(|line| line.starts_with("dev: built in")), "{lines:?}");
    assert_ne!(workspace.running(), first);
}

#[test]
fn a_host_reads_why_the_program_cannot_be_built() {
    let workspace = Workspace::new("cli_server");
    workspace.write("build.json", &compiler_error());
    let dev = workspace.start(&["dev", "--no-page"]);
    let refused = HostAddress::of(&dev).list(1);
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("\r\nretry-after: 5\r\n"), "{refused}");
    assert!(refused.contains(r#""message":"the program cannot be built: cannot find value `x`""#), "{refused}");
    dev.line(" error of request 1, ");
}

#[test]
fn the_address_for_hosts_stays_the_same_and_is_shown_as_a_command() {
    let workspace = Workspace::new("cli_server");
    let dev = workspace.start(&["dev"]);
    let lines = dev.line("dev: for example: ");
    let [page, hosts, command] = &lines[..] else { panic!("{lines:?}") };
    assert!(page.starts_with("dev: the page is http://127.0.0.1:"), "{page}");
    let (url, hint) = hosts.strip_prefix("dev: hosts connect to ").unwrap().split_once("; ").unwrap();
    assert_eq!(hint, "with `--port N` the address stays the same");
    let expected = format!("dev: for example: claude mcp add -s user --transport http cli_server-dev {url}");
    assert_eq!(*command, expected);
    drop(dev);

    let dev = workspace.start(&["dev", "--no-page"]);
    let host = HostAddress::of(&dev);
    assert!(url.ends_with(&host.path), "{url} {}", host.path);
    for path in ["/", "/api/state", "/mcp", "/mcp/0000"] {
        let refused = host.send(&format!("GET {path} HTTP/1.1\r\n"), "");
        assert!(refused.starts_with("HTTP/1.1 404 ") && refused.ends_with("\r\n\r\n"), "{path}: {refused}");
    }
}
