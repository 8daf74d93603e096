//! Tools of OpenAPI documents.

/// Does nothing.
#[cfg(feature = "actions")]
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_needs_actions {
    () => {};
}

/// Without the feature `actions`, causes a compile error.
#[cfg(not(feature = "actions"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_needs_actions {
    () => {
        ::core::compile_error!("`actions(…)` needs the feature `actions` of `mcp-runtime`; add it in `Cargo.toml`");
    };
}
