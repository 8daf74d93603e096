use mcp_runtime::prelude::*;

struct Rename {
    name: String,
}

#[elicits]
enum Files {
    Delete { confirmed: bool },
}

/// Renames a file.
#[mcp_tool]
async fn rename(ctx: &Ctx<Files>) -> mcp_runtime::Result<String> {
    Ok(ctx.elicit::<Rename>("Which name?").strict().await?.name)
}

fn main() {}
