//! The shop written with `rmcp` in its fastest configuration. Run it with `shop_rmcp ADDRESS REDIS PRICES`.

#[path = "../shop.rs"]
mod shop;
#[path = "../../../http/src/until_told.rs"]
mod until_told;

use std::sync::Arc;

use axum::{Router, serve::ListenerExt as _};
use rmcp::{
    ErrorData, Json, ServerHandler,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_handler, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::net::TcpListener;

use self::{
    shop::{Cart, Failure, Shop},
    until_told::until_told,
};

/// The server. All clones share one router.
#[derive(Clone)]
struct ShopServer {
    shop: Shop,
    tool_router: Arc<ToolRouter<Self>>,
}

#[derive(Deserialize, JsonSchema)]
struct Change {
    user: String,
    product: String,
    pieces: i64,
}

#[tool_router]
impl ShopServer {
    /// Put pieces of a product into the cart of a user.
    #[tool]
    async fn add_to_cart(
        &self,
        Parameters(Change { user, product, pieces }): Parameters<Change>,
    ) -> Result<Json<Cart>, ErrorData> {
        let cart = self.shop.add(&user, &product, pieces).await;
        cart.map(Json).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for ShopServer {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("run it with `shop_rmcp ADDRESS REDIS PRICES`");
    let (address, redis, prices) = (next()?, next()?, next()?);
    let server =
        ShopServer { shop: Shop::open(&redis, prices).await?, tool_router: Arc::new(ShopServer::tool_router()) };
    let config = StreamableHttpServerConfig::default().with_json_response(true);
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config);
    let listener = TcpListener::bind(address).await?.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    tokio::select! {
        served = axum::serve(listener, Router::new().nest_service("/mcp", service)) => served?,
        () = until_told() => {}
    }
    Ok(())
}
