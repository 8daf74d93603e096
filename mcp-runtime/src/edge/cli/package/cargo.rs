//! The package of Cargo that builds the program.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde::Deserialize;

/// What the `Cargo.toml` of the program says about it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CargoPackage {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) license: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) homepage: Option<String>,
    pub(super) documentation: Option<String>,
    pub(super) keywords: Vec<String>,
    readme: Option<PathBuf>,
    manifest_path: PathBuf,
    targets: Vec<CargoTarget>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CargoTarget {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct CargoWorkspace {
    packages: Vec<CargoPackage>,
}

impl CargoPackage {
    /// Finds the package of the program with this name, through `cargo metadata`, which also knows what a package
    /// inherits from its workspace. Without a path, looks in the current folder and above; if there is no such package,
    /// or no Cargo, returns `None`.
    ///
    /// # Errors
    /// If the file at this path cannot be read, or has no such program.
    pub(super) fn find(program: &str, manifest_path: Option<&Path>) -> Result<Option<Self>, String> {
        let Some(path) = manifest_path else {
            return Ok(packages(None).ok().and_then(|packages| builder_of(program, packages)));
        };
        let packages = packages(Some(path))?;
        let is_at_path = |package: &Self| is_same_file(&package.manifest_path, path);
        match packages.iter().position(is_at_path) {
            Some(at) => Ok(packages.into_iter().nth(at)),
            None => builder_of(program, packages)
                .map(Some)
                .ok_or_else(|| format!("no package of `{}` builds the program `{program}`", path.display())),
        }
    }

    /// Returns the path of the README, if the package has one.
    pub(super) fn readme(&self) -> Option<PathBuf> {
        Some(self.manifest_path.parent()?.join(self.readme.as_ref()?))
    }

    fn builds(&self, program: &str) -> bool {
        self.targets.iter().any(|target| target.name == program && target.kind.iter().any(|kind| kind == "bin"))
    }
}

fn builder_of(program: &str, packages: Vec<CargoPackage>) -> Option<CargoPackage> {
    packages.into_iter().find(|package| package.builds(program))
}

fn packages(manifest_path: Option<&Path>) -> Result<Vec<CargoPackage>, String> {
    // Cargo sets the variable for the programs that it starts.
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--no-deps", "--format-version", "1"]).stdin(Stdio::null());
    if let Some(path) = manifest_path {
        cargo.arg("--manifest-path").arg(path);
    }
    let output = cargo.output().map_err(|error| format!("cannot run `cargo metadata`: {error}"))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`cargo metadata` failed: {}", reason.trim().trim_start_matches("error: ")));
    }
    let workspace: Result<CargoWorkspace, _> = serde_json::from_slice(&output.stdout);
    workspace.map(|workspace| workspace.packages).map_err(|error| format!("cannot read `cargo metadata`: {error}"))
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_package_of_a_program_by_the_name_of_the_program() {
        let package = |name: &str, kind: &str, target: &str| CargoPackage {
            name: name.to_owned(),
            targets: vec![CargoTarget { name: target.to_owned(), kind: vec![kind.to_owned()] }],
            ..CargoPackage::default()
        };
        let packages = || vec![package("app", "lib", "app"), package("server", "bin", "app"), package("x", "bin", "x")];
        assert_eq!(builder_of("app", packages()).unwrap().name, "server");
        assert!(builder_of("other", packages()).is_none());
    }
}
