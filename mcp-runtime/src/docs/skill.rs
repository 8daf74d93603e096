//! Skills: documents with instructions that a host offers to its model, which loads them when it needs them.
//!
//! [`skills!`](crate::skills) embeds folders with a `SKILL.md` at compile time. [`Skills`] also serves a folder that is
//! read while the server runs, and sets scopes and caching. The guide [`skills`](crate::guide::skills) says what a skill
//! is and what clients see.

pub use crate::serve::skill::Skills;
