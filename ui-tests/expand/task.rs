/// Renders a film.
#[mcp_tool(task, requires(tasks))]
async fn render(ctx: &Ctx, frames: u32) -> String {
    draw(ctx, frames).await
}
