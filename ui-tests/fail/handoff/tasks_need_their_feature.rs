use mcp_runtime::prelude::*;

struct Render;

/// Renders a film.
#[handoff(task)]
impl Render {
    async fn before(&self, frames: u32) -> u32 {
        frames
    }

    async fn client(_ctx: &Ctx, _frames: &u32) -> bool {
        true
    }

    async fn after(&self, frames: u32, _is_wanted: bool) -> String {
        frames.to_string()
    }
}

fn main() {}
