//! Parses `allow(…)`: the rules of the command `check` that an item may break.

use proc_macro2::TokenStream;
use syn::{
    Ident, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use crate::{
    errors::Errors,
    keys::{self, Entry, Value},
    words::snake_text,
};

/// The rules about one item. A test compares them with those of the runtime.
const RULES: &[&str] = &[
    "unportable_name",
    "rejected_schema",
    "reduced_schema",
    "repeated_description",
    "long_description",
    "undescribed_parameter",
];

/// The name of a rule. A name with dashes, as the command writes it, is parsed too: its error says what to write.
struct RuleName(Punctuated<Ident, Token![-]>);

impl Parse for RuleName {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let parse = |input: ParseStream<'_>| Punctuated::parse_separated_nonempty_with(input, Ident::parse_any);
        parse(input).map(Self)
    }
}

/// Returns the rules, each once. Unknown rules are reported and left out.
pub(super) fn read(errors: &mut Errors, entry: &Entry) -> Vec<&'static str> {
    let list: TokenStream = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, "`allow` must be a list of rules; write `allow(undescribed_parameter)`");
            return Vec::new();
        }
    };
    let parser = Punctuated::<RuleName, Token![,]>::parse_terminated;
    let mut rules: Vec<&'static str> = Vec::new();
    for RuleName(name) in errors.handle(parser.parse2(list)).unwrap_or_default() {
        let text = name.iter().map(Ident::to_string).collect::<Vec<_>>().join("-");
        let known = RULES.iter().find(|rule| **rule == text);
        match known.filter(|rule| rules.contains(*rule)) {
            Some(rule) => errors.push(&name, format_args!("`{rule}` is given twice; keep one")),
            None => match known {
                Some(rule) => rules.push(*rule),
                None => errors.push(&name, unknown(&text)),
            },
        }
    }
    rules
}

fn unknown(text: &str) -> String {
    match RULES.iter().find(|rule| **rule == snake_text(text)) {
        Some(rule) => format!("the name of a rule has `_` here; write `{rule}`"),
        None => {
            let message = keys::unknown("rule", text, "`allow`", RULES);
            let listed = format!("; `allow` accepts {}", keys::list(RULES));
            if message.contains(&listed) { message } else { format!("{message} (rules: {})", keys::list(RULES)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn the_runtime_has_the_same_rules_about_items() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src/edge/cli/check/rules.rs");
        let text = fs::read_to_string(file).expect("the rules of the runtime");
        let (_, rules) = text.split_once("pub(crate) const OF_ITEMS").expect("the rules about items");
        let (rules, _) = rules.split_once("];").expect("the end of the list");
        let names: Vec<_> = rules.split('&').skip(2).filter_map(|rest| rest.split(',').next()).collect();
        assert_eq!(names.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>(), RULES);
        for rule in RULES {
            assert!(text.contains(&format!("id: \"{}\",", rule.replace('_', "-"))), "{rule}");
        }
    }
}
