//! `Skills`, which an author adds to a server.

use std::{borrow::Cow, fmt, panic::Location, sync::Arc, time::Duration};

use super::{
    embedded::EmbeddedSkill,
    entry::{SCHEME, SkillEntry, encoded_path},
    methods::SkillMethods,
    resource::SkillResource,
    source::SkillSource,
};
use crate::{Server, serve::resource::Resource};

/// Skills for a server: folders with a `SKILL.md`, from the program or from a folder that is read while the server runs.
///
/// [`skills!`](crate::skills) embeds folders at compile time. `Skills::directory` (feature `directory`) reads a folder
/// of skills:
///
/// ```
/// # #[cfg(feature = "directory")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_runtime::{Server, skill::Skills};
///
/// # let folder = std::env::temp_dir().join("mcp_skills_example");
/// # std::fs::create_dir_all(folder.join("skills/refunds"))?;
/// # std::fs::write(folder.join("skills/refunds/SKILL.md"), "---\nname: refunds\ndescription: Decides on a refund.\n---\n")?;
/// # std::env::set_current_dir(&folder)?;
/// let service = Server::new("shop", "1.0.0").skills(Skills::directory("skills").watch()).build()?;
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "directory"))]
/// # fn main() {}
/// ```
///
/// The guide [`skills`](crate::guide::skills) says what clients see.
#[derive(Clone)]
#[must_use = "pass the skills to `Server::skills`"]
pub struct Skills {
    origin: SkillOrigin,
    /// The folders before the name of each skill in its URI, with a `/` at the end, if there are any.
    prefix: String,
    scopes: Vec<Cow<'static, str>>,
    ttl: Option<Duration>,
    is_unlisted: bool,
    declared_at: &'static Location<'static>,
}

#[derive(Clone)]
enum SkillOrigin {
    Embedded(&'static [EmbeddedSkill]),
    #[cfg(feature = "directory")]
    Directory {
        path: std::path::PathBuf,
        is_watched: bool,
    },
}

impl Skills {
    pub(super) fn embedded(skills: &'static [EmbeddedSkill], declared_at: &'static Location<'static>) -> Self {
        Self::new(SkillOrigin::Embedded(skills), declared_at)
    }

    /// Serves the skills of a folder (feature `directory`): each folder in it, at any depth, that contains a `SKILL.md`.
    /// Folders inside of a skill belong to that skill. A relative path is relative to the working directory.
    ///
    /// The folder is read with every request, so skills can be added, changed and removed while the server runs. Digests
    /// are computed again only for files that have changed. Which files are served is the same as for
    /// [`Directory`](crate::resource::Directory): no hidden files, no links, and nothing that a `.gitignore` excludes.
    ///
    /// # Errors
    /// [`Server::build`] fails if the folder cannot be read, or if one of its skills is invalid. A skill that becomes
    /// invalid while the server runs is left out, and the server logs the reason.
    #[cfg(feature = "directory")]
    #[track_caller]
    pub fn directory(path: impl Into<std::path::PathBuf>) -> Self {
        Self::new(SkillOrigin::Directory { path: path.into(), is_watched: false }, Location::caller())
    }

    fn new(origin: SkillOrigin, declared_at: &'static Location<'static>) -> Self {
        let (prefix, scopes) = (String::new(), Vec::new());
        Self { origin, prefix, scopes, ttl: None, is_unlisted: false, declared_at }
    }

    /// Tells clients when files of a folder change, and when skills appear or disappear: clients can subscribe to the URI
    /// of a file and to the list of resources. See [`Directory::watch`](crate::resource::Directory::watch). Embedded
    /// skills do not change, and ignore this setting.
    #[cfg(feature = "directory")]
    pub fn watch(mut self) -> Self {
        if let SkillOrigin::Directory { is_watched, .. } = &mut self.origin {
            *is_watched = true;
        }
        self
    }

    /// Sets folders that stand before the name of each skill in its URI: with `acme/billing`, the skill `refunds` is
    /// `skill://acme/billing/refunds/SKILL.md`. Default: none.
    ///
    /// # Errors
    /// [`Server::build`] fails if one of the names between the `/` is empty, `.` or `..`.
    pub fn prefix(mut self, folders: impl AsRef<str>) -> Self {
        self.prefix = format!("{}/", folders.as_ref().trim_end_matches('/'));
        self
    }

    /// Adds a scope that a caller needs to list the skills and to read their files. Default: none.
    pub fn scope(mut self, scope: impl Into<Cow<'static, str>>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Sets how long a client can cache the skills and their files, in whole milliseconds. Default: one hour (or
    /// [`Server::ttl`]) for embedded skills, and no caching for a folder.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }

    /// Leaves the skills out of `skills/list` and `resources/list`. Clients can still get and read a skill whose URI they
    /// know, for example from [`Server::instructions`].
    pub fn unlisted(mut self) -> Self {
        self.is_unlisted = true;
        self
    }

    /// Returns the resources, and adds a sentence to `problems` for each skill that cannot be served.
    fn into_resources(self, problems: &mut Vec<String>) -> Vec<SkillResource> {
        let Self { origin, prefix, scopes, ttl, is_unlisted, declared_at } = self;
        let names = prefix.trim_end_matches('/').split('/');
        if !prefix.is_empty() && names.into_iter().any(|name| matches!(name, "" | "." | "..")) {
            problems.push(format!(
                "skills: the prefix `{prefix}` has a name that is empty, `.` or `..`; write one such as `acme/billing`"
            ));
            return Vec::new();
        }
        let root = format!("{SCHEME}{}", encoded_path(&prefix));
        let resource =
            |source, root| SkillResource { source, root, scopes: scopes.clone(), ttl, is_unlisted, declared_at };
        match origin {
            SkillOrigin::Embedded(skills) => skills
                .iter()
                .filter_map(|skill| {
                    let folder = format!("{root}{}", skill.name);
                    let entry = SkillEntry::embedded(skill, &folder)
                        .map_err(|error| problems.push(format!("skills: the frontmatter of `{}`: {error}", skill.name)))
                        .ok()?;
                    let source = SkillSource::Embedded { entry: Arc::new(entry), skill };
                    Some(resource(source, format!("{folder}/")))
                })
                .collect(),
            #[cfg(feature = "directory")]
            SkillOrigin::Directory { path, is_watched } => {
                let folder = super::folder::SkillFolder::open(&path, &root, is_watched, problems);
                folder.map(|folder| resource(SkillSource::Folder(Arc::new(folder)), root)).into_iter().collect()
            }
        }
    }
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Skills");
        match &self.origin {
            SkillOrigin::Embedded(skills) => {
                shown.field("names", &skills.iter().map(|skill| skill.name).collect::<Vec<_>>());
            }
            #[cfg(feature = "directory")]
            SkillOrigin::Directory { path, is_watched } => {
                shown.field("directory", path).field("is_watched", is_watched);
            }
        }
        shown.finish_non_exhaustive()
    }
}

impl Server {
    /// Adds skills: documents with instructions that a host offers to its model, which loads them when it needs them
    /// (since 2026-07-28; older clients see their files as resources). See [`skills!`](crate::skills) and
    /// [`Skills`].
    ///
    /// # Errors
    /// [`build`](Self::build) fails if two skills have the same URI, or if a skill of a folder is invalid.
    pub fn skills(mut self, skills: Skills) -> Self {
        let mut problems = Vec::new();
        let mut resources = skills.into_resources(&mut problems);
        let methods = self.extension::<SkillMethods>();
        resources.retain(|resource| {
            let is_new = methods.is_new(resource.template());
            if !is_new {
                problems.push(format!(
                    "skills: `{}` is served twice; rename the folder of one skill, or set `Skills::prefix` for one",
                    resource.template()
                ));
            }
            is_new
        });
        self.0.problems.extend(problems);
        self.add_items(resources.into_iter().map(|resource| Box::new(resource) as Box<dyn Resource>))
    }
}
