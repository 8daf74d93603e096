use mcp_runtime::prelude::*;

#[derive(serde::Serialize)]
struct Run {
    title: String,
}

/// A run.
#[mcp_view("ui://runs/{id}", html = "pages/filled_script.html")]
async fn run(id: String) -> Json<Run> {
    Json(Run { title: id })
}

fn main() {
    let _ = resources![run];
}
