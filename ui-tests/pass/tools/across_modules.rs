//! A tool is named by its path, and re-exported with its function.

use mcp_runtime::prelude::*;

mod files {
    pub mod read {
        use mcp_runtime::prelude::*;

        /// Reads a file of the folder.
        #[mcp_tool]
        pub(crate) async fn read_file(path: String) -> String {
            path
        }
    }

    use mcp_runtime::tools;

    pub(crate) use read::read_file;

    pub fn all() -> Vec<Box<dyn mcp_runtime::Tool>> {
        tools![self::read_file, super::list]
    }
}

/// Lists files.
#[mcp_tool]
async fn list() {}

fn main() {
    use files::read_file as renamed;

    let names: Vec<_> = files::all().iter().map(|tool| tool.definition().name().to_owned()).collect();
    assert_eq!(names, ["read_file", "list"]);
    let _ = tools![renamed,];
    assert!(tools![].is_empty());
}
