//! Parses `#[setting(…)]` above the struct and on a field.

use syn::{Attribute, Expr, LitStr, Path};

use crate::{
    errors::Errors,
    form::{is_not_blank, lists},
    keys::{self, Entry, Keys},
    literal::{Literal, NotALiteral},
    rule,
};

const STRUCT_KEYS: Keys = Keys {
    owner: "`#[setting]` above the struct",
    known: &["crate", "prefix"],
    repeatable: &[],
    refused: &[
        ("env", "`env` belongs on a field; for the beginning of all names, write `prefix = \"APP\"`"),
        ("env_prefix", "write `prefix = \"APP\"`"),
        ("flag", "`flag` belongs on a field"),
    ],
};

const FIELD_KEYS: Keys = Keys {
    owner: "`#[setting]` on a field",
    known: &["default", "description", "env", "flag", "kind", "max", "min", "rename", "secret", "title"],
    repeatable: &[],
    refused: &[
        (
            "required",
            "a setting is required unless its type is an `Option` or a `Vec`, or it has a `default`; remove `required`",
        ),
        ("optional", "`optional` is not a key; make the type an `Option`"),
        ("name", "to rename a setting, write `rename = \"…\"`"),
        ("long", "write `flag = \"…\"`, without `--`"),
        ("short", "a setting has no short option, so that options of several settings do not collide; remove `short`"),
        ("choices", "the choices are the variants of an enum with `#[derive(Choice)]`; use it as the type"),
        ("range", "write the smallest and the largest value: `min = 1, max = 100`"),
        ("prefix", "`prefix` belongs above the struct"),
        ("crate", "`crate` belongs above the struct"),
    ],
};

/// The parsed `#[setting(…)]` above the struct.
pub(crate) struct StructAttr {
    pub(crate) krate: Path,
    pub(crate) prefix: Option<LitStr>,
}

impl StructAttr {
    pub(crate) fn read(errors: &mut Errors, attrs: &[Attribute]) -> Self {
        let mut read = Self { krate: keys::runtime(), prefix: None };
        let lists = lists(errors, attrs, "setting", "prefix = \"…\"");
        for entry in STRUCT_KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "crate" => read.krate = entry.krate(errors).unwrap_or_else(keys::runtime),
                "prefix" => read.prefix = entry.text(errors),
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        read
    }
}

/// The order in which rules are checked. The default is last, because it is checked against the limits.
const ORDER: &[&str] = &["secret", "flag", "kind", "min", "max", "default"];

/// The parsed `#[setting(…)]` of a field. Invalid parts were reported and are absent.
#[derive(Default)]
pub(crate) struct FieldAttr {
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) env: Option<LitStr>,
    /// The rules that constants of the runtime check against the type, in the order in which they are checked.
    pub(crate) rules: Vec<Rule>,
}

/// A key of `#[setting]` with its argument.
pub(crate) type Rule = rule::Rule<Argument>;

pub(crate) enum Argument {
    /// `secret`
    Nothing,
    /// `default = 3`, `min = 1`
    Literal(Literal),
    /// `kind = "directory"`
    Kind(&'static str),
    /// `flag = "root"`
    Flag(LitStr),
}

impl FieldAttr {
    pub(crate) fn read(errors: &mut Errors, attrs: &[Attribute]) -> Self {
        let mut read = Self::default();
        let lists = lists(errors, attrs, "setting", "title = \"…\"");
        for entry in FIELD_KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "title" => read.title = entry.text(errors).filter(|text| is_not_blank(errors, "title", text)),
                "description" => read.description = entry.long_text(errors),
                "rename" => read.rename = entry.text(errors),
                "env" => read.env = entry.text(errors),
                _ => read.rules.extend(Rule::read(errors, entry)),
            }
        }
        read.rules = rule::consistent(errors, read.rules, ORDER, &[("min", "max")], |argument| match argument {
            Argument::Literal(literal) => literal.number(),
            Argument::Nothing | Argument::Kind(_) | Argument::Flag(_) => None,
        });
        read
    }
}

impl Rule {
    fn read(errors: &mut Errors, entry: Entry) -> Option<Self> {
        let argument = match &*entry.key.to_string() {
            "secret" if !entry.flag(errors)?.value => return None,
            "secret" => Argument::Nothing,
            "default" => Argument::Literal(default(errors, &entry)?),
            "min" | "max" => Argument::Literal(limit(errors, &entry)?),
            "kind" => Argument::Kind(kind(errors, &entry)?),
            "flag" => Argument::Flag(entry.text(errors)?),
            key => unreachable!("the key `{key}` is known but not handled"),
        };
        Some(Self::new(entry, argument))
    }
}

fn default(errors: &mut Errors, entry: &Entry) -> Option<Literal> {
    literal(
        errors,
        entry,
        "`default` must be a literal, because installers and documents show it; write `default = \"text\"`, \
         `default = 3`, `default = true` or `default = [\"one\", \"two\"]`",
    )
}

fn limit(errors: &mut Errors, entry: &Entry) -> Option<Literal> {
    let key = &entry.key;
    let misuse = format!("`{key}` must be a number, because installers and documents show it; write `{key} = 10`");
    let limit = literal(errors, entry, &misuse)?;
    if limit.number().is_none() {
        entry.misused(errors, misuse);
        return None;
    }
    Some(limit)
}

/// Reads a literal. `misuse` is the error about a value of another kind.
fn literal(errors: &mut Errors, entry: &Entry, misuse: &str) -> Option<Literal> {
    match Literal::of_key(&entry.value) {
        Ok(literal) => return Some(literal),
        Err(NotALiteral::TooLarge) => {
            entry.misused(errors, "this number is too large for every type; write a smaller one");
        }
        Err(NotALiteral::Other) => entry.misused(errors, misuse),
    }
    None
}

/// The kinds that the type does not say. Each is paired with its variant of `SettingKind`.
const KINDS: &[(&str, &str)] = &[("file", "File"), ("directory", "Directory")];

fn kind(errors: &mut Errors, entry: &Entry) -> Option<&'static str> {
    let text = entry.text(errors)?;
    let value = text.value();
    let known = KINDS.iter().find(|(name, _)| *name == value);
    if known.is_none() {
        let message = match &*value {
            "folder" | "dir" => format!("unknown kind `{value}`; did you mean `directory`?"),
            "path" => "a path is a file or a directory; write `kind = \"file\"` or `kind = \"directory\"`".to_owned(),
            "text" | "string" | "number" | "integer" | "boolean" | "bool" | "choice" => {
                format!("the type of the field says that it is `{value}`; remove `kind`")
            }
            _ => keys::unknown("kind", &value, "`kind`", &["file", "directory"]),
        };
        errors.push(&text, message);
    }
    known.map(|(_, variant)| *variant)
}
