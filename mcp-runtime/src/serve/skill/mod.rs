//! Skills: folders with instructions, which a host offers to its model and loads when they are needed (SEP-2640).
//!
//! The files of a skill are resources, in every revision. Since 2026-07-28 clients also list the skills, with their
//! frontmatter and the digest of each file.

#[cfg(feature = "cli")]
mod checked;
mod directory_read;
mod embedded;
mod entry;
#[cfg(feature = "directory")]
mod folder;
mod list;
mod methods;
mod resource;
mod skills;
mod source;

#[cfg(feature = "cli")]
pub(crate) use self::{checked::SkillFiles, resource::SkillResource};
pub use self::{
    embedded::{EmbeddedFile, EmbeddedSkill, embedded_skills},
    skills::Skills,
};
