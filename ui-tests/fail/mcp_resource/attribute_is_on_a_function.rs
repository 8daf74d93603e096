//! The attribute belongs on a function.

use mcp_runtime::prelude::*;

/// A page.
#[mcp_resource("docs://page")]
struct Page;

fn main() {}
