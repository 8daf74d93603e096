//! What `cargo metadata` says about the packages of a workspace.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde::Deserialize;
use tokio::process::Command;

use super::BuiltTarget;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Metadata {
    pub(super) packages: Vec<Package>,
    pub(super) workspace_root: PathBuf,
    pub(super) target_directory: PathBuf,
    /// Which package depends on which. Absent if Cargo knows only the manifests.
    resolve: Option<Resolve>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) manifest_path: PathBuf,
    /// Where Cargo gets the package from. Absent for a package on this machine.
    pub(super) source: Option<String>,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) features: BTreeMap<String, Vec<String>>,
    pub(super) targets: Vec<PackageTarget>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) rename: Option<String>,
    pub(super) features: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PackageTarget {
    pub(super) name: String,
    pub(super) kind: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resolve {
    nodes: Vec<PackageNode>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PackageNode {
    id: String,
    dependencies: Vec<String>,
}

/// Returns the command that runs Cargo. `CARGO` names the Cargo that has started the program.
pub(super) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Build scripts watch these variables. With those of `cargo run`, Cargo would run them again.
    let is_of_run = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_of_run)) {
        cargo.env_remove(name);
    }
    cargo.stdin(Stdio::null()).kill_on_drop(true);
    cargo
}

impl Metadata {
    /// Runs `cargo metadata` for the workspace of this manifest, or of the current folder.
    ///
    /// # Errors
    /// Returns the words of Cargo.
    pub(super) async fn read(manifest: Option<&Path>) -> Result<Self, String> {
        // Without a network, and then with one. The manifests alone do not say on which packages the program depends.
        let mut last = String::new();
        for option in ["--offline", "--color=never", "--no-deps"] {
            let mut arguments: Vec<OsString> = ["metadata", "--format-version=1", option].map(Into::into).into();
            if let Some(manifest) = manifest {
                arguments.extend(["--manifest-path".into(), manifest.into()]);
            }
            let output = cargo().args(arguments).output().await;
            let output = output.map_err(|error| {
                format!("cannot run `cargo metadata`: {error}; to try a server that runs elsewhere, use `--attach URL`")
            })?;
            if output.status.success() {
                return serde_json::from_slice(&output.stdout)
                    .map_err(|error| format!("cannot read the output of `cargo metadata`: {error}"));
            }
            let reason = String::from_utf8_lossy(&output.stderr);
            last = format!("`cargo metadata` failed: {}", reason.trim().trim_start_matches("error: "));
        }
        Err(last)
    }

    /// Returns the package that builds the program with this name. If several do, prefers the one of this manifest.
    pub(super) fn builder_of(&self, program: &str, manifest: Option<&Path>) -> Option<(&Package, BuiltTarget)> {
        let of = |package: &Package| {
            let target = package.targets.iter().find(|target| target.name == program && target.is_program())?;
            Some(BuiltTarget { name: target.name.clone(), is_example: target.is("example") })
        };
        let mut found: Vec<_> = self.packages.iter().filter_map(|package| Some((package, of(package)?))).collect();
        found.retain(|(package, _)| package.source.is_none());
        let preferred = found.iter().position(|(package, _)| Some(&*package.manifest_path) == manifest);
        (!found.is_empty()).then(|| found.swap_remove(preferred.unwrap_or_default()))
    }

    /// Returns the folders of all packages on this machine that a package depends on, its own first.
    pub(super) fn sources_of(&self, package: &Package) -> Vec<PathBuf> {
        let nodes = self.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let nodes: BTreeMap<&str, &PackageNode> = nodes.map(|node| (&*node.id, node)).collect();
        let packages: BTreeMap<&str, &Package> = self.packages.iter().map(|package| (&*package.id, package)).collect();
        let mut seen = BTreeSet::from([&*package.id]);
        let mut next = vec![&*package.id];
        let mut folders = Vec::new();
        while let Some(id) = next.pop() {
            let Some(package) = packages.get(id).filter(|package| package.source.is_none()) else { continue };
            folders.extend(package.manifest_path.parent().map(Path::to_owned));
            let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.dependencies);
            next.extend(dependencies.map(String::as_str).filter(|id| seen.insert(id)));
        }
        folders
    }
}

impl PackageTarget {
    fn is_program(&self) -> bool {
        self.is("bin") || self.is("example")
    }

    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|found| found == kind)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn workspace() -> Metadata {
        let package = |name: &str, source: Option<&str>, kind: &str| {
            json!({
                "id": name, "name": name, "source": source, "manifest_path": format!("/w/{name}/Cargo.toml"),
                "targets": [{ "name": if kind == "lib" { name } else { "app" }, "kind": [kind] }],
                "features": {}, "dependencies": [],
            })
        };
        let node = |id: &str, dependencies: &[&str]| json!({ "id": id, "dependencies": dependencies });
        serde_json::from_value(json!({
            "packages": [
                package("server", None, "bin"), package("other", None, "example"), package("shared", None, "lib"),
                package("serde", Some("registry"), "lib"), package("unused", None, "lib"),
            ],
            "workspace_root": "/w",
            "target_directory": "/w/target",
            "resolve": { "nodes": [
                node("server", &["shared", "serde"]), node("other", &[]), node("shared", &["serde", "server"]),
                node("serde", &["unused"]), node("unused", &[]),
            ] },
        }))
        .unwrap()
    }

    #[test]
    fn the_manifest_decides_between_packages_with_the_same_program() {
        let metadata = workspace();
        let found = |manifest: Option<&str>| {
            let (package, target) = metadata.builder_of("app", manifest.map(Path::new)).unwrap();
            (package.name.clone(), target.is_example)
        };
        assert_eq!(found(None), ("server".to_owned(), false));
        assert_eq!(found(Some("/w/other/Cargo.toml")), ("other".to_owned(), true));
        assert_eq!(found(Some("/elsewhere/Cargo.toml")), ("server".to_owned(), false));
        assert!(metadata.builder_of("shared", None).is_none(), "a library is not a program");
    }

    #[test]
    fn sources_are_those_of_the_packages_on_this_machine() {
        let metadata = workspace();
        let folders = metadata.sources_of(&metadata.packages[0]);
        assert_eq!(folders, [Path::new("/w/server"), Path::new("/w/shared")]);
    }
}
