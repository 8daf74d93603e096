//! Requests to servers that do not behave.

mod limits;
mod requests;
#[cfg(feature = "remote")]
mod tls;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use super::*;

pub(crate) const LONG: Duration = Duration::from_secs(20);

const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 1000000000000\r\n\r\n";

/// A connection on which a server reads requests and writes responses.
pub(crate) struct ServerSide<S>(pub(crate) S);

impl<S: AsyncRead + AsyncWrite + Unpin> ServerSide<S> {
    /// Reads the head and the body of the next request. Returns an empty text at the end of the connection.
    pub(crate) async fn read(&mut self) -> String {
        let mut read = Vec::new();
        let mut byte = [0];
        while !read.ends_with(b"\r\n\r\n") {
            if self.0.read(&mut byte).await.unwrap_or(0) == 0 {
                return String::new();
            }
            read.push(byte[0]);
        }
        let mut text = String::from_utf8(read).unwrap();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        self.0.read_exact(&mut body).await.unwrap();
        text.push_str(&String::from_utf8(body).unwrap());
        text
    }

    pub(crate) async fn write(&mut self, text: &str) -> bool {
        self.0.write_all(text.as_bytes()).await.is_ok()
    }

    pub(crate) async fn reply(&mut self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        self.write(&format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}")).await;
    }

    pub(crate) async fn answer(&mut self, body: &Value) {
        self.reply("200 OK", "content-type: application/json\r\n", &body.to_string()).await;
    }
}

struct TestServer {
    listener: TcpListener,
    url: String,
}

impl TestServer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        Self { listener, url }
    }

    async fn accept(&self) -> ServerSide<TcpStream> {
        ServerSide(timeout(LONG, self.listener.accept()).await.unwrap().unwrap().0)
    }

    fn client(&self, revision: Revision) -> HttpTransport {
        let mut endpoint = Endpoint::parse(&self.url).unwrap();
        endpoint.max_message = 10_000;
        HttpTransport::new(Arc::new(endpoint), revision)
    }
}

async fn call(client: &mut HttpTransport, id: u64) {
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "a" } });
    timeout(LONG, client.send(&message.to_string())).await.unwrap().unwrap();
}

async fn received(client: &mut HttpTransport) -> Result<ServerText, ReceiveError> {
    timeout(LONG, client.receive()).await.unwrap()
}

fn result(id: u64) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": {} })
}

fn notification(text: &str) -> String {
    let message = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": text } });
    format!("data: {message}\n\n")
}
