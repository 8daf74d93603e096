//! Parses `#[method(…)]`.

use quote::ToTokens;
use syn::{Attribute, Expr, Lit, LitInt, LitStr, Meta};

use crate::{
    errors::Errors,
    keys::{self, Entry, Keys, Value},
    tool::ToolAttr,
};

const KEYS: Keys = Keys {
    owner: "`#[method]`",
    known: &[
        "name",
        "title",
        "description",
        "icons",
        "hidden",
        "verb",
        "path",
        "status",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "requires",
        "optional",
        "scopes",
        "timeout",
        "answer_within",
        "replayable",
        "allow",
        "meta",
    ],
    repeatable: &[],
    refused: &[("crate", "`crate` belongs to the whole contract: `#[contract(crate = …)]`")],
};

/// The verbs of HTTP that a route can have.
const VERBS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// The parsed `#[method(…)]` attributes of a method. Invalid parts were reported and are absent.
#[derive(Default)]
pub(crate) struct MethodAttr {
    pub(crate) tool: ToolAttr,
    pub(crate) hidden: bool,
    pub(crate) route: Route,
}

/// The parts of the HTTP route that the author sets. The other parts are derived from the method's name.
#[derive(Default)]
pub(crate) struct Route {
    pub(crate) verb: Option<LitStr>,
    pub(crate) path: Option<LitStr>,
    pub(crate) status: Option<LitInt>,
}

impl MethodAttr {
    /// Parses the `#[method(…)]` attributes, and removes them from the method.
    pub(crate) fn take(errors: &mut Errors, attrs: &mut Vec<Attribute>) -> Self {
        let taken: Vec<_> = attrs.extract_if(.., |attr| attr.path().is_ident("method")).collect();
        let lists = taken.iter().filter_map(|attr| match &attr.meta {
            Meta::List(list) => Some(list.tokens.clone()),
            other => {
                errors.push(other, "`#[method]` needs a key, such as `#[method(name = \"…\")]`");
                None
            }
        });
        let lists: Vec<_> = lists.collect();
        let mut read = Self::default();
        for entry in KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "hidden" => read.hidden = entry.flag(errors).is_some_and(|flag| flag.value),
                "verb" => read.route.verb = verb(errors, &entry),
                "path" => read.route.path = path(errors, &entry),
                "status" => read.route.status = status(errors, &entry),
                _ => read.tool.set(errors, &entry),
            }
        }
        read
    }
}

impl Route {
    /// Returns the names of the parameters in the path, such as `id` for `/todos/{id}`.
    pub(crate) fn parameters(&self) -> Vec<String> {
        self.path.as_ref().map_or_else(Vec::new, |path| parameters(&path.value()).map(str::to_owned).collect())
    }
}

fn parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}

fn verb(errors: &mut Errors, entry: &Entry) -> Option<LitStr> {
    let text = entry.text(errors)?;
    let (verb, upper) = (text.value(), text.value().to_ascii_uppercase());
    if VERBS.contains(&&*verb) {
        return Some(text);
    }
    let message = match keys::nearest(&upper, &VERBS) {
        Some(meant) => format!("unknown verb `{verb}`; did you mean `{meant}`?"),
        None => format!("unknown verb `{verb}`; a route has {}", keys::list(&VERBS).replace(" and ", " or ")),
    };
    errors.push(text, message);
    None
}

fn path(errors: &mut Errors, entry: &Entry) -> Option<LitStr> {
    let text = entry.text(errors)?;
    let path = text.value();
    let names: Vec<_> = parameters(&path).collect();
    let repeated = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    let problem = if !path.starts_with('/') {
        format!("a path begins with `/`; write `\"/{path}\"`")
    } else if let Some(odd) = path.split('/').skip(1).find(|segment| !is_segment(segment)) {
        format!(
            "`{odd}` is not a segment of a path; write letters, digits, `-`, `.`, `_` and `~`, \
             or one parameter in braces: `{{id}}`"
        )
    } else if let Some((_, name)) = repeated {
        format!("the path has two parameters `{name}`; rename one")
    } else {
        return Some(text);
    };
    errors.push(text, problem);
    None
}

fn is_segment(segment: &str) -> bool {
    let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c));
    match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        Some(name) => !name.is_empty() && is_plain(name),
        None => !segment.is_empty() && is_plain(segment),
    }
}

fn status(errors: &mut Errors, entry: &Entry) -> Option<LitInt> {
    if let Value::Is(Expr::Lit(literal)) = &entry.value
        && let Lit::Int(number) = &literal.lit
        && number.base10_parse::<u16>().is_ok_and(|status| (200..300).contains(&status))
        && number.suffix().is_empty()
    {
        return Some(number.clone());
    }
    let got = match &entry.value {
        Value::Is(value) => format!(", not `{}`", value.to_token_stream()),
        _ => String::new(),
    };
    entry.misused(errors, format_args!("the status must be a number from 200 to 299{got}; write `status = 202`"));
    None
}
