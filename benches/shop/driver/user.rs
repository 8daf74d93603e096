//! A user: a client with one connection.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{
    Result,
    response::{Head, message},
};

pub(crate) struct User {
    stream: TcpStream,
    /// The headers of each request, except for its length.
    head: String,
    next: u64,
    sent: String,
    read: Vec<u8>,
}

impl User {
    /// Connects, and opens a session of 2025-11-25.
    pub(crate) async fn in_session(address: SocketAddr) -> Result<Self> {
        let mut user = Self::connect(address, "").await?;
        let client = json!({ "name": "user", "version": "1.0.0" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let (_, session) = user.post(&hello.to_string()).await?;
        let session = session.ok_or("the server opened no session")?;
        user.head += &format!("MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: {session}\r\n");
        user.post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await?;
        Ok(user)
    }

    /// Connects as a client of 2026-07-28 that calls this tool.
    pub(crate) async fn without_session(address: SocketAddr, tool: &str) -> Result<Self> {
        let head = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n");
        Self::connect(address, &head).await
    }

    async fn connect(address: SocketAddr, more: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAccept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\n{more}"
        );
        Ok(Self { stream, head, next: 1, sent: String::new(), read: Vec::new() })
    }

    /// Calls a tool and returns the result.
    pub(crate) async fn call(&mut self, params: &Value) -> Result<Value> {
        let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": "tools/call", "params": params });
        self.next += 1;
        let (reply, _) = self.post(&request.to_string()).await?;
        let mut reply: Value = serde_json::from_str(message(&reply))?;
        match reply["result"].take() {
            Value::Null => Err(format!("no result: {reply}").into()),
            result => Ok(result),
        }
    }

    /// Posts a message. Returns the body of the response, and its session.
    async fn post(&mut self, body: &str) -> Result<(String, Option<String>)> {
        self.sent.clear();
        self.sent.push_str(&self.head);
        self.sent.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.stream.write_all(self.sent.as_bytes()).await?;
        loop {
            if let Some(head) = Head::read(&self.read)?
                && let Some((body, end)) = head.body(&self.read)?
            {
                if !matches!(head.status, 200 | 202) {
                    return Err(format!("{}: {body}", head.status).into());
                }
                let response = (body.into_owned(), head.session.map(str::to_owned));
                self.read.drain(..end);
                return Ok(response);
            }
            if self.stream.read_buf(&mut self.read).await? == 0 {
                return Err("the server closed the connection".into());
            }
        }
    }
}
