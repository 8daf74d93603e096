//! Builds the program with `cargo build`.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::SystemTime,
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader, Lines},
    process::Command,
};

use super::{
    Project,
    diagnostic::{CargoLine, of_cargo},
    metadata::cargo,
};
use crate::edge::dev::{process_group::ProcessGroup, target::Diagnostic};

/// How much of Cargo's standard error is kept to find its own error, in bytes.
const KEPT: usize = 64 * 1024;

/// What happens while the program is built.
pub(crate) enum BuildStep<'a> {
    /// Cargo has written a line about its progress.
    Progress(&'a str),
    /// `coloured` is the rendered diagnostic with the colours of a terminal.
    Diagnostic { diagnostic: Diagnostic, coloured: &'a str },
}

/// How a build has ended.
pub(crate) enum BuildOutcome {
    Built(Executable),
    Failed,
}

/// The built program. Two values are equal if the file is the same and was not written between the builds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Executable {
    pub(crate) path: PathBuf,
    written: Option<(SystemTime, u64)>,
}

impl Executable {
    pub(crate) fn at(path: PathBuf) -> Self {
        let written = fs::metadata(&path).and_then(|file| Ok((file.modified()?, file.len()))).ok();
        Self { path, written }
    }
}

/// Builds the program. Calls `step` with what happens.
pub(crate) async fn build(project: &Project, step: &mut (dyn FnMut(BuildStep<'_>) + Send)) -> BuildOutcome {
    let mut cargo = match ProcessGroup::spawn(&mut command(project)) {
        Ok(cargo) => cargo,
        Err(error) => return failed(step, &format!("error: cannot run `cargo build`: {error}")),
    };
    let (mut stdout, mut stderr) = (lines(cargo.child().stdout.take()), lines(cargo.child().stderr.take()));
    let (mut executable, mut has_error, mut written) = (None, false, String::new());
    loop {
        tokio::select! {
            line = next(&mut stdout), if stdout.is_some() => {
                let Some(line) = line else { stdout = None; continue };
                match CargoLine::read(&line, &project.manifest, &project.target) {
                    CargoLine::Diagnostic { diagnostic, coloured } => {
                        has_error |= diagnostic.level == "error";
                        step(BuildStep::Diagnostic { diagnostic, coloured: &coloured });
                    }
                    CargoLine::Executable(path) => executable = Some(path),
                    CargoLine::Other => {}
                }
            }
            line = next(&mut stderr), if stderr.is_some() => {
                let Some(line) = line else { stderr = None; continue };
                if written.len() + line.len() <= KEPT {
                    written.push_str(&line);
                    written.push('\n');
                }
                step(BuildStep::Progress(&line));
            }
            else => break,
        }
    }
    let succeeded = cargo.child().wait().await.is_ok_and(|status| status.success());
    match executable {
        Some(path) if succeeded => BuildOutcome::Built(Executable::at(path)),
        _ if has_error => BuildOutcome::Failed,
        _ if !succeeded => {
            // Its lines were shown as progress.
            step(BuildStep::Diagnostic { diagnostic: of_cargo(&written), coloured: "" });
            BuildOutcome::Failed
        }
        _ => failed(step, &format!("error: Cargo has built no program `{}`", project.target.name)),
    }
}

fn failed(step: &mut (dyn FnMut(BuildStep<'_>) + Send), error: &str) -> BuildOutcome {
    step(BuildStep::Diagnostic { diagnostic: of_cargo(error), coloured: error });
    BuildOutcome::Failed
}

fn command(project: &Project) -> Command {
    let mut command = cargo();
    command.args(arguments(project)).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.current_dir(project.manifest.parent().unwrap_or(Path::new(".")));
    command
}

fn arguments(project: &Project) -> Vec<OsString> {
    let kind = if project.target.is_example { "--example" } else { "--bin" };
    let mut arguments: Vec<OsString> =
        ["build", "--message-format=json-diagnostic-rendered-ansi", "--manifest-path"].map(Into::into).into();
    arguments.push(project.manifest.clone().into());
    arguments.extend(["--package", &project.package, kind, &project.target.name].map(Into::into));
    arguments.extend(project.feature.iter().flat_map(|feature| ["--features", feature]).map(Into::into));
    let chooses = |names: &[&str]| {
        let given = |argument: &OsString, name: &&str| {
            argument.to_str().is_some_and(|argument| argument.split('=').next() == Some(name))
        };
        project.arguments.iter().any(|argument| names.iter().any(|name| given(argument, name)))
    };
    // What the user chooses has precedence over how the running program was built.
    for option in project.profile.chunks(2) {
        let is_chosen =
            if option[0] == "--profile" { chooses(&["--profile", "--release", "-r"]) } else { chooses(&["--target"]) };
        if !is_chosen {
            arguments.extend_from_slice(option);
        }
    }
    arguments.extend_from_slice(&project.arguments);
    arguments
}

fn lines<R: AsyncRead>(output: Option<R>) -> Option<Lines<BufReader<R>>>
where
    BufReader<R>: tokio::io::AsyncBufRead,
{
    output.map(|output| BufReader::new(output).lines())
}

async fn next<R: AsyncRead + Unpin>(lines: &mut Option<Lines<BufReader<R>>>) -> Option<String> {
    lines.as_mut()?.next_line().await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::dev::project::BuiltTarget;

    fn words(feature: Option<&str>, profile: &[&str], given: &[&str]) -> String {
        let project = Project {
            package: "server".to_owned(),
            manifest: "/w/Cargo.toml".into(),
            target: BuiltTarget { name: "app".to_owned(), is_example: false },
            feature: feature.map(str::to_owned),
            profile: profile.iter().map(Into::into).collect(),
            target_directory: "/w/target".into(),
            sources: Vec::new(),
            workspace: "/w".into(),
            arguments: given.iter().map(Into::into).collect(),
        };
        let words: Vec<_> = arguments(&project).into_iter().map(|word| word.into_string().unwrap()).collect();
        let words = words.join(" ");
        let begin = "build --message-format=json-diagnostic-rendered-ansi --manifest-path /w/Cargo.toml ";
        words.strip_prefix(begin).unwrap_or(&words).to_owned()
    }

    #[test]
    fn what_the_user_gives_has_precedence() {
        assert_eq!(words(None, &[], &[]), "--package server --bin app");
        let built = ["--profile", "release"];
        assert_eq!(words(Some("dev"), &built, &[]), "--package server --bin app --features dev --profile release");
        for given in ["--release", "-r", "--profile=fast"] {
            assert_eq!(words(None, &built, &[given]), format!("--package server --bin app {given}"));
        }
        let given = ["--features", "a"];
        assert_eq!(
            words(None, &["--target", "x", "--profile", "fast"], &given),
            "--package server --bin app --target x --profile fast --features a"
        );
    }
}
