//! `POST /echoes`, `GET /echoes/{id}` and JSON-RPC at `/rpc`, by bare handlers of axum or by the endpoints of a contract:
//! `contract_rest ADDRESS axum|contract`.

#[path = "../echo.rs"]
mod echo;
#[path = "../until_told.rs"]
mod until_told;

use axum::{
    Json, Router,
    extract::Path,
    routing::{get, post},
};
use mcp_runtime::contract::{Contract, jsonrpc, rest};
use serde::{Deserialize, Serialize};

use self::{
    echo::{Echo, Echoes},
    until_told::until_told,
};

#[derive(Deserialize)]
struct RpcRequest {
    id: u64,
    params: Echo,
}

#[derive(Serialize)]
struct RpcResponse {
    jsonrpc: &'static str,
    id: u64,
    result: Echo,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let listener = tokio::net::TcpListener::bind(arguments.next().ok_or("no address")?).await?;
    let app = match arguments.next().as_deref() {
        Some("axum") => bare(),
        _ => {
            let contract = Contract::builder("bench").resource(Echoes.into_resource()).build()?;
            let app = rest::mount(Router::new(), contract.clone(), rest::Options::new())?;
            jsonrpc::mount(app, "/rpc", contract, jsonrpc::Options::new())?
        }
    };
    axum::serve(listener, app).with_graceful_shutdown(until_told()).await?;
    Ok(())
}

fn bare() -> Router {
    let create = |Json(echo): Json<Echo>| async { Json(echo) };
    let get_one = |Path(id): Path<u64>| async move { Json(Echo { text: id.to_string() }) };
    let rpc = |Json(RpcRequest { id, params }): Json<RpcRequest>| async move {
        Json(RpcResponse { jsonrpc: "2.0", id, result: params })
    };
    Router::new().route("/echoes", post(create)).route("/echoes/{id}", get(get_one)).route("/rpc", post(rpc))
}
