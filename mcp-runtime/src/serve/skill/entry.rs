//! A skill as clients see it, and its files.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::embedded::EmbeddedSkill;
use crate::serve::resource::{ResourceEntry, media_type, uri};

/// The scheme of the URIs of all skills.
pub(super) const SCHEME: &str = "skill://";

/// A skill, with all that its entry in `skills/list` says.
#[derive(Debug)]
pub(crate) struct SkillEntry {
    /// The URI of its `SKILL.md`.
    pub(crate) uri: String,
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) files: Vec<SkillFile>,
    /// The entry as JSON text.
    pub(super) json: String,
}

/// A file of a skill.
#[derive(Clone, Debug)]
pub(crate) struct SkillFile {
    /// The path inside of the skill.
    pub(crate) path: Cow<'static, str>,
    pub(crate) uri: String,
    pub(crate) size: u64,
    pub(super) digest: Cow<'static, str>,
    pub(super) mime_type: Option<&'static str>,
}

/// The object of a skill in lists.
#[derive(Serialize)]
struct ListedSkill<'a> {
    uri: &'a str,
    frontmatter: &'a RawValue,
    resources: Vec<ListedSkillFile<'a>>,
}

#[derive(Serialize)]
struct ListedSkillFile<'a> {
    uri: &'a str,
    digest: &'a str,
    size: u64,
}

impl SkillEntry {
    /// Creates the entry of a skill. `frontmatter` is the text of a JSON object.
    pub(super) fn new(
        name: Cow<'static, str>,
        description: Cow<'static, str>,
        frontmatter: &str,
        files: Vec<SkillFile>,
    ) -> serde_json::Result<Self> {
        let marker = files.iter().find(|file| file.is_marker());
        let uri = marker.map(|file| file.uri.clone()).unwrap_or_default();
        let resources = files
            .iter()
            .map(|file| ListedSkillFile { uri: &file.uri, digest: &file.digest, size: file.size })
            .collect();
        let listed = ListedSkill { uri: &uri, frontmatter: serde_json::from_str(frontmatter)?, resources };
        let json = serde_json::to_string(&listed)?;
        Ok(Self { uri, name, description, files, json })
    }

    /// Creates the entry of a skill in the program. `folder` is the URI of its folder.
    pub(super) fn embedded(skill: &EmbeddedSkill, folder: &str) -> serde_json::Result<Self> {
        let files = skill.files.iter().map(|file| SkillFile {
            path: file.path.into(),
            uri: format!("{folder}/{}", encoded_path(file.path)),
            size: file.bytes.len() as u64,
            digest: file.digest.into(),
            mime_type: media_type(file.path, text_of(file.bytes).is_some()),
        });
        Self::new(skill.name.into(), skill.description.into(), skill.frontmatter, files.collect())
    }

    /// Returns the entry of a file in `resources/list`.
    pub(super) fn resource(&self, file: &SkillFile) -> ResourceEntry {
        let entry = match file.is_marker() {
            true => ResourceEntry::new(&*file.uri, &*self.name).description(&*self.description),
            false => ResourceEntry::new(&*file.uri, file.name()),
        };
        match file.mime_type {
            Some(mime_type) => entry.mime_type(mime_type).size(file.size),
            None => entry.size(file.size),
        }
    }
}

impl SkillFile {
    /// Whether this is the file that makes the folder a skill.
    pub(super) fn is_marker(&self) -> bool {
        self.path == mcp_frontmatter::SKILL_FILE
    }

    /// Returns the name of the file, without its folders.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// Encodes each name of a path for a URI.
pub(super) fn encoded_path(path: &str) -> String {
    uri::encoded(path, |char| char == '/' || uri::is_unreserved(char))
}

/// Returns the bytes as text, if they are text.
pub(super) fn text_of(bytes: &'static [u8]) -> Option<&'static str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}
