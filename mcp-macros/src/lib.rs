//! The attribute macros of `mcp-runtime`. Use them through `mcp-runtime`, where they are documented.

mod docs;
mod errors;
mod keys;
mod mcp_tool;
mod tools;
mod types;

#[cfg(test)]
mod snapshots;

use proc_macro::TokenStream;

/// Documented at `mcp_runtime::mcp_tool`.
#[proc_macro_attribute]
pub fn mcp_tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    mcp_tool::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::tools`.
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    tools::expand(input.into()).into()
}
