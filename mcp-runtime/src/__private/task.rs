//! Calls that can be tasks.

/// Returns the future of a call that can be a task. The closure creates the future of the work.
#[cfg(feature = "actions")]
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_as_task {
    ($call:ident, $run:expr) => {
        $crate::tasks::as_task($call, $run)
    };
}

/// Without the feature `actions`, causes a compile error.
#[cfg(not(feature = "actions"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_as_task {
    ($call:ident, $run:expr) => {{
        ::core::compile_error!("tasks need the feature `actions` of `mcp-runtime`; add it in `Cargo.toml`");
        ($run)($call)
    }};
}
