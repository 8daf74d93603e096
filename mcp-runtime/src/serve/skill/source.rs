//! Where skills come from: the program, or a folder.

use std::{pin::Pin, sync::Arc};

use super::{
    embedded::EmbeddedSkill,
    entry::{SkillEntry, text_of},
};
use crate::{
    base::error::ToolError,
    engine::tool::ArgumentsError,
    serve::resource::{
        ReadResourceFuture, ReadResourceResult, ResourceContents, ResourceList, ResourceNotFound, ResourceWatch,
    },
};

/// Where skills come from.
pub(super) enum SkillSource {
    /// One skill of the program.
    Embedded { entry: Arc<SkillEntry>, skill: &'static EmbeddedSkill },
    /// All skills of a folder.
    #[cfg(feature = "directory")]
    Folder(Arc<super::folder::SkillFolder>),
}

/// The future of the skills of a source.
pub(super) type EntriesFuture = Pin<Box<dyn Future<Output = Result<Vec<Arc<SkillEntry>>, ToolError>> + Send>>;

impl SkillSource {
    /// Begins to read the skills, sorted by URI.
    pub(super) fn entries(&self) -> EntriesFuture {
        match self {
            Self::Embedded { entry, .. } => Box::pin(std::future::ready(Ok(vec![Arc::clone(entry)]))),
            #[cfg(feature = "directory")]
            Self::Folder(folder) => Box::pin(folder.entries()),
        }
    }

    /// Begins to read a file.
    pub(super) fn read(&self, uri: &str) -> Result<ReadResourceFuture, ArgumentsError> {
        match self {
            Self::Embedded { entry, skill } => {
                let found = entry.files.iter().zip(skill.files).find(|(file, _)| file.uri == uri);
                let result = found.ok_or_else(|| ResourceNotFound.into()).map(|(file, embedded)| {
                    let contents = match text_of(embedded.bytes) {
                        Some(text) => ResourceContents::text(text),
                        None => ResourceContents::blob(embedded.bytes),
                    };
                    let mime_type = file.mime_type.unwrap_or("application/octet-stream");
                    ReadResourceResult::new([contents.mime_type(mime_type)])
                });
                Ok(Box::pin(std::future::ready(result)))
            }
            #[cfg(feature = "directory")]
            Self::Folder(folder) => Ok(Box::pin(folder.read(uri)?)),
        }
    }

    /// Whether the skills cannot change while the server runs.
    pub(super) fn is_fixed(&self) -> bool {
        matches!(self, Self::Embedded { .. })
    }

    /// Begins to watch the files, if the author wants it.
    pub(super) fn begin_watch(&self, list: &dyn Fn() -> ResourceList) -> Option<ResourceWatch> {
        match self {
            Self::Embedded { .. } => {
                let _ = list;
                None
            }
            #[cfg(feature = "directory")]
            Self::Folder(folder) => folder.begin_watch(list),
        }
    }
}
