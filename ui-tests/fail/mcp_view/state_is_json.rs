use mcp_runtime::prelude::*;

#[derive(serde::Serialize)]
struct Run {
    title: String,
}

/// A run.
#[mcp_view("ui://runs/{id}", html = "pages/filled.html")]
async fn run(id: String) -> String {
    id
}

fn main() {
    let _ = resources![run];
}
