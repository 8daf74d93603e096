//! The server written with `mcp-runtime`, on one thread.

#[path = "../ours.rs"]
mod ours;
#[path = "../until_told.rs"]
mod until_told;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    ours::serve().await
}
