//! A server whose tools are the operations of an OpenAPI document.

use std::{env, process::ExitCode};

use mcp_runtime::{openapi, prelude::*};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut store = openapi!(
        "../petstore.yaml",
        include(tag = "pets", "getInventory"),
        except("uploadPhoto"),
        rename("findPetsByStatus" = "find_pets"),
    );
    // The key is a setting of the server, `PETSTORE_API_KEY`, without a line of code.
    if let Ok(url) = env::var("PETSTORE_URL") {
        store = store.base_url(url);
    }
    Server::new("petstore", env!("CARGO_PKG_VERSION")).tools(store).run().await
}
