//! What holds for every URI, also for those of the fuzz target `directory`.

use mcp_runtime::{Service, testing::Client};

use crate::directory::place::Place;

/// The content of everything that must not be read.
pub(crate) const SECRET: &str = "the secret";

/// The content of all files that are served.
pub(crate) const SERVED: &str = "served";

/// Returns a folder with files that are served and files that are not, and with links in all directions.
pub(crate) fn attacked() -> Place {
    let place = Place::new();
    for path in ["docs/start.md", "docs/guide/a.md", "docs/caf\u{e9}.md"] {
        place.write(path, SERVED);
    }
    for path in ["secret.txt", "docs/.env", "docs/.git/config", "docs/private.log", "docs/target/out.txt"] {
        place.write(path, SECRET);
    }
    place.write("docs/.gitignore", format!("*.log\ntarget/\n# {SECRET}\n"));
    #[cfg(unix)]
    {
        use std::{os::unix::fs::symlink, process::Command};

        let docs = place.0.join("docs");
        for (target, link) in [
            ("../secret.txt", "link.txt"),
            ("..", "outside"),
            ("start.md", "inside.md"),
            (".env", "env.txt"),
            ("loop", "loop"),
            ("../..", "guide/up"),
        ] {
            symlink(target, docs.join(link)).unwrap();
        }
        assert!(Command::new("mkfifo").arg(docs.join("pipe")).status().unwrap().success());
    }
    place
}

/// Reads a URI, and checks that only files that are served can be read.
pub(crate) async fn hold(service: &Service, uri: &str) {
    let read = Client::modern(service).read(uri).await;
    // A read can return a part of a file.
    assert!(read.error().is_some() || SERVED.contains(&read.text()), "{uri}: {read:?}");
}
