//! The server written with `mcp-runtime`, on as many threads as `THREADS` says, with an allocator that threads share
//! well: that of glibc makes them wait for each other where one frees what another allocated.

#[path = "../ours.rs"]
mod ours;
#[path = "../until_told.rs"]
mod until_told;

use mimalloc::MiMalloc;
use tokio::runtime::Builder;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = std::env::var("THREADS")?.parse()?;
    let mut runtime = match threads {
        1 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    runtime.worker_threads(threads).enable_all().build()?.block_on(ours::serve())
}
