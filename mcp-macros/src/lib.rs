//! The attribute macros of `mcp-runtime`. Use them through `mcp-runtime`, where they are documented.
