//! A client of a server behind a URL.

use std::{any::Any, sync::Arc};

use http::{HeaderName, HeaderValue};

use super::Client;
use crate::{serve::remote::transport::http::url::Endpoint, wire::protocol::revision::Revision};

impl Client {
    /// Creates a client of the newest revision for the server at this URL. The transport is streamable HTTP. `https`
    /// needs the feature `remote`.
    ///
    /// Two restrictions of [`process`](Self::process) also apply here. They concern the keys of questions, and the
    /// methods that need the server in the test's own process. Also, a call with
    /// [`Fault::Restarts`](crate::testing::Fault::Restarts) fails, because the client cannot restart the server.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{Revision, prelude::*, testing::Client};
    /// use serde_json::json;
    /// use tokio::net::TcpListener;
    ///
    /// /// Greets a person.
    /// #[mcp_tool(read_only)]
    /// async fn greet(name: String) -> String {
    ///     format!("Hello, {name}!")
    /// }
    ///
    /// let service = Server::new("greeter", "1.0.0").tools(tools![greet]).build().unwrap();
    /// let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    /// let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    /// tokio::spawn(async move { service.serve_listener(listener, std::future::pending::<()>()).await });
    ///
    /// for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
    ///     let mut client = Client::url(&url).revision(revision).header("authorization", "Bearer secret");
    ///     assert_eq!(client.call("greet", json!({ "name": "Ann" })).await.text(), "Hello, Ann!");
    /// }
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if `url` is not an `http` or `https` URL.
    #[track_caller]
    pub fn url(url: &str) -> Self {
        match Endpoint::trusted(url) {
            Ok(endpoint) => Self::of(Arc::new(endpoint), Revision::LATEST),
            Err(problem) => panic!("{problem}"),
        }
    }

    /// Sends this header with every request, for example `authorization`.
    ///
    /// # Panics
    /// Panics if the client was not created by [`url`](Self::url), or the header is invalid.
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let Some(endpoint) = (&*self.server as &dyn Any).downcast_ref::<Endpoint>() else {
            panic!("only a client that was created with `Client::url` can send headers")
        };
        let mut endpoint = endpoint.clone();
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            (Ok(name), Ok(value)) => drop(endpoint.headers.insert(name, value)),
            _ => panic!("`{name}: {value}` is not a valid header"),
        }
        self.server = Arc::new(endpoint);
        self.with(|_| {})
    }
}
