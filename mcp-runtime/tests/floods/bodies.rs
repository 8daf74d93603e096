//! Bodies that a client begins to send and never ends.

use std::{
    convert::Infallible,
    net::Ipv4Addr,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::Request,
    routing::post,
};
use http_body::Frame;
use mcp_runtime::{
    Server, contract,
    contract::{Contract, jsonrpc, rest},
    http::ClientAddress,
    plugin::PluginHost,
};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use crate::{floods::memory::Idle, support::own_process::in_own_process};

/// The bodies of one client, and the bytes that it sends of each.
const BODIES: usize = 600;
const BYTES: usize = 1_000_000;

struct Echo;

/// Echoes.
#[contract(resource = "echoes")]
impl Echo {
    /// Returns the text.
    async fn create(&self, text: String) -> String {
        text
    }
}

struct Unfinished {
    left: usize,
}

impl http_body::Body for Unfinished {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.left.min(16 * 1024);
        if piece == 0 {
            return Poll::Pending;
        }
        self.left -= piece;
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b' '; piece])))))
    }
}

fn request(path: &str, client: u8, body: Body) -> Request<Body> {
    let mut request = Request::post(path).header("host", "localhost").header("content-type", "application/json");
    request = request.header("x-user", "ann").extension(ClientAddress(Ipv4Addr::new(192, 0, 2, client).into()));
    request.body(body).unwrap()
}

#[tokio::test(start_paused = true)]
async fn unfinished_bodies_take_little_memory_at_every_endpoint_and_give_it_back() {
    in_own_process!();
    let contract = Contract::builder("flood").resource(Echo.into_resource()).build().unwrap();
    let service = Server::new("flood", "1").contract(&contract).build().unwrap();
    let contract = contract.served_by(&service).unwrap();
    let host = PluginHost::builder(Server::new("flood", "1")).start().await.unwrap();
    let own = Router::new().route("/own", post(async |body: String| body)).layer(service.guard());
    let app = own.merge(service.mount("/mcp")).nest("/plugins", host.router());
    let app = jsonrpc::mount(app, "/rpc", contract.clone(), jsonrpc::Options::new()).unwrap();
    let app = rest::mount(app, contract, rest::Options::new()).unwrap();
    let idle = Idle::measure();
    for path in ["/mcp", "/echoes", "/rpc", "/own", "/plugins/calls"] {
        let mut sent = JoinSet::new();
        for _ in 0..BODIES {
            sent.spawn(app.clone().oneshot(request(path, 1, Body::new(Unfinished { left: BYTES }))));
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        idle.assert_peak();
        // Another client is served meanwhile.
        let body = r#"{"text":"a","padding":null}"#;
        let other = app.clone().oneshot(request(path, 2, body.into())).await.unwrap();
        assert!(![408, 429, 503].contains(&other.status().as_u16()), "{path}: {}", other.status());
        let mut answered = 0;
        while let Some(reply) = sent.join_next().await {
            let status = reply.unwrap().unwrap().status();
            assert!([401, 408, 429].contains(&status.as_u16()), "{path}: {status}");
            answered += 1;
        }
        assert_eq!(answered, BODIES);
    }
    // The allocator keeps the memory of one flood for the next. If bodies stayed, there would be that of five.
    idle.assert_peak();
}
