//! Skills: embedded ones and those of a folder.

mod embedded;
mod folder;
mod listing;
mod shadowed;
mod watched;

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use mcp_runtime::{MemoryClient, Revision, Service};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;

/// A client of one revision, which sends any request.
struct Wire {
    client: MemoryClient,
    revision: Revision,
    last_id: u64,
}

impl Wire {
    async fn new(service: &Service, revision: Revision) -> Self {
        let mut wire = Self { client: service.memory(), revision, last_id: 0 };
        if !revision.is_modern() {
            let info = json!({ "name": "test", "version": "1" });
            let params = json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": info });
            wire.result("initialize", params).await;
            wire.client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        }
        wire
    }

    /// Sends a request, and returns its response.
    async fn response(&mut self, method: &str, mut params: Value) -> Value {
        self.last_id += 1;
        if self.revision.is_modern() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.revision.as_str(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.client.send(&message.to_string()).await;
        let response = self.next().await;
        assert_eq!(response["id"], self.last_id, "{response}");
        response
    }

    async fn result(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.response(method, params).await;
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    async fn error_code(&mut self, method: &str, params: Value) -> i64 {
        let response = self.response(method, params).await;
        response["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method}: {response}"))
    }

    async fn next(&mut self) -> Value {
        let message = timeout(Duration::from_secs(60), self.client.receive()).await.expect("a message").unwrap();
        serde_json::from_str(&message).unwrap()
    }

    /// Returns the items of all pages of a list, and how many pages there were.
    async fn all(&mut self, method: &str, member: &str, params: &Value) -> (Vec<Value>, usize) {
        let (mut items, mut params, mut pages) = (Vec::new(), params.clone(), 0);
        loop {
            let mut page = self.result(method, params.clone()).await;
            let Value::Array(found) = page[member].take() else { panic!("{page}") };
            items.extend(found);
            pages += 1;
            match page["nextCursor"].take() {
                Value::Null => return (items, pages),
                cursor => params["cursor"] = cursor,
            }
        }
    }

    async fn skills(&mut self) -> Vec<Value> {
        self.all("skills/list", "skills", &json!({})).await.0
    }

    /// Returns the bytes of a file.
    async fn read(&mut self, uri: &str) -> Vec<u8> {
        let result = self.result("resources/read", json!({ "uri": uri })).await;
        let contents = &result["contents"][0];
        match contents["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => BASE64_STANDARD.decode(contents["blob"].as_str().unwrap()).unwrap(),
        }
    }
}

/// Returns the digest as the protocol writes it, with another implementation than that of the server.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// Checks that a skill lists exactly these files, with the digests and sizes of what clients read.
async fn assert_complete(wire: &mut Wire, skill: &Value, expected: &[(String, Vec<u8>)]) {
    let listed = skill["resources"].as_array().unwrap();
    let uris: Vec<_> = listed.iter().map(|file| file["uri"].as_str().unwrap()).collect();
    let expected_uris: Vec<_> = expected.iter().map(|(uri, _)| &**uri).collect();
    assert_eq!(uris, expected_uris);
    for (file, (uri, bytes)) in listed.iter().zip(expected) {
        assert_eq!(file["digest"], sha256(bytes), "{uri}");
        assert_eq!(file["size"], bytes.len(), "{uri}");
        assert_eq!(file.as_object().unwrap().len(), 3, "{file}");
        assert_eq!(&wire.read(uri).await, bytes, "{uri}");
    }
}
