//! `crate = …` says where the runtime is, and nothing but that path is used.

/// A crate that re-exports the runtime under a name of its own.
mod facade {
    pub use mcp_runtime as mcp;
}

use facade::mcp::sample::SampleTools as _;

#[derive(facade::mcp::SampleTools)]
#[tool(crate = crate::facade::mcp)]
enum Plain {
    /// Adds two numbers.
    Add {
        a: i64,
        #[serde(default)]
        b: i64,
    },
}

/// The same by way of a macro, which knows where it is from.
macro_rules! set {
    ($set:ident { $($variant:ident($field:ident: $ty:ty) = $text:literal),* }) => {
        #[derive($crate::facade::mcp::SampleTools)]
        #[tool(crate = $crate::facade::mcp)]
        enum $set {
            $(
                #[doc = $text]
                #[tool(name = $text)]
                $variant { $field: $ty },
            )*
        }
    };
}
set!(Made { Double(number: i64) = "double", Triple(number: Option<i64>) = "triple" });

fn main() {
    let names: Vec<_> = Made::tools().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["double", "triple"]);
    let input = Made::tools().swap_remove(1).input_schema;
    assert!(input.get("required").is_none(), "{input}");
    if let Ok(Plain::Add { a, b }) = Plain::read("", Default::default()) {
        let _ = a + b;
    }
    if let Ok(Made::Double { number } | Made::Triple { number: Some(number) }) = Made::read("", Default::default()) {
        let _ = number;
    }
}
