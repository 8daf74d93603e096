//! The server written with `rmcp` in its fastest configuration. Run it with `http_rmcp ADDRESS TOOLS`. It uses one
//! thread, builds the router once, sends JSON if a response is a single message, and does not delay small packets.

#[path = "../../../src/tools/names.rs"]
mod names;
#[path = "../../../src/tools/rmcp.rs"]
mod simple;
#[path = "../until_told.rs"]
mod until_told;

use std::sync::Arc;

use axum::{Router, serve::ListenerExt as _};
use rmcp::{
    ErrorData, Peer, RoleServer,
    handler::server::wrapper::Parameters,
    model::{ElicitRequestParams, ElicitationSchema},
    tool, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use tokio::net::TcpListener;

use self::{
    simple::{Bench, Echo},
    until_told::until_told,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("no address")?;
    let (tools, era) = (arguments.next(), arguments.next());
    let bench = match (tools.as_deref(), era.as_deref()) {
        (Some("asking"), Some("legacy")) => Bench::with(Bench::legacy_router()),
        (tools, _) => Bench::serving(tools),
    };
    let config = StreamableHttpServerConfig::default().with_json_response(true);
    let service =
        StreamableHttpService::new(move || Ok(bench.clone()), Arc::new(LocalSessionManager::default()), config);
    let listener = TcpListener::bind(address).await?.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let app = Router::new().nest_service("/mcp", service);
    tokio::select! {
        served = axum::serve(listener, app) => served?,
        () = until_told() => {}
    }
    Ok(())
}

/// The tools for revisions up to 2025-11-25, in which a tool that asks waits for the answer.
#[tool_router(router = legacy_router)]
impl Bench {
    /// Give the text back if the user is sure.
    #[tool(name = "confirm")]
    async fn confirm_and_wait(
        &self,
        peer: Peer<RoleServer>,
        Parameters(Echo { text }): Parameters<Echo>,
    ) -> Result<String, ErrorData> {
        let requested_schema = ElicitationSchema::builder().required_bool("sure").build_unchecked();
        let message = format!("Give {text} back?");
        let form = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
        let answer = peer.create_elicitation(form).await;
        let content = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?.content;
        match content.is_some_and(|content| content["sure"] == true) {
            true => Ok(text),
            false => Err(ErrorData::invalid_params("the user is not sure", None)),
        }
    }
}
