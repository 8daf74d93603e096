use mcp_runtime::prelude::*;

#[elicits]
enum Files {
    Rename { name: String },
}

/// Renames a file.
#[mcp_tool]
async fn rename(ctx: &Ctx) -> mcp_runtime::Result<String> {
    Ok(ctx.elicit::<Rename>("Which name?").strict().await?.name)
}

fn main() {}
