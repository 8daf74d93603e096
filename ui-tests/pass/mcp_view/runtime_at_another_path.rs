//! `crate = …` says where the runtime is, and nothing but that path is used.
#![deny(warnings)]

/// A crate that re-exports the runtime under a name of its own.
mod facade {
    pub use mcp_runtime as mcp;
}

/// A small page.
#[facade::mcp::view::mcp_view("ui://a/small", html = "small.html", crate = crate::facade::mcp)]
struct Small;

/// Shows how a run went.
#[facade::mcp::mcp_tool(crate = crate::facade::mcp, view = Small)]
async fn show() -> facade::mcp::Json<u8> {
    facade::mcp::Json(1)
}

fn main() {
    let _ = facade::mcp::tools![show];
}
