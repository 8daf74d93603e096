//! What the page is built from.

use std::{env, path::Path};

use crate::support::Folder;

/// The page knows the tools by these files. `BLESS=1` writes the types. The files that are the
/// same for every application have no copy in the repository, so this test writes them.
#[tokio::test]
async fn the_types_of_the_page_are_those_of_the_tools() {
    let folder = Folder::new();
    let chat = folder.start().await;
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/plugins");
    let typescript = chat.host().typescript();
    let are_types_outdated = typescript.outdated_in(&plugins).contains(&"plugin-types.d.ts");
    assert!(!are_types_outdated || env::var_os("BLESS").is_some(), "run this test with BLESS=1");
    typescript.write_to(&plugins).unwrap();
    // The types for authors of views.
    let views = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/views");
    let are_types_outdated = typescript.views_outdated_in(&views).contains(&"mcp-view.d.ts");
    assert!(!are_types_outdated || env::var_os("BLESS").is_some(), "run this test with BLESS=1");
    typescript.write_views_to(&views).unwrap();
}
