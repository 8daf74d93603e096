//! `skills![…]`.

/// Embeds skills into the program: folders with a `SKILL.md`, for [`Server::skills`](crate::Server::skills) (feature
/// `skills`).
///
/// Each entry is the path of a folder, relative to the file in which it is written, as for `include_str!`.
///
/// ```
/// use mcp_runtime::{Server, skills};
///
/// let server = Server::new("shop", "1.0.0").skills(skills!["skills/refunds"]);
/// # server.build().unwrap();
/// ```
///
/// The value is a [`Skills`](crate::skill::Skills), whose methods set scopes, caching and the folders in the URIs. The
/// guide [`skills`](crate::guide::skills) says what clients see.
///
/// # A skill
///
/// The folder of the example has two files, and the second one is in a folder of its own:
///
/// ```text
/// skills/refunds/SKILL.md
/// skills/refunds/references/policy.md
/// ```
///
/// `SKILL.md` begins with its frontmatter, which is YAML between two lines `---`:
///
/// ```text
#[doc = include_str!("skills/refunds/SKILL.md")]
/// ```
///
/// | field | required | value |
/// | --- | --- | --- |
/// | `name` | yes | the name of the folder: 1 to 64 of `a`-`z`, `0`-`9`, and single `-` between them |
/// | `description` | yes | 1 to 1,024 characters: what the skill does, and when to load it |
/// | `license` | no | text |
/// | `compatibility` | no | 1 to 500 characters: what the skill needs |
/// | `metadata` | no | any fields; keys that begin with `io.modelcontextprotocol/` are reserved |
/// | `allowed-tools` | no | text; hosts ignore it in skills of servers, unless their user allows it |
///
/// Other fields are published as they are. The frontmatter is read as YAML 1.2. What hosts could read differently is a
/// compile error: anchors, aliases and tags, a key that is written twice, a number that JSON lacks.
///
/// # Files
///
/// All files of the folder and of the folders inside of it belong to the skill, except for names that begin with a period,
/// and links. A skill has at most 512 files and 16 MiB, which every host accepts. The digests of the files are computed
/// at compile time, from the bytes that the program contains.
///
/// If a file is changed or removed, cargo builds the program again. Cargo does not notice a file that is *added*. The
/// command `check` of the program finds such a file, and this `build.rs` lets cargo notice it:
///
/// ```no_run
/// println!("cargo::rerun-if-changed=src/skills");
/// ```
///
/// # Compile errors
///
/// Each mistake is reported at the folder's path, with the file and the line: a missing folder or `SKILL.md`, a frontmatter
/// that is missing or invalid, a name that is not the name of the folder, too many files or bytes, two skills with the
/// same name in one list. [`Server::build`](crate::Server::build) rejects two skills with the same URI in different lists.
#[macro_export]
macro_rules! skills {
    ($($skills:tt)*) => { $crate::__private::expand_skills! { ($crate) $($skills)* } };
}
