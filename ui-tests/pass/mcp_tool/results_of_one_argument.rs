//! `Result<T>` of the author's, wherever it comes from.

mod imported {
    use mcp_runtime::{Result, prelude::*};

    /// Imported by name.
    #[mcp_tool]
    pub async fn by_name() -> Result<String> {
        Ok("ok".to_owned())
    }
}

mod globbed {
    use mcp_runtime::prelude::*;

    use super::names::*;

    /// Imported with a glob, and registered otherwise.
    #[mcp_tool(register = ByGlob)]
    pub async fn by_glob() -> Result<&'static str> {
        Err(std::fmt::Error)
    }
}

mod names {
    pub type Result<T> = std::result::Result<T, std::fmt::Error>;
}

mod declared {
    use mcp_runtime::prelude::*;

    type Result<T> = std::result::Result<T, std::io::Error>;

    pub struct Book;

    /// Declared beside the tool.
    #[handoff]
    impl Book {
        async fn before() -> Result<u8> {
            Ok(1)
        }

        async fn client(_ctx: &Ctx, before: &u8) -> Result<u8> {
            Ok(*before)
        }

        async fn after(before: u8, client: u8) -> Result<Text<u8>> {
            Ok(Text(before + client))
        }
    }
}

fn main() {
    use mcp_runtime::{Result, prelude::*};

    /// Imported in a function.
    #[mcp_tool]
    async fn local() -> Result<()> {
        Ok(())
    }

    let tools = tools![imported::by_name, globbed::ByGlob, local];
    Server::new("results", "1.0.0").tools(tools).tool(declared::Book).build().unwrap();
}
