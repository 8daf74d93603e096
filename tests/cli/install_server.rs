//! A server's program with settings that a user must give.

use std::{path::PathBuf, process::ExitCode};

use mcp_runtime::{prelude::*, settings::Secret};

#[derive(Settings)]
#[allow(dead_code, reason = "nothing reads them")]
#[setting(prefix = "LIB")]
struct LibrarySettings {
    /// Who borrows books. Everyone can see it.
    reader: String,
    /// The folder of the books.
    #[setting(kind = "directory")]
    books: PathBuf,
    /// How many books a reader can have.
    limit: u8,
    /// The branch of the library.
    #[setting(title = "Branch")]
    branch: Branch,
    /// How long a book is lent.
    #[setting(default = 14)]
    days: u16,
    /// The number of the library card.
    card: Secret<u32>,
    /// The token of the catalogue.
    token: Option<Secret<String>>,
}

#[derive(Choice)]
enum Branch {
    North,
    #[choice(title = "By the river")]
    River,
}

/// Borrow a book.
#[mcp_tool]
async fn borrow(settings: &LibrarySettings, title: String) -> String {
    format!("{title} for {}", settings.reader)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("library", "1.0.0").settings::<LibrarySettings>().tools(tools![borrow]).run().await
}
