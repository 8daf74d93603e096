//! The packages that are measured. They are in a separate workspace.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    Result,
    contestant::Contestant,
    measure::{Figures, Profile, Seconds},
};

pub(crate) struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// Writes a package for each contestant. The packages use the same versions of dependencies as this workspace.
    pub(crate) fn write(contestants: &[Contestant]) -> Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        fs::create_dir_all(&folder)?;
        for file in ["Cargo.lock", "rust-toolchain.toml"] {
            fs::copy(root.join(file), folder.join(file))?;
        }
        let members: Vec<_> = contestants.iter().map(|contestant| contestant.name).collect();
        fs::write(folder.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))?;
        for contestant in contestants {
            let package = folder.join(contestant.name);
            fs::create_dir_all(package.join("src"))?;
            fs::write(package.join("Cargo.toml"), contestant.manifest(&root))?;
            fs::write(package.join("src/main.rs"), contestant.program(1))?;
        }
        Ok(Self { folder })
    }

    /// Builds the program of a contestant with `tools` tools. Returns the processor time of the build and the size of
    /// the stripped program. The time includes dependencies that were not built yet.
    pub(crate) fn build(&self, contestant: &Contestant, tools: usize, profile: Profile) -> Result<Figures> {
        fs::write(self.folder.join(contestant.name).join("src/main.rs"), contestant.program(tools))?;
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.folder).env("CARGO_INCREMENTAL", "0").env("CARGO_TARGET_DIR", self.target());
        cargo.args(["build", "--quiet", "--package", &contestant.package()]).args(profile.arguments());
        let before = Seconds::of_children()?;
        if !cargo.stdin(Stdio::null()).status()?.success() {
            return Err(format!("{} with {tools} tools does not compile", contestant.name).into());
        }
        let seconds = Seconds::of_children()? - before;
        Ok(Figures { seconds, size: self.stripped_size(contestant, profile)? })
    }

    fn stripped_size(&self, contestant: &Contestant, profile: Profile) -> Result<f64> {
        let program = self.target().join(profile.folder()).join(contestant.package());
        let stripped = self.folder.join("stripped");
        if !Command::new("strip").arg("-o").arg(&stripped).arg(&program).status()?.success() {
            return Err(format!("{} cannot be stripped", program.display()).into());
        }
        Ok(fs::metadata(stripped)?.len() as f64)
    }

    fn target(&self) -> PathBuf {
        self.folder.join("target")
    }
}
