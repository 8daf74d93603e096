//! What the command `check` reads of skills.

use std::{panic::Location, sync::Arc, time::Instant};

use super::{
    embedded::EmbeddedSkill,
    entry::{SkillEntry, text_of},
    resource::SkillResource,
    source::SkillSource,
};

/// A skill with its texts.
pub(crate) struct SkillFiles {
    pub(crate) entry: Arc<SkillEntry>,
    /// The skill in the program, if it comes from there.
    pub(crate) embedded: Option<&'static EmbeddedSkill>,
    texts: Vec<(String, String)>,
}

impl SkillFiles {
    /// Returns the Markdown files, with their paths inside of the skill.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (&**path, &**text))
    }
}

impl SkillResource {
    pub(crate) fn declared_at(&self) -> &'static Location<'static> {
        self.declared_at
    }

    /// Reads the skills and their texts. Leaves out what cannot be read before `until`. Blocks the thread.
    pub(crate) fn files(&self, until: Instant) -> Vec<SkillFiles> {
        #[cfg(not(feature = "directory"))]
        let _ = until;
        match &self.source {
            SkillSource::Embedded { entry, skill } => {
                let texts = skill.files.iter().filter(|file| is_markdown(file.path));
                let texts = texts.filter_map(|file| Some((file.path.to_owned(), text_of(file.bytes)?.to_owned())));
                vec![SkillFiles { entry: Arc::clone(entry), embedded: Some(*skill), texts: texts.collect() }]
            }
            #[cfg(feature = "directory")]
            SkillSource::Folder(folder) => {
                let entries = folder.read_all(until).map(|found| found.entries).unwrap_or_default();
                let skill = |entry: Arc<SkillEntry>| {
                    let texts = entry.files.iter().filter(|file| is_markdown(&file.path));
                    let texts = texts.filter_map(|file| Some((file.path.to_string(), folder.text(&file.uri, until)?)));
                    SkillFiles { texts: texts.collect(), entry, embedded: None }
                };
                entries.into_iter().map(skill).collect()
            }
        }
    }
}

fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("md"))
}
