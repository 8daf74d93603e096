//! The server written with `mcp-runtime`, on `THREADS` threads. Its allocator works well with several threads. With the
//! allocator of glibc, a thread that frees memory of another thread can block that thread.

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
