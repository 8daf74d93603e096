//! Reads the folders, and checks what hosts require of a skill.

use std::{fs, path::PathBuf};

use mcp_frontmatter::{Frontmatter, MAX_BYTES, MAX_FILES, SKILL_FILE};
use syn::LitStr;

use crate::errors::Errors;

/// A skill whose rules are checked.
pub(super) struct Skill<'a> {
    /// The folder as the author wrote it.
    pub(super) folder: &'a LitStr,
    pub(super) frontmatter: Frontmatter,
    pub(super) files: Vec<File>,
}

pub(super) struct File {
    /// The path inside of the skill.
    pub(super) path: String,
    pub(super) digest: String,
}

/// Returns the skills without problems. Of two skills with one name, the second one is a problem.
pub(super) fn skills<'a>(errors: &mut Errors, folders: &'a [LitStr]) -> Vec<Skill<'a>> {
    let mut skills: Vec<Skill<'a>> = Vec::new();
    for folder in folders {
        // Only the editor does not know the file of a literal. There, the skill is left out.
        let Some(place) = place(folder) else { continue };
        match skill(folder, &place) {
            Err(problem) => errors.push(folder, problem),
            Ok(skill) if skills.iter().any(|known| known.frontmatter.name == skill.frontmatter.name) => {
                let name = &skill.frontmatter.name;
                errors.push(folder, format_args!("two skills have the name `{name}`; rename one, or leave it out"));
            }
            Ok(skill) => skills.push(skill),
        }
    }
    skills
}

/// Returns where the folder is. Its path is relative to the source file, as in `include_str!`.
fn place(folder: &LitStr) -> Option<PathBuf> {
    let source = folder.span().unwrap().local_file()?;
    Some(source.parent()?.join(folder.value()))
}

fn skill<'a>(folder: &'a LitStr, place: &std::path::Path) -> Result<Skill<'a>, String> {
    let written = folder.value();
    let Some(name) = place.file_name().and_then(|name| name.to_str()) else {
        return Err(format!("`{written}` does not end with the name of a skill; write the path of its folder"));
    };
    let found = mcp_frontmatter::files(place)
        .map_err(|error| format!("cannot read the folder `{written}`, which is relative to this file: {error}"))?;
    if !found.iter().any(|file| file.path == SKILL_FILE) {
        return Err(format!("the folder `{written}` has no `{SKILL_FILE}`, which makes it a skill; add this file"));
    }
    if found.len() > MAX_FILES {
        let count = found.len();
        return Err(format!("`{written}` has {count} files, and hosts accept at most {MAX_FILES}; remove some"));
    }
    let size: u64 = found.iter().map(|file| file.size).sum();
    if size > MAX_BYTES {
        return Err(format!(
            "the files of `{written}` have {size} bytes, and hosts accept at most {MAX_BYTES}; remove some"
        ));
    }
    let (mut frontmatter, mut files) = (None, Vec::with_capacity(found.len()));
    for file in found {
        let shown = format!("{}/{}", written.trim_end_matches('/'), file.path);
        let bytes = fs::read(&file.place).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        if file.path == SKILL_FILE {
            let read = Frontmatter::of_skill(&bytes, name).map_err(|problem| format!("`{shown}`: {problem}"))?;
            frontmatter = Some(read);
        }
        files.push(File { digest: mcp_frontmatter::digest(&bytes), path: file.path });
    }
    let frontmatter = frontmatter.ok_or_else(|| format!("`{written}/{SKILL_FILE}` disappeared"))?;
    Ok(Skill { folder, frontmatter, files })
}
