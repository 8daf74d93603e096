//! The HTTP service that knows the prices.

use std::{net::TcpListener, thread};

use axum::{Json, Router, extract::Path, routing::get};
use serde_json::{Value, json};

use crate::Result;

pub(crate) struct Prices {
    pub(crate) url: String,
}

impl Prices {
    /// Starts the service on a thread that lives as long as the program.
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}/prices", listener.local_addr()?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        thread::spawn(move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                axum::serve(listener, Router::new().route("/prices/{product}", get(price))).await
            })
        });
        Ok(Self { url })
    }
}

async fn price(Path(product): Path<String>) -> Json<Value> {
    Json(json!({ "product": product, "cents": 199 }))
}
