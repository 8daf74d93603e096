//! What a skill of the Model Context Protocol must be: the frontmatter of its `SKILL.md`, its files and their digests
//! (SEP-2640, and the specification of Agent Skills to which it refers).
//!
//! `mcp-macros` uses this crate at compile time, and `mcp-runtime` for folders that are read while a server runs, so
//! that both accept the same skills. It is not meant to be used directly.

mod files;
mod rules;
mod scalar;
mod yaml;

use std::fmt;

pub use self::files::{MAX_BYTES, MAX_FILES, SKILL_FILE, SkillFile, digest, files};

/// The frontmatter of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontmatter {
    /// The name of the skill, which is also the name of its folder.
    pub name: String,
    /// What the skill is for, and when to load it.
    pub description: String,
    /// All fields as the text of a JSON object, in the order in which they are written.
    pub json: String,
}

impl Frontmatter {
    /// Reads the frontmatter of a `SKILL.md`, and checks the rules of its fields. `folder` is the name of the folder
    /// that contains the file.
    ///
    /// # Errors
    /// Returns the first problem: the text is not UTF-8, there is no frontmatter, its YAML is invalid or could be read
    /// in two ways, or a field breaks a rule.
    pub fn of_skill(file: &[u8], folder: &str) -> Result<Self, Problem> {
        let text = std::str::from_utf8(file).map_err(|error| {
            let lines = file[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            Problem::at(lines + 1, "the text is not UTF-8")
        })?;
        let block = block(text.strip_prefix('\u{feff}').unwrap_or(text)).ok_or_else(|| {
            Problem::of_file(format!(
                "the file must begin with its frontmatter: a line `---`, `name: {folder}`, `description: …`, and a \
                 line `---`"
            ))
        })?;
        let fields = yaml::read(block)?;
        rules::check(fields, folder)
    }
}

/// Why a file is not the `SKILL.md` of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line in the file, from 1, if the problem has a place.
    pub line: Option<usize>,
    /// What is wrong.
    pub text: String,
}

impl Problem {
    pub(crate) fn at(line: usize, text: impl Into<String>) -> Self {
        Self { line: Some(line), text: text.into() }
    }

    pub(crate) fn of_file(text: impl Into<String>) -> Self {
        Self { line: None, text: text.into() }
    }
}

/// Writes `line 3: …`, or the text alone.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for Problem {}

/// The number of the line on which the frontmatter begins, after the line `---`.
const FIRST_LINE: usize = 2;

/// Returns the lines between the first line, which is `---`, and the next line `---`.
fn block(text: &str) -> Option<&str> {
    let begin = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut length = 0;
    for line in begin.split_inclusive('\n') {
        if line.strip_prefix("---").is_some_and(|rest| rest.trim_matches(['\r', '\n', ' ', '\t']).is_empty()) {
            return Some(&begin[..length]);
        }
        length += line.len();
    }
    None
}
