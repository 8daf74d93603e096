//! The templates, which are a part of the program.

use clap::ValueEnum;
use include_dir::{Dir, File, include_dir};

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The manifest of a template. A folder with a `Cargo.toml` would not be in the published package.
pub(crate) const MANIFEST: &str = "Cargo.toml.liquid";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// One tool with a form and settings, tested in every revision of the protocol
    Tool,
    /// A page with a chat whose tools ask in the conversation
    App,
    /// A plain service as MCP tools, as a JSON-RPC endpoint and as a REST API
    Contract,
}

impl Template {
    /// Returns the files, with their paths in the project.
    pub(crate) fn files(self) -> Vec<(String, &'static str)> {
        let mut files = Vec::new();
        collect(self.folder(), &mut files);
        let prefix = format!("{}/", self.name());
        let files = files.into_iter().filter_map(|file| {
            let path = file.path().to_str()?.replace('\\', "/");
            let path = path.strip_prefix(&prefix)?;
            // What `cargo generate` reads.
            let path = (path != "cargo-generate.toml").then_some(path)?;
            Some((path.strip_suffix(".liquid").unwrap_or(path).to_owned(), file.contents_utf8()?))
        });
        files.collect()
    }

    /// Returns the manifest of the package, with its placeholders.
    pub(crate) fn manifest(self) -> &'static str {
        let file = self.folder().get_file(format!("{}/{MANIFEST}", self.name()));
        file.and_then(File::contents_utf8).expect("every template has a manifest")
    }

    /// Returns what to do with a new project.
    pub(crate) fn next_steps(self) -> &'static [&'static str] {
        match self {
            Self::Tool => &["cargo test", "cargo run -- call save_note --title tea --text green", "cargo run -- help"],
            Self::App => &["cargo test", "cargo run"],
            Self::Contract => &["cargo test --workspace", "cargo run"],
        }
    }

    fn folder(self) -> &'static Dir<'static> {
        TEMPLATES.get_dir(self.name()).expect("every template has a folder")
    }

    fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::App => "app",
            Self::Contract => "contract",
        }
    }
}

fn collect(folder: &'static Dir<'static>, files: &mut Vec<&'static File<'static>>) {
    files.extend(folder.files());
    folder.dirs().for_each(|inner| collect(inner, files));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_of_a_template_can_be_chosen() {
        let mut folders: Vec<_> = TEMPLATES.dirs().filter_map(|folder| folder.path().to_str()).collect();
        folders.sort_unstable();
        let mut names: Vec<_> = Template::value_variants().iter().map(|template| template.name()).collect();
        names.sort_unstable();
        assert_eq!(folders, names);
    }

    /// A project uses the runtime that was published with this program.
    #[test]
    fn the_templates_name_this_version_of_the_runtime() {
        let version = env!("CARGO_PKG_VERSION");
        let minor = &version[..version.rfind('.').unwrap()];
        for template in Template::value_variants() {
            let lines = template.manifest().lines().filter(|line| line.starts_with("mcp-runtime = "));
            let lines: Vec<_> = lines.collect();
            assert_eq!(lines.len(), 2, "{template:?}: as a dependency, and for tests");
            for line in lines {
                assert!(line.starts_with(&format!("mcp-runtime = {{ version = \"{minor}\", ")), "{template:?}: {line}");
            }
        }
    }
}
