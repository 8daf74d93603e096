//! `crate = …` says where the runtime is, and nothing but that path is used.

/// A crate that re-exports the runtime under a name of its own.
mod facade {
    pub use mcp_runtime as mcp;
}

/// Adds two numbers.
#[facade::mcp::mcp_tool(crate = crate::facade::mcp)]
async fn add(a: i64, #[serde(default)] b: i64, ctx: &facade::mcp::Ctx) -> String {
    let _ = ctx;
    format!("{}", a + b)
}

/// The same by way of a macro, which knows where it is from.
macro_rules! doubling {
    ($name:ident, $title:literal, $read_only:literal) => {
        /// Doubles a number.
        #[$crate::facade::mcp::mcp_tool(crate = $crate::facade::mcp, title = $title, read_only = $read_only)]
        async fn $name(a: i64) -> String {
            (2 * a).to_string()
        }
    };
}
doubling!(double, "Double", true);

fn main() {
    let _ = facade::mcp::tools![add, double];
}
