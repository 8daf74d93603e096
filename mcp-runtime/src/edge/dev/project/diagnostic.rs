//! The messages of Cargo and of the compiler, as Cargo writes them: one JSON object on a line.

use std::path::{Path, PathBuf};

use console::strip_ansi_codes;
use serde::Deserialize;

use super::BuiltTarget;
use crate::edge::dev::target::Diagnostic;

/// What a line of Cargo's standard output says.
#[derive(Debug, PartialEq)]
pub(super) enum CargoLine {
    Diagnostic {
        diagnostic: Diagnostic,
        /// As the compiler prints it, with colours.
        coloured: String,
    },
    /// The program is built.
    Executable(PathBuf),
    /// Something else, which the command does not need.
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum CargoMessage {
    CompilerMessage {
        message: CompilerMessage,
    },
    CompilerArtifact {
        #[serde(default)]
        manifest_path: PathBuf,
        target: ArtifactTarget,
        executable: Option<PathBuf>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct CompilerMessage {
    message: String,
    level: String,
    #[serde(default)]
    rendered: Option<String>,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    column_start: u32,
    is_primary: bool,
}

impl CargoLine {
    /// Reads a line. `manifest` and `target` are those of the program.
    pub(super) fn read(line: &str, manifest: &Path, target: &BuiltTarget) -> Self {
        match serde_json::from_str(line) {
            Ok(CargoMessage::CompilerMessage { message }) => message.into_line(),
            Ok(CargoMessage::CompilerArtifact { manifest_path, target: built, executable: Some(executable) }) => {
                let kind = if target.is_example { "example" } else { "bin" };
                let is_program = built.name == target.name && built.kind.iter().any(|found| found == kind);
                if is_program && manifest_path == manifest { Self::Executable(executable) } else { Self::Other }
            }
            _ => Self::Other,
        }
    }
}

impl CompilerMessage {
    fn into_line(self) -> CargoLine {
        let level = match &*self.level {
            "warning" => "warning",
            level if level.starts_with("error") => "error",
            _ => "note",
        };
        let place = self.spans.into_iter().find(|span| span.is_primary);
        let coloured = self.rendered.unwrap_or_else(|| format!("{level}: {}\n", self.message));
        let diagnostic = Diagnostic {
            level,
            message: self.message,
            rendered: strip_ansi_codes(&coloured).into_owned(),
            line: place.as_ref().map(|place| place.line_start),
            column: place.as_ref().map(|place| place.column_start),
            file: place.map(|place| place.file_name),
        };
        CargoLine::Diagnostic { diagnostic, coloured }
    }
}

/// Returns Cargo's own error as a diagnostic. `output` is what Cargo has written to standard error.
pub(super) fn of_cargo(output: &str) -> Diagnostic {
    let output = strip_ansi_codes(output);
    let begin = output.rfind("\nerror: ").map(|at| at + 1).or_else(|| output.starts_with("error: ").then_some(0));
    let rendered = output[begin.unwrap_or_default()..].trim_end();
    let message = rendered.lines().next().unwrap_or_default().trim_start_matches("error: ");
    Diagnostic {
        level: "error",
        message: if message.is_empty() { "Cargo failed without an error message".into() } else { message.into() },
        rendered: rendered.to_owned(),
        file: None,
        line: None,
        column: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> CargoLine {
        let target = BuiltTarget { name: "app".to_owned(), is_example: false };
        CargoLine::read(line, Path::new("/w/Cargo.toml"), &target)
    }

    /// The line of a real Cargo, shortened.
    #[test]
    fn reads_an_error_of_the_compiler() {
        let line = r#"{"reason":"compiler-message","package_id":"path+file:///w#app@0.1.0","manifest_path":"/w/Cargo.toml","target":{"kind":["bin"],"crate_types":["bin"],"name":"app","src_path":"/w/src/main.rs","edition":"2024","doc":true,"doctest":false,"test":true},"message":{"rendered":"\u001b[1m\u001b[91merror[E0425]\u001b[0m\u001b[1m: cannot find value `x` in this scope\u001b[0m\n","$message_type":"diagnostic","children":[],"level":"error","message":"cannot find value `x` in this scope","spans":[{"byte_end":24,"byte_start":23,"column_end":14,"column_start":13,"expansion":null,"file_name":"src/main.rs","is_primary":true,"label":"not found in this scope","line_end":2,"line_start":2,"suggested_replacement":null,"suggestion_applicability":null,"text":[]}],"code":{"code":"E0425","explanation":""}}}"#;
        let CargoLine::Diagnostic { diagnostic, coloured } = read(line) else { panic!("{line}") };
        assert_eq!(diagnostic.rendered, "error[E0425]: cannot find value `x` in this scope\n");
        assert!(coloured.contains("\u{1b}["));
        assert_eq!((diagnostic.level, &*diagnostic.message), ("error", "cannot find value `x` in this scope"));
        assert_eq!(
            (diagnostic.file.as_deref(), diagnostic.line, diagnostic.column),
            (Some("src/main.rs"), Some(2), Some(13))
        );
    }

    #[test]
    fn finds_the_program_among_the_artifacts() {
        let line = |manifest: &str, kind: &str, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"{manifest}","target":{{"name":"app","kind":["{kind}"]}},"executable":{executable},"fresh":true}}"#
            )
        };
        let built = CargoLine::Executable("/w/target/debug/app".into());
        assert_eq!(read(&line("/w/Cargo.toml", "bin", "\"/w/target/debug/app\"")), built);
        for (manifest, kind, executable) in [
            ("/w/Cargo.toml", "lib", "null"),
            ("/w/Cargo.toml", "example", "\"/w/target/debug/examples/app\""),
            ("/w/other/Cargo.toml", "bin", "\"/w/target/debug/app\""),
        ] {
            assert_eq!(read(&line(manifest, kind, executable)), CargoLine::Other, "{kind}");
        }
    }

    #[test]
    fn ignores_other_lines() {
        for line in ["", "hello", "{}", r#"{"reason":"build-finished","success":true}"#, r#"{"reason":"new","x":1}"#] {
            assert_eq!(read(line), CargoLine::Other, "{line}");
        }
    }

    #[test]
    fn an_error_of_cargo_itself_begins_at_its_last_error() {
        let output = "    Blocking waiting for file lock\n\u{1b}[1m\u{1b}[91merror\u{1b}[0m: failed to parse manifest at `/w/Cargo.toml`\n\nCaused by:\n  invalid key\n";
        let diagnostic = of_cargo(output);
        assert_eq!(diagnostic.message, "failed to parse manifest at `/w/Cargo.toml`");
        assert!(diagnostic.rendered.ends_with("Caused by:\n  invalid key"), "{diagnostic:?}");
        assert_eq!(of_cargo("").message, "Cargo failed without an error message");
    }
}
