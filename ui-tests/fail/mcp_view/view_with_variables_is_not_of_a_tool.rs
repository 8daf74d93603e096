use mcp_runtime::prelude::*;

#[derive(serde::Serialize)]
struct Run {
    title: String,
}

/// A run.
#[mcp_view("ui://runs/{id}", html = "pages/filled.html")]
async fn run(id: String) -> Json<Run> {
    Json(Run { title: id })
}

/// Shows how a run went.
#[mcp_tool(view = run)]
async fn show() -> Json<u8> {
    Json(1)
}

fn main() {
    let _ = tools![show];
}
