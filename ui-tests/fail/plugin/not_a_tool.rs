//! A plugin is a tool.

use mcp_runtime::plugin::Plugin;

struct BookFlight;

fn main() {
    let _ = Plugin::new(BookFlight);
}
