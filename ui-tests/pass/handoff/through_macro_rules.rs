//! A `macro_rules!` may write the block, and name its types.
use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

macro_rules! counting {
    ($($name:ident($this:ty): $found:ty = $doc:literal, $value:expr;)*) => {$(
        struct $name;

        #[doc = $doc]
        #[handoff(crate = $crate::runtime)]
        impl $this {
            async fn before(&self, #[params] query: Query) -> Result<$found, std::io::Error> {
                drop(query.text);
                Ok($value)
            }

            async fn client(ctx: &Ctx, found: &$found) -> $found {
                ctx.progress(1.0);
                found.clone()
            }

            async fn after(&self, found: $found, again: $found) -> Text<bool> {
                Text(Self::same(&found, &again))
            }

            fn same(one: &$found, other: &$found) -> bool {
                one == other
            }
        }
    )*};
}

mod runtime {
    pub use mcp_runtime::*;
}

counting! {
    CountWords(CountWords): u32 = "Counts words.", 1;
    FindLines(FindLines): Vec<String> = "Finds lines.", Vec::new();
}

fn main() {
    let built = Server::new("test", "1").tool(CountWords).tool(FindLines).build();
    assert!(built.is_ok(), "{:?}", built.err());
}
