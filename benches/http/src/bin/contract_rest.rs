//! `POST /echoes`, by a bare handler of axum or by the REST endpoint: `contract_rest ADDRESS axum|rest`.

#[path = "../echo.rs"]
mod echo;
#[path = "../until_told.rs"]
mod until_told;

use axum::{Json, Router, routing::post};
use mcp_runtime::contract::{Contract, rest};

use self::{
    echo::{Echo, Echoes},
    until_told::until_told,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let listener = tokio::net::TcpListener::bind(arguments.next().ok_or("no address")?).await?;
    let app = match arguments.next().as_deref() {
        Some("axum") => Router::new().route("/echoes", post(|Json(echo): Json<Echo>| async { Json(echo) })),
        _ => {
            let contract = Contract::builder("bench").resource(Echoes.into_resource()).build()?;
            rest::mount(Router::new(), contract, rest::Options::new())?
        }
    };
    axum::serve(listener, app).with_graceful_shutdown(until_told()).await?;
    Ok(())
}
