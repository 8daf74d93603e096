//! The path can come from another macro, and the types can be inside of a function.
#![deny(warnings)]

use mcp_runtime::remote::RemoteTool;

macro_rules! names_of {
    ($file:literal: $($tool:ident)*) => {{
        mod tools {
            mcp_runtime::remote_tools!($file);
        }
        [$(<tools::$tool as RemoteTool>::NAME),*]
    }};
}

fn main() {
    assert_eq!(names_of!("list.json": Search), ["search"]);
}
