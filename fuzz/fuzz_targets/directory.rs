//! URIs of the files of a folder. The input is what follows the prefix of all URIs of the folder, or a whole URI after `!`.

#![no_main]

use std::sync::LazyLock;

use mcp_runtime::Service;
use tokio::runtime::{Builder, Runtime};

#[path = "../../mcp-runtime/tests/directory/place.rs"]
mod place;
#[path = "../../mcp-runtime/tests/directory/rules.rs"]
mod rules;

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("there is a clock"));
static PLACE: LazyLock<place::Place> = LazyLock::new(rules::attacked);
static SERVICE: LazyLock<Service> = LazyLock::new(|| PLACE.service());

libfuzzer_sys::fuzz_target!(|data: &str| {
    let uri = data.strip_prefix('!').map_or_else(|| format!("dir://docs/{data}"), str::to_owned);
    RUNTIME.block_on(rules::hold(&SERVICE, &uri));
});
