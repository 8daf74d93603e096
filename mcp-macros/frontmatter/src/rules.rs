//! The rules about the fields of a frontmatter.

use crate::{
    Frontmatter, Problem,
    yaml::{Field, Fields},
};

/// The maximum number of characters of a name, of a description, and of `compatibility`.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;
const LONGEST_COMPATIBILITY: usize = 500;

/// The beginning of the keys of `metadata` that extensions of the protocol define. They define none so far.
const RESERVED: &str = "io.modelcontextprotocol/";

pub(crate) fn check(fields: Fields, folder: &str) -> Result<Frontmatter, Problem> {
    let name = text(&fields, "name", &format!("name: {folder}"))?;
    let description = text(&fields, "description", "description: what the skill does, and when to load it")?;
    if !is_name(name.1) {
        return Err(Problem::at(
            name.0,
            format!(
                "`{}` is not the name of a skill: write 1 to {LONGEST_NAME} of `a`-`z`, `0`-`9` and single `-` between \
                 them",
                name.1
            ),
        ));
    }
    if name.1 != folder {
        return Err(Problem::at(
            name.0,
            format!("the name is `{}`, but the folder is `{folder}`; give both the same name", name.1),
        ));
    }
    let length = description.1.chars().count();
    if description.1.trim().is_empty() || length > LONGEST_DESCRIPTION {
        let found =
            if length > LONGEST_DESCRIPTION { format!("has {length} characters") } else { "is empty".to_owned() };
        let problem = format!("the description {found}; write 1 to {LONGEST_DESCRIPTION} characters");
        return Err(Problem::at(description.0, problem));
    }
    for Field { key, text, line } in &fields.top {
        match (&**key, text) {
            ("license" | "compatibility" | "allowed-tools", None) => {
                return Err(Problem::at(*line, format!("`{key}` must be text; put its value in quotes")));
            }
            ("compatibility", Some(text)) if text.is_empty() || text.chars().count() > LONGEST_COMPATIBILITY => {
                let problem = format!("`compatibility` must have 1 to {LONGEST_COMPATIBILITY} characters");
                return Err(Problem::at(*line, problem));
            }
            _ => {}
        }
    }
    if let Some((key, line)) = fields.metadata.iter().find(|(key, _)| key.starts_with(RESERVED)) {
        let problem =
            format!("the key `{key}` is reserved: `{RESERVED}` belongs to the protocol; choose another prefix");
        return Err(Problem::at(*line, problem));
    }
    Ok(Frontmatter { name: name.1.to_owned(), description: description.1.to_owned(), json: fields.json })
}

/// Returns the line and the text of a required field. `example` says how to write it.
fn text<'f>(fields: &'f Fields, key: &str, example: &str) -> Result<(usize, &'f str), Problem> {
    match fields.top.iter().find(|field| field.key == key) {
        Some(Field { text: Some(text), line, .. }) => Ok((*line, text)),
        Some(field) => Err(Problem::at(field.line, format!("`{key}` must be text; put its value in quotes"))),
        None => Err(Problem::of_file(format!("the frontmatter has no `{key}`; add the line `{example}`"))),
    }
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}
