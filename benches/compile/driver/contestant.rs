//! The contestants, which are different ways to write the same tools.

use std::path::Path;

/// A way to write tools.
#[derive(Clone, Copy)]
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    /// The lines of `[dependencies]`; `{root}` stands for the folder of this workspace.
    dependencies: &'static str,
    /// The source of the program. A part between two lines `//each` is repeated for every tool. In that part, each `@`
    /// is replaced by the tool's number.
    source: &'static str,
}

/// A tool that is written by hand, with the same derives for its arguments and its output, a boxed future, two schemas.
pub(crate) const LEAST: Contestant = Contestant {
    name: "least",
    dependencies: r#"
schemars = { version = "1.2", default-features = false, features = ["derive", "std", "preserve_order"] }
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["raw_value"] }
"#,
    source: include_str!("sources/least.txt"),
};

pub(crate) const OURS: Contestant = Contestant {
    name: "mcp-runtime",
    dependencies: r#"
mcp-runtime = { path = "{root}/mcp-runtime" }
schemars = { version = "1.2", default-features = false, features = ["derive", "std", "preserve_order"] }
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt"] }
"#,
    source: include_str!("sources/ours.txt"),
};

pub(crate) const RMCP: Contestant = Contestant {
    name: "rmcp",
    dependencies: r#"
rmcp = { version = "=3.11.0", features = ["transport-io"] }
schemars = { version = "1.2", default-features = false, features = ["derive", "std", "preserve_order"] }
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt"] }
"#,
    source: include_str!("sources/rmcp.txt"),
};

impl Contestant {
    pub(crate) fn package(&self) -> String {
        format!("{}-tools", self.name)
    }

    pub(crate) fn manifest(&self, root: &Path) -> String {
        let (package, dependencies) =
            (self.package(), self.dependencies.replace("{root}", &root.display().to_string()));
        format!(
            "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]{dependencies}"
        )
    }

    /// Returns the source of a program with `tools` tools.
    pub(crate) fn program(&self, tools: usize) -> String {
        let mut program = String::new();
        for (index, part) in self.source.split("//each\n").enumerate() {
            if index % 2 == 0 {
                program.push_str(part);
            } else {
                (0..tools).for_each(|tool| program.push_str(&part.replace('@', &tool.to_string())));
            }
        }
        program
    }
}
