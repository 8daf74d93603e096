//! What is known about a host: where its file is, and the form of an entry in it.

use super::{entry::ServerEntry, form::EntryForm, format::FileFormat, place::PlacePath};

/// Whose file an entry is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    User,
    Project,
}

/// Returns the words of a command that adds an entry. Returns `None` if there is none for this entry or scope.
pub(crate) type OwnCommand = fn(&ServerEntry, Scope) -> Option<Vec<String>>;

pub(crate) struct KnownHost {
    /// What a user types.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) format: FileFormat,
    pub(crate) form: EntryForm,
    /// The file or folder that exists if the user has this host.
    pub(crate) presence: PlacePath,
    pub(super) user_file: PlacePath,
    pub(super) project_file: Option<PlacePath>,
    /// The extension that its files can have instead.
    pub(crate) other_extension: Option<&'static str>,
    /// What the user does after the entry was written.
    pub(crate) next_step: &'static str,
    /// The host's own command that adds the same entry, if it has one.
    pub(crate) own_command: Option<OwnCommand>,
}

impl KnownHost {
    /// # Errors
    /// If the host has no file for projects.
    pub(crate) fn file(&self, scope: Scope) -> Result<&PlacePath, String> {
        match scope {
            Scope::User => Ok(&self.user_file),
            Scope::Project => self
                .project_file
                .as_ref()
                .ok_or_else(|| format!("{} has no file for a project; leave out `--project`", self.title)),
        }
    }

    pub(crate) fn has(&self, scope: Scope) -> bool {
        self.file(scope).is_ok()
    }
}
