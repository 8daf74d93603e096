//! The address of a server over HTTP.

use std::{any::Any, sync::Arc};

use http::{HeaderMap, HeaderName, HeaderValue, Uri};

use super::HttpTransport;
use crate::{
    edge::testing::{
        client::{Client, ClientSettings},
        transport::{Target, Transport},
    },
    wire::protocol::revision::Revision,
};

/// The address of a server, and additional headers of each request.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    pub(super) authority: String,
    pub(super) address: String,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
}

impl Endpoint {
    /// Parses an `http` URL. The error says what is wrong with the URL.
    fn parse(url: &str) -> Result<Self, String> {
        let uri: Uri = url.parse().map_err(|error| format!("`{url}` is not a URL: {error}"))?;
        let authority = uri.authority().filter(|_| uri.scheme_str() == Some("http"));
        let Some(authority) = authority else {
            return Err(format!("`{url}` is not an `http` URL; write one such as `http://127.0.0.1:8080/mcp`"));
        };
        let address = format!("{}:{}", authority.host(), authority.port_u16().unwrap_or(80));
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { authority: authority.to_string(), address, path, headers: HeaderMap::new() })
    }
}

impl Target for Endpoint {
    fn connect(&self, settings: &ClientSettings) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(HttpTransport::new(Arc::new(self.clone()), settings.profile.revision)))
    }

    fn forget_futures(&self) -> Result<(), String> {
        let advice = "use `Client::process`, or a `Trouble` that restarts nothing";
        Err(format!("a client cannot restart the server behind a URL; {advice}"))
    }
}

impl Client {
    /// Creates a client of the newest revision for the server at this URL. The transport is streamable HTTP. `https` is
    /// not supported.
    ///
    /// Two restrictions of [`process`](Self::process) also apply here. They concern the keys of questions, and the
    /// methods that need the server in the test's own process. Also, a call with
    /// [`Trouble::Restarts`](crate::testing::Trouble::Restarts) fails, because the client cannot restart the server.
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
    /// Panics if `url` is not an `http` URL.
    #[track_caller]
    pub fn url(url: &str) -> Self {
        match Endpoint::parse(url) {
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
