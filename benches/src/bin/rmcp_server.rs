//! The same server written with `rmcp` in its fastest configuration. It uses one thread, reads and writes pipes without
//! a pool of blocking threads, and builds the router once.

#[path = "../tools/names.rs"]
mod names;
#[path = "../tools/rmcp.rs"]
mod tools;

use rmcp::{
    ServiceExt,
    transport::{stdio, stdio_pipes},
};

use self::tools::Bench;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bench = Bench::serving(std::env::args().nth(1).as_deref());
    // `stdio()` is what its guides show and several times slower.
    let service = match std::env::var("RMCP_STDIO").as_deref() {
        Ok("blocking") => bench.serve(stdio()).await?,
        _ => bench.serve(stdio_pipes()).await?,
    };
    service.waiting().await?;
    Ok(())
}
