//! The sources of the program: finds, watches and builds them.

mod build;
mod diagnostic;
mod features;
mod metadata;
mod watch;

use std::{
    env,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

pub(crate) use self::{
    build::{BuildOutcome, BuildStep, Executable, build},
    watch::SourceWatch,
};
use self::{features::dev_feature, metadata::Metadata};

/// The package that builds the program, and how it is built.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Project {
    package: String,
    manifest: PathBuf,
    target: BuiltTarget,
    /// The feature of the package that turns on the feature `dev` of the runtime, if one does.
    feature: Option<String>,
    /// What chooses the profile and the machine with which the program was built.
    profile: Vec<OsString>,
    /// The folder of Cargo for everything that is built.
    pub(crate) target_directory: PathBuf,
    /// The folders of the sources: those of all packages on this machine that the program depends on.
    sources: Vec<PathBuf>,
    /// The root of the workspace, whose manifest and lock file are sources, too.
    workspace: PathBuf,
    /// What the user has given for `cargo build`.
    arguments: Vec<OsString>,
}

/// A program that a package builds.
#[derive(Clone, Debug, PartialEq)]
struct BuiltTarget {
    name: String,
    is_example: bool,
}

impl Project {
    /// Finds the package that has built `program`, the file of the running program. `arguments` are for `cargo build`.
    ///
    /// # Errors
    /// Returns the reason why Cargo finds no such package.
    pub(crate) async fn find(program: &Path, arguments: &[OsString]) -> Result<Self, String> {
        let name = program.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        // Cargo sets the variable for the programs that it starts.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").map(|folder| PathBuf::from(folder).join("Cargo.toml"));
        let metadata = Metadata::read(manifest.as_deref()).await?;
        Self::of(&metadata, name, program, manifest.as_deref(), arguments)
    }

    /// Finds the same package again, after a manifest may have changed.
    ///
    /// # Errors
    /// Returns the reason why Cargo does not find it any more.
    pub(crate) async fn reread(&self) -> Result<Self, String> {
        let metadata = Metadata::read(Some(&self.manifest)).await?;
        let found = Self::of(&metadata, &self.target.name, Path::new(""), Some(&self.manifest), &self.arguments)?;
        // Only the file of the program tells how it was built.
        Ok(Self { profile: self.profile.clone(), ..found })
    }

    fn of(
        metadata: &Metadata,
        name: &str,
        program: &Path,
        manifest: Option<&Path>,
        arguments: &[OsString],
    ) -> Result<Self, String> {
        let Some((package, target)) = metadata.builder_of(name, manifest) else {
            return Err(format!(
                "no package of the workspace `{}` builds the program `{name}`; start the command in the folder of its \
                 package, for example with `cargo run -- dev`",
                metadata.workspace_root.display()
            ));
        };
        Ok(Self {
            package: package.name.clone(),
            manifest: package.manifest_path.clone(),
            target,
            feature: dev_feature(package),
            profile: profile_of(program, &metadata.target_directory),
            target_directory: metadata.target_directory.clone(),
            sources: metadata.sources_of(package),
            workspace: metadata.workspace_root.clone(),
            arguments: arguments.to_vec(),
        })
    }
}

/// Returns the options that build a program into the folder of this one: `target/release`, or `target/TRIPLE/debug`.
fn profile_of(program: &Path, target_directory: &Path) -> Vec<OsString> {
    let Ok(below) = program.strip_prefix(target_directory) else { return Vec::new() };
    let mut folders: Vec<&OsStr> = below.parent().into_iter().flatten().filter(|name| *name != "examples").collect();
    let profile = folders.pop();
    let machine = folders.pop().into_iter().flat_map(|triple| [OsStr::new("--target"), triple]);
    let profile = profile.filter(|name| *name != "debug").into_iter().flat_map(|name| [OsStr::new("--profile"), name]);
    machine.chain(profile).map(OsStr::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_built_again_with_its_profile_and_for_its_machine() {
        let target = Path::new("/w/target");
        let words = |program: &str| profile_of(Path::new(program), target).join(OsStr::new(" ")).into_string().unwrap();
        assert_eq!(words("/w/target/debug/app"), "");
        assert_eq!(words("/w/target/debug/examples/app"), "");
        assert_eq!(words("/w/target/release/app"), "--profile release");
        assert_eq!(words("/w/target/x86_64-unknown-linux-musl/debug/app"), "--target x86_64-unknown-linux-musl");
        assert_eq!(words("/w/target/wasm/fast/app"), "--target wasm --profile fast");
        assert_eq!(words("/usr/bin/app"), "");
    }
}
