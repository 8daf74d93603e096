//! Writes the files of a new project.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{name::PackageName, template::Template};

/// What stands in a template for the name of the package.
const PLACEHOLDER: &str = "{{project-name}}";

pub(crate) struct NewProject<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) name: &'a PackageName,
    pub(crate) template: Template,
    /// The folder of the runtime that the project uses instead of a published version.
    pub(crate) runtime: Option<&'a Path>,
}

/// Writes a project, and makes it a Git repository unless it is inside of one.
///
/// # Errors
/// If the folder has files, or a file cannot be written.
pub(crate) fn create(project: &NewProject<'_>) -> Result<(), String> {
    let NewProject { folder, name, template, runtime } = *project;
    let runtime = runtime.map(runtime_folder).transpose()?;
    require_empty(folder)?;
    for (path, text) in template.files() {
        let text = text.replace(PLACEHOLDER, &name.to_string());
        let text = match &runtime {
            Some(runtime) if path.ends_with("Cargo.toml") => with_runtime(&text, runtime),
            _ => text,
        };
        write(&folder.join(path), &text)?;
    }
    init_repository(folder);
    Ok(())
}

fn require_empty(folder: &Path) -> Result<(), String> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(1..) => Err(format!("`{}` is not empty; name a folder that does not exist", folder.display())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("`{}` cannot be the folder of a project: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("`{}` cannot be written: {error}", path.display()))
}

/// Returns the absolute path of the runtime in a checkout: the folder of the package, or the one above it.
fn runtime_folder(given: &Path) -> Result<PathBuf, String> {
    let is_runtime = |folder: &Path| {
        fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.contains("name = \"mcp-runtime\""))
    };
    let found = [given.to_owned(), given.join("mcp-runtime")].into_iter().find(|folder| is_runtime(folder));
    let found = found.and_then(|folder| fs::canonicalize(folder).ok());
    found.ok_or_else(|| format!("`{}` is not a checkout of `mcp-runtime`", given.display()))
}

/// Makes a manifest use the runtime in a folder.
fn with_runtime(manifest: &str, runtime: &Path) -> String {
    let path = runtime.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let lines = manifest.lines().map(|line| match line.strip_prefix("mcp-runtime = { version = ") {
        Some(rest) => {
            let (_, features) = rest.split_once(',').unwrap_or(("", rest));
            format!("mcp-runtime = {{ path = \"{path}\",{features}\n")
        }
        None => format!("{line}\n"),
    });
    lines.collect()
}

/// Makes the folder a Git repository, as `cargo new` does. A machine without Git is no reason to fail.
fn init_repository(folder: &Path) {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !git(&["rev-parse", "--is-inside-work-tree"]) {
        git(&["init", "--quiet"]);
    }
}
