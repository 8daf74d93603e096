//! Skills that `skills!` has embedded into the program.

use std::panic::Location;

use super::Skills;

/// A skill in the program. `skills!` has checked it at compile time.
#[derive(Clone, Copy)]
pub struct EmbeddedSkill {
    /// The folder, relative to the file in which the author wrote it.
    pub folder: &'static str,
    /// The name of the skill.
    pub name: &'static str,
    /// What the skill is for.
    pub description: &'static str,
    /// The text of a JSON object.
    pub frontmatter: &'static str,
    /// Sorted by path.
    pub files: &'static [EmbeddedFile],
}

/// A file of a skill in the program.
#[derive(Clone, Copy)]
pub struct EmbeddedFile {
    /// The path inside of the skill.
    pub path: &'static str,
    /// The content of the file.
    pub bytes: &'static [u8],
    /// The digest of the bytes, as the protocol writes it.
    pub digest: &'static str,
}

/// Returns the skills of one `skills!`.
#[track_caller]
pub fn embedded_skills(skills: &'static [EmbeddedSkill]) -> Skills {
    Skills::embedded(skills, Location::caller())
}
