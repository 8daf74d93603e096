//! Names of tools and arguments: portable, unique, and the same in each build.

use std::collections::HashSet;

use crate::words::words;

/// The longest name that the APIs of all models take, in characters.
const LONGEST: usize = 64;

/// Returns the name of a tool: the words of an `operationId`, or of a method and a path.
pub(super) fn tool_name(text: &str) -> String {
    let words = words(text);
    let words = words.iter().map(|word| word.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), ""));
    let mut name = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if name.len() + 1 + word.len() > LONGEST {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(&word);
    }
    if name.is_empty() { text.chars().filter(char::is_ascii_alphanumeric).take(LONGEST).collect() } else { name }
}

/// Returns the name, with a number if it is taken, and takes it.
pub(super) fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let name = if name.is_empty() { "operation" } else { name };
    let mut unique = name.to_owned();
    let mut number = 1;
    while !taken.insert(unique.clone()) {
        number += 1;
        let end = format!("_{number}");
        unique = format!("{}{end}", &name[..name.len().min(LONGEST - end.len())]);
    }
    unique
}

/// Returns the name of an argument for a parameter: its own name, without what the APIs of models do not take.
pub(super) fn argument_name(name: &str) -> String {
    let name: String = name.chars().map(|c| if is_portable(c) { c } else { '_' }).collect();
    let name = name.trim_matches('_');
    name[..name.len().min(LONGEST)].to_owned()
}

/// Returns whether the APIs of all models take a name of an argument.
pub(super) fn is_portable_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_portable)
}

fn is_portable(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_named_in_snake_case_within_64_characters() {
        for (id, name) in [
            ("getPetById", "get_pet_by_id"),
            ("repos/list-for-user", "repos_list_for_user"),
            ("get /pets/{petId}", "get_pets_pet_id"),
            ("größeÄndern", "gre_ndern"),
        ] {
            assert_eq!(tool_name(id), name);
        }
        let long = tool_name(&"listAllRepositoriesOf".repeat(5));
        assert_eq!(long, "list_all_repositories_oflist_all_repositories_oflist_all");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut taken = HashSet::new();
        let names: Vec<_> = ["a", "a", "a_2", "a"].iter().map(|name| unique(name, &mut taken)).collect();
        assert_eq!(names, ["a", "a_2", "a_2_2", "a_3"]);
        let long = "a".repeat(64);
        unique(&long, &mut taken);
        assert_eq!(unique(&long, &mut taken).len(), 64);
    }

    #[test]
    fn arguments_keep_their_names_where_models_take_them() {
        for (name, argument) in
            [("petId", "petId"), ("X-Request-Id", "X-Request-Id"), ("filter[state]", "filter_state")]
        {
            assert_eq!(argument_name(name), argument);
        }
        assert!(is_portable_name("a.b") && !is_portable_name("a[b]") && !is_portable_name(""));
    }
}
