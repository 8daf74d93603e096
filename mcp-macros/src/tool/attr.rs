//! Parses `#[mcp_tool(…)]`, `#[mcp_prompt(…)]` and `#[handoff(…)]`.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Expr, ExprLit, Ident, Lit, LitBool, LitInt, LitStr, Path, Token, Type,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
};

use super::{check_rules, scopes, view};
use crate::{
    errors::Errors,
    keys::{self, Entry, Keys, Value},
};

const OF_FUNCTION: Keys = Keys {
    owner: "`#[mcp_tool]`",
    known: &[
        "name",
        "title",
        "description",
        "icons",
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
        "task",
        "view",
        "visibility",
        "register",
        "allow",
        "meta",
        "crate",
    ],
    repeatable: &[],
    refused: &[],
};

const OF_PROMPT: Keys = Keys {
    owner: "`#[mcp_prompt]`",
    known: &[
        "name",
        "title",
        "description",
        "icons",
        "requires",
        "optional",
        "scopes",
        "timeout",
        "answer_within",
        "replayable",
        "register",
        "allow",
        "meta",
        "crate",
    ],
    repeatable: &[],
    refused: &[
        ("read_only", HINT_OF_TOOLS),
        ("destructive", HINT_OF_TOOLS),
        ("idempotent", HINT_OF_TOOLS),
        ("open_world", HINT_OF_TOOLS),
        ("task", "only calls of tools can be tasks; remove `task`"),
        ("view", "only a tool or a form can have a view; remove `view`"),
        ("visibility", "only a tool can be hidden from models, because users choose prompts; remove `visibility`"),
    ],
};

const HINT_OF_TOOLS: &str = "only a tool can have this hint, because getting a prompt has no effects that a hint \
                             could describe; remove the hint";

const OF_PHASES: Keys = Keys {
    owner: "`#[handoff]`",
    known: &[
        "name",
        "title",
        "description",
        "icons",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "requires",
        "optional",
        "scopes",
        "timeout",
        "answer_within",
        "task",
        "view",
        "visibility",
        "allow",
        "meta",
        "crate",
    ],
    repeatable: &[],
    refused: &[
        (
            "replayable",
            "`replayable` has no effect on a handoff, where only `client` can run again; remove `replayable`",
        ),
        ("register", "a handoff is registered as a value: `Server::tool(BookFlight { … })`; remove `register`"),
    ],
};

/// The words that `requires(…)` and `optional(…)` accept. Each word is paired with its variant of `Capability`.
const CAPABILITIES: &[(&str, &str)] = &[
    ("elicitation", "Elicitation"),
    ("elicitation_url", "ElicitationUrl"),
    ("sampling", "Sampling"),
    ("sampling_tools", "SamplingTools"),
    ("roots", "Roots"),
    ("tasks", "Tasks"),
];

/// The parsed `#[mcp_tool(…)]`, `#[mcp_prompt(…)]` or `#[handoff(…)]`. Invalid parts were reported and are absent.
pub(crate) struct ToolAttr {
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    /// The icons. Each is a URI or an `Icon`.
    pub(crate) icons: Vec<Expr>,
    pub(crate) read_only: Option<LitBool>,
    pub(crate) destructive: Option<LitBool>,
    pub(crate) idempotent: Option<LitBool>,
    pub(crate) open_world: Option<LitBool>,
    pub(crate) requires: Vec<Capability>,
    pub(crate) optional: Vec<Capability>,
    /// The scopes that callers need.
    pub(crate) scopes: Vec<LitStr>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) answer_within: Option<Duration>,
    pub(crate) replayable: Option<LitBool>,
    /// The place of the key `task`, if it is set.
    pub(crate) task: Option<Span>,
    /// The type of the view.
    pub(crate) view: Option<Type>,
    /// The chosen variant of `ToolVisibility`.
    pub(crate) visibility: Option<Ident>,
    pub(crate) register: Option<Ident>,
    /// The names of the rules of the command `check` that the item may break.
    pub(crate) allow: Vec<&'static str>,
    pub(crate) meta: Vec<Member>,
    /// The path of the runtime crate.
    pub(crate) krate: Path,
}

/// A capability of the client.
#[derive(PartialEq)]
pub(crate) struct Capability {
    pub(crate) word: Ident,
    pub(crate) variant: &'static str,
}

/// One member of `_meta`.
pub(crate) struct Member {
    pub(crate) key: LitStr,
    pub(crate) value: Expr,
}

impl ToolAttr {
    pub(crate) fn of_function(errors: &mut Errors, attr: TokenStream) -> Self {
        Self::read(errors, attr, &OF_FUNCTION)
    }

    pub(crate) fn of_prompt(errors: &mut Errors, attr: TokenStream) -> Self {
        Self::read(errors, attr, &OF_PROMPT)
    }

    pub(crate) fn of_phases(errors: &mut Errors, attr: TokenStream) -> Self {
        Self::read(errors, attr, &OF_PHASES)
    }

    fn read(errors: &mut Errors, attr: TokenStream, keys: &Keys) -> Self {
        let mut read = Self::default();
        for entry in keys.read(errors, [attr]) {
            read.set(errors, &entry);
        }
        read
    }

    /// Reads one key, and stores its value.
    pub(crate) fn set(&mut self, errors: &mut Errors, entry: &Entry) {
        match &*entry.key.to_string() {
            "name" => self.name = entry.text(errors),
            "title" => self.title = entry.text(errors),
            "description" => self.description = entry.long_text(errors),
            "icons" => self.icons = icons(errors, entry),
            "read_only" => self.read_only = entry.flag(errors),
            "destructive" => self.destructive = entry.flag(errors),
            "idempotent" => self.idempotent = entry.flag(errors),
            "open_world" => self.open_world = entry.flag(errors),
            "requires" => self.requires = capabilities(errors, entry),
            "optional" => self.optional = capabilities(errors, entry),
            "scopes" => self.scopes = scopes::read(errors, entry),
            "timeout" => self.timeout = duration_of(errors, entry),
            "answer_within" => self.answer_within = duration_of(errors, entry),
            "replayable" => self.replayable = entry.flag(errors),
            "task" => self.task = entry.flag(errors).filter(|flag| flag.value).map(|_| entry.key.span()),
            "view" => self.view = view::read(errors, entry),
            "visibility" => self.visibility = view::visibility(errors, entry),
            "register" => self.register = register(errors, entry),
            "allow" => self.allow = check_rules::read(errors, entry),
            "meta" => self.meta = meta(errors, entry),
            "crate" => {
                if let Some(krate) = entry.krate(errors) {
                    self.krate = krate;
                }
            }
            key => unreachable!("the key `{key}` is known but not handled"),
        }
    }
}

impl Default for ToolAttr {
    fn default() -> Self {
        Self {
            name: None,
            title: None,
            description: None,
            icons: Vec::new(),
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
            requires: Vec::new(),
            optional: Vec::new(),
            scopes: Vec::new(),
            timeout: None,
            answer_within: None,
            replayable: None,
            task: None,
            view: None,
            visibility: None,
            register: None,
            allow: Vec::new(),
            meta: Vec::new(),
            krate: keys::runtime(),
        }
    }
}

fn capabilities(errors: &mut Errors, entry: &Entry) -> Vec<Capability> {
    let words: Vec<&str> = CAPABILITIES.iter().map(|(word, _)| *word).collect();
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, format_args!("`{0}` must be a list; write `{0}({1})`", entry.key, words.join(", ")));
            return Vec::new();
        }
    };
    let parser = Punctuated::<Ident, Token![,]>::parse_terminated;
    let mut capabilities = Vec::new();
    for word in errors.handle(parser.parse2(list)).unwrap_or_default() {
        match CAPABILITIES.iter().find(|(known, _)| word == known) {
            Some((_, variant)) => {
                let capability = Capability { word, variant };
                if capabilities.contains(&capability) {
                    errors.push(&capability.word, format_args!("`{}` is given twice; keep one", capability.word));
                } else {
                    capabilities.push(capability);
                }
            }
            None => {
                let owner = format!("`{}`", entry.key);
                errors.push(&word, keys::unknown("capability", &word.to_string(), &owner, &words));
            }
        }
    }
    capabilities
}

/// Reads a duration, such as `"30s"`.
pub(crate) fn duration_of(errors: &mut Errors, entry: &Entry) -> Option<Duration> {
    let Some(text) = entry.value::<LitStr>() else {
        let key = &entry.key;
        let example = entry.number().map_or_else(|| "30s".to_owned(), |number| in_seconds(&number));
        entry.misused(
            errors,
            format_args!("`{key}` must be a string with a number and a unit; write `{key} = \"{example}\"`"),
        );
        return None;
    };
    let duration = duration(&text.value());
    if duration.is_none() {
        errors.push(
            &text,
            format_args!(
                "`{}` is not a duration; write a whole number above zero and a unit: `500ms`, `30s`, `5m` or `1h`",
                text.value()
            ),
        );
    }
    duration
}

/// Returns the duration that the author probably meant by a number without quotes. Only messages use it.
fn in_seconds(number: &LitInt) -> String {
    let written = number.to_string();
    if duration(&written).is_some() { written } else { format!("{}s", number.base10_digits()) }
}

/// Parses a whole number above zero with one of the units `ms`, `s`, `m`, `h`.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let number = number.parse::<u64>().ok().filter(|number| *number > 0)?;
    let milliseconds = match unit.trim_start() {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.checked_mul(milliseconds).map(Duration::from_millis)
}

fn register(errors: &mut Errors, entry: &Entry) -> Option<Ident> {
    if let Value::Is(Expr::Path(path)) = &entry.value
        && let Some(ident) = path.path.get_ident()
    {
        return Some(ident.clone());
    }
    entry.misused(errors, "`register` must be a name for the generated type; write `register = SearchTool`");
    None
}

fn icons(errors: &mut Errors, entry: &Entry) -> Vec<Expr> {
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, "`icons` must be a list; write `icons(\"https://example.com/icon.png\")`");
            return Vec::new();
        }
    };
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let icons: Vec<_> = errors.handle(parser.parse2(list)).unwrap_or_default().into_iter().collect();
    for icon in &icons {
        if let Expr::Lit(ExprLit { lit: Lit::Str(uri), .. }) = icon
            && !["https://", "http://", "data:"].iter().any(|scheme| uri.value().starts_with(scheme))
        {
            errors.push(
                uri,
                format_args!("`{}` is not the URI of an icon; write one with `https://` or `data:`", uri.value()),
            );
        }
    }
    icons
}

fn meta(errors: &mut Errors, entry: &Entry) -> Vec<Member> {
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, "`meta` must be a list; write `meta(\"example.com/key\" = value)`");
            return Vec::new();
        }
    };
    let parser = Punctuated::<Member, Token![,]>::parse_terminated;
    let mut members: Vec<Member> = Vec::new();
    for member in errors.handle(parser.parse2(list)).unwrap_or_default() {
        if members.iter().any(|earlier| earlier.key.value() == member.key.value()) {
            errors.push(&member.key, format_args!("`{}` is given twice; keep one", member.key.value()));
        } else {
            members.push(member);
        }
    }
    members
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = if input.peek(LitStr) {
            input.parse()?
        } else {
            let key = input.call(Ident::parse_any)?;
            LitStr::new(&key.unraw().to_string(), key.span())
        };
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: input.parse()? })
    }
}

impl quote::ToTokens for Capability {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let variant = Ident::new(self.variant, self.word.span());
        tokens.extend(quote!(#variant));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_durations_with_a_number_and_a_unit() {
        let milliseconds = |text| duration(text).map(|duration| duration.as_millis());
        for (text, expected) in [("500ms", 500), ("30s", 30_000), ("5 m", 300_000), ("1h", 3_600_000)] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
        for text in
            ["", "s", "30", "0s", "-1s", "1.5s", "30 sec", "1s1", "18446744073709551615h", "99999999999999999999s"]
        {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
