//! Parses the rules and the default of a field. This module checks only the tokens. Constants of the runtime check the
//! rules against the type of the field.

use quote::ToTokens;

use crate::{
    errors::Errors,
    keys::{self, Entry},
    literal::{Literal, NotALiteral},
};

/// The names of the text formats. Each name is paired with its variant of `Format`.
const FORMATS: &[(&str, &str)] = &[("email", "Email"), ("uri", "Uri"), ("date", "Date"), ("date-time", "DateTime")];

/// The order in which rules are checked. The default is last, because it is checked against all other rules.
pub(crate) const ORDER: &[&str] =
    &["format", "min", "max", "min_length", "max_length", "min_items", "max_items", "enum_names", "default"];

/// The lower and upper limits.
const LIMITS: &[(&str, &str)] = &[("min", "max"), ("min_length", "max_length"), ("min_items", "max_items")];

/// A key of `#[elicit]` with its argument.
pub(crate) type Rule = crate::rule::Rule<Argument>;

pub(crate) enum Argument {
    /// `enum_names`
    Nothing,
    /// `min = 0.5`
    Literal(Literal),
    /// `min_length = 3`
    Count(u32),
    /// `format = "email"`
    Format(&'static str),
}

impl Rule {
    pub(crate) fn read(errors: &mut Errors, entry: Entry) -> Option<Self> {
        let argument = match &*entry.key.to_string() {
            "format" => format(errors, &entry).map(Argument::Format),
            "min" | "max" => number(errors, &entry).map(Argument::Literal),
            "enum_names" => return flag(errors, entry),
            "default" => default(errors, &entry).map(Argument::Literal),
            _ => count(errors, &entry).map(Argument::Count),
        };
        Some(Self::new(entry, argument?))
    }
}

/// Sorts the rules. Reports and removes rules that contradict each other.
pub(crate) fn consistent(errors: &mut Errors, rules: Vec<Rule>) -> Vec<Rule> {
    crate::rule::consistent(errors, rules, ORDER, LIMITS, |argument| match argument {
        Argument::Literal(literal) => literal.number(),
        Argument::Count(count) => Some((*count).into()),
        Argument::Nothing | Argument::Format(_) => None,
    })
}

fn format(errors: &mut Errors, entry: &Entry) -> Option<&'static str> {
    let text = entry.text(errors)?;
    let known = FORMATS.iter().find(|(name, _)| *name == text.value());
    if known.is_none() {
        let names: Vec<_> = FORMATS.iter().map(|(name, _)| *name).collect();
        errors.push(&text, keys::unknown("format", &text.value(), "the protocol", &names));
    }
    known.map(|(_, variant)| *variant)
}

fn flag(errors: &mut Errors, entry: Entry) -> Option<Rule> {
    let flag = entry.flag(errors)?;
    flag.value.then(|| Rule { shown: entry.key.to_token_stream(), key: entry.key, argument: Argument::Nothing })
}

fn number(errors: &mut Errors, entry: &Entry) -> Option<Literal> {
    match literal(errors, entry)? {
        number @ (Literal::Integer(_) | Literal::Float(_)) => Some(number),
        _ => {
            entry.misused(errors, format_args!("`{0}` must be a number; write `{0} = 10`", entry.key));
            None
        }
    }
}

fn default(errors: &mut Errors, entry: &Entry) -> Option<Literal> {
    let literal = literal(errors, entry)?;
    if let Literal::List(texts) = &literal {
        let twice = texts
            .iter()
            .enumerate()
            .find(|(index, text)| texts[..*index].iter().any(|earlier| earlier.value() == text.value()));
        if let Some((_, text)) = twice {
            errors.push(text, format_args!("`{}` is given twice; keep one", text.value()));
            return None;
        }
    }
    Some(literal)
}

fn count(errors: &mut Errors, entry: &Entry) -> Option<u32> {
    let count = match literal(errors, entry)? {
        Literal::Integer(count) => u32::try_from(count).ok(),
        _ => None,
    };
    if count.is_none() {
        entry.misused(errors, format_args!("`{0}` must be a whole number, 0 or greater; write `{0} = 3`", entry.key));
    }
    count
}

fn literal(errors: &mut Errors, entry: &Entry) -> Option<Literal> {
    match Literal::of_key(&entry.value) {
        Ok(literal) => return Some(literal),
        Err(NotALiteral::TooLarge) => entry.misused(errors, "this number is too large for a form; write a smaller one"),
        Err(NotALiteral::Other) => {
            let example = match &*entry.key.to_string() {
                "default" => "`default = \"text\"`, `default = 3`, `default = true` or `default = [\"one\", \"two\"]`",
                "min" | "max" => &*format!("`{} = 10`", entry.key),
                _ => &*format!("`{} = 3`", entry.key),
            };
            entry.misused(
                errors,
                format_args!(
                    "`{}` must be a literal, because the form is fixed at compile time; write {example}",
                    entry.key
                ),
            );
        }
    }
    None
}
