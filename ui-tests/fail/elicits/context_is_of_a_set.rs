use mcp_runtime::prelude::*;

enum Files {
    Rename { name: String },
}

#[derive(Form)]
struct Rename {
    name: String,
}

/// Renames a file.
#[mcp_tool]
async fn rename(ctx: &Ctx<Files>) -> mcp_runtime::Result<String> {
    Ok(ctx.elicit::<Rename>("Which name?").strict().await?.name)
}

fn main() {}
