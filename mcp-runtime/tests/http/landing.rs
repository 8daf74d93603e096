//! The landing page, over a connection to the server's own listener.

use std::net::SocketAddr;

use mcp_runtime::{Server, Service, auth::Authorization, http::AllowedHosts, prelude::*, settings::Secret};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::http::{auth::Tokens, wire::add};

const SECRET: &str = "s3cr3t-0b1c";

/// A server's own listener, which serves until the test ends.
async fn serve(service: &Service) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = service.clone();
    tokio::spawn(async move { service.serve_listener(listener, std::future::pending()).await });
    address
}

/// Sends a request with these headers and no body, and returns the head and the body of the response.
async fn send(address: SocketAddr, line: &str, headers: &[&str]) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    stream.write_all(format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

fn server() -> Server {
    Server::new("calculator", "1.2.3").title("Calculator").tools(tools![add]).landing_page()
}

#[tokio::test]
async fn the_page_is_at_the_root_with_the_url_of_the_endpoint() {
    let address = serve(&server().build().unwrap()).await;
    let (head, body) = send(address, "GET /", &["Host: localhost:8080"]).await;
    assert!(head.starts_with("http/1.1 200 ok\r\n"), "{head}");
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; style-src 'sha256-",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-cache",
    ] {
        assert!(head.contains(header), "{header} is not in {head}");
    }
    assert!(body.contains("<code>http://localhost:8080/mcp</code>") && body.contains("<code>add</code>"), "{body}");

    let (again, _) = send(address, "GET /", &["Host: 127.0.0.1"]).await;
    assert!(again.starts_with("http/1.1 200"), "{again}");
    let (_, behind) = send(address, "GET /", &["Host: localhost", "X-Forwarded-Proto: https"]).await;
    assert!(behind.contains("<code>https://localhost/mcp</code>"), "{behind}");
    let (head, body) = send(address, "HEAD /", &["Host: localhost"]).await;
    assert!(head.starts_with("http/1.1 200") && body.is_empty(), "{head}");
    let (head, _) = send(address, "POST /", &["Host: localhost", "Content-Length: 0"]).await;
    assert!(head.starts_with("http/1.1 405"), "{head}");
    let (head, _) = send(address, "GET /health", &["Host: localhost"]).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
}

#[tokio::test]
async fn there_is_no_page_unless_the_author_wants_one() {
    let service = Server::new("calculator", "1.2.3").tools(tools![add]).build().unwrap();
    let (head, _) = send(serve(&service).await, "GET /", &["Host: localhost"]).await;
    assert!(head.starts_with("http/1.1 404"), "{head}");
}

#[tokio::test]
async fn the_guard_is_before_the_page() {
    let address = serve(&server().build().unwrap()).await;
    for headers in [&["Host: evil.example.com"][..], &["Host: localhost", "Origin: https://evil.example.com"]] {
        let (head, body) = send(address, "GET /", headers).await;
        assert!(head.starts_with("http/1.1 403") && !body.contains("Calculator"), "{head} {body}");
    }
    let guarded = server().authorization(Authorization::new("https://mcp.example.com/mcp", Tokens));
    let address = serve(&guarded.build().unwrap()).await;
    let (head, _) = send(address, "GET /", &["Host: mcp.example.com"]).await;
    assert!(head.starts_with("http/1.1 401") && head.contains("www-authenticate"), "{head}");
    let (head, body) = send(address, "GET /", &["Host: mcp.example.com", "Authorization: Bearer ann-nothing"]).await;
    assert!(head.starts_with("http/1.1 200") && body.contains("<code>https://mcp.example.com/mcp</code>"), "{head}");
}

#[tokio::test]
async fn a_host_that_is_not_a_host_is_not_shown() {
    let service = server().allowed_hosts(AllowedHosts::new(["*"])).build().unwrap();
    let address = serve(&service).await;
    let (_, body) = send(address, "GET /", &["Host: mcp.example.com"]).await;
    assert!(body.contains("<code>https://mcp.example.com/mcp</code>"), "{body}");
    let (head, body) = send(address, "GET /", &["Host: x\"><script>alert(1)</script>"]).await;
    assert!(!head.starts_with("http/1.1 200") || body.contains("<code>https://HOST/mcp</code>"), "{head} {body}");
    assert!(!body.contains("<script"), "{body}");
}

#[tokio::test]
async fn the_page_shows_the_tools_of_now() {
    let service = server().dynamic_tools().build().unwrap();
    let address = serve(&service).await;
    let (_, before) = send(address, "GET /", &["Host: localhost"]).await;
    assert!(before.contains("<code>add</code>"), "{before}");
    service.tools().remove("add");
    let (_, after) = send(address, "GET /", &["Host: localhost"]).await;
    assert!(after.contains("This server has no tools."), "{after}");
}

#[derive(Settings)]
#[setting(prefix = "LANDING")]
struct PageSettings {
    /// Token of the service.
    token: Secret<String>,
}

/// Counts the tickets.
#[mcp_tool]
async fn tickets(settings: &PageSettings) -> String {
    settings.token.expose_secret().len().to_string()
}

#[tokio::test]
async fn the_page_contains_no_secret() {
    let settings = PageSettings { token: Secret::new(SECRET.to_owned()) };
    let service =
        Server::new("tickets", "1.0.0").state(settings).tools(tools![tickets]).landing_page().build().unwrap();
    let (_, body) = send(serve(&service).await, "GET /", &["Host: localhost"]).await;
    assert!(body.contains("Counts the tickets.") && !body.contains(SECRET), "{body}");
}
