//! What a tool may return.

use std::borrow::Cow;

use mcp_runtime::{
    CallToolResult,
    content::{EmbeddedResource, ResourceLink},
    prelude::*,
};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    total: i64,
}

#[derive(Debug)]
struct NotFound;

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not found")
    }
}

impl std::error::Error for NotFound {}

type Outcome<T> = Result<T, NotFound>;

macro_rules! tools_returning {
    ($($name:ident -> $output:ty = $value:expr;)*) => {
        $(
            /// Returns something.
            #[mcp_tool]
            async fn $name() -> $output {
                $value
            }
        )*

        fn main() {
            let _ = tools![nothing, $($name),*];
        }
    };
}

/// Returns nothing.
#[mcp_tool]
async fn nothing() {}

tools_returning! {
    unit -> () = ();
    text -> String = "text".to_owned();
    fixed -> &'static str = "fixed";
    cow -> Cow<'static, str> = "cow".into();
    shown -> Text<i64> = Text(3);
    json -> Json<Sum> = Json(Sum { total: 3 });
    list -> Json<Vec<Sum>> = Json(vec![]);
    block -> Content = Content::text("block");
    link -> ResourceLink = ResourceLink::new("file:///a", "a");
    resource -> EmbeddedResource = EmbeddedResource::text("file:///a", "a");
    blocks -> Vec<Content> = vec![];
    two -> [Content; 2] = [Content::text("1"), Content::text("2")];
    whole -> CallToolResult = CallToolResult::new([]);
    fallible -> Result<String, NotFound> = Err(NotFound);
    alias -> Outcome<Json<Sum>> = Err(NotFound);
    ours -> mcp_runtime::Result<()> = Err("no".into());
    told -> Result<Content, String> = Err("no".to_owned());
    shouted -> Result<(), &'static str> = Err("no");
    boxed -> Result<(), Box<dyn std::error::Error + Send + Sync>> = Err("no".into());
    io -> std::io::Result<String> = Ok("io".to_owned());
}
