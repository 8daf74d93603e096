//! Parses `#[mcp_resource("docs://pages/{name}", …)]`.

use std::time::Duration;

use proc_macro2::TokenStream;
use syn::{Expr, ExprPath, Ident, Lit, LitFloat, LitInt, LitStr, Path, Token, parse::Parser, punctuated::Punctuated};

use super::uri;
use crate::{
    errors::Errors,
    keys::{self, Entry, Keys, Value},
    tool::{ToolAttr, duration_of},
};

const KEYS: Keys = Keys {
    owner: "`#[mcp_resource]`",
    known: &[
        "name",
        "title",
        "description",
        "icons",
        "mime_type",
        "size",
        "list",
        "ttl",
        "cache_scope",
        "audience",
        "priority",
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
    ],
};

const HINT_OF_TOOLS: &str = "only a tool can have this hint, because reading a resource has no effects that a hint \
                             could describe; remove the hint";

/// The words that `audience(…)` accepts. Each word is paired with its variant of `Audience`.
const AUDIENCES: &[(&str, &str)] = &[("user", "User"), ("assistant", "Assistant")];

/// The parsed attribute. Invalid parts were reported and are absent.
pub(super) struct ResourceAttr {
    /// The URI or the template.
    pub(super) uri: Option<LitStr>,
    /// The variables of the URI. `None` if the URI is invalid.
    pub(super) variables: Option<Vec<String>>,
    pub(super) mime_type: Option<LitStr>,
    pub(super) size: Option<LitInt>,
    /// The function that lists the resources of the template.
    pub(super) list: Option<Path>,
    pub(super) ttl: Option<Duration>,
    /// The chosen variant of `CacheScope`.
    pub(super) cache_scope: Option<Ident>,
    /// The chosen variants of `Audience`.
    pub(super) audience: Vec<Ident>,
    pub(super) priority: Option<LitFloat>,
    /// The definition of the view whose page the resource is.
    pub(super) page: Option<TokenStream>,
    /// The keys that resources share with tools.
    pub(super) shared: ToolAttr,
}

impl ResourceAttr {
    pub(super) fn read(errors: &mut Errors, attr: TokenStream) -> Self {
        let message = "the first argument must be the URI; write `#[mcp_resource(\"docs://pages/{name}\")]`";
        let (uri, keys) = keys::first_text(errors, attr, message);
        let mut read = Self::new(errors, uri, ToolAttr::default());
        for entry in KEYS.read(errors, [keys]) {
            read.set(errors, &entry);
        }
        read
    }

    /// Creates the attribute of a view, from its URI and those of its keys that resources have too.
    pub(super) fn of_view(
        errors: &mut Errors,
        uri: Option<LitStr>,
        shared: ToolAttr,
        keys: &[Entry],
        page: TokenStream,
    ) -> Self {
        let mut read = Self { page: Some(page), ..Self::new(errors, uri, shared) };
        for entry in keys {
            read.set(errors, entry);
        }
        read
    }

    fn new(errors: &mut Errors, uri: Option<LitStr>, shared: ToolAttr) -> Self {
        let variables = uri.as_ref().map(|uri| uri::variables(&uri.value()));
        let variables = match (&uri, variables) {
            (Some(uri), Some(Err(reason))) => {
                errors.push(uri, reason);
                None
            }
            (_, variables) => variables.and_then(Result::ok),
        };
        Self {
            uri,
            variables,
            mime_type: None,
            size: None,
            list: None,
            ttl: None,
            cache_scope: None,
            audience: Vec::new(),
            priority: None,
            page: None,
            shared,
        }
    }

    fn set(&mut self, errors: &mut Errors, entry: &Entry) {
        match &*entry.key.to_string() {
            "mime_type" => self.mime_type = mime_type(errors, entry),
            "size" => self.size = size(errors, entry),
            "list" => self.list = list(errors, entry),
            "ttl" => self.ttl = duration_of(errors, entry),
            "cache_scope" => self.cache_scope = cache_scope(errors, entry),
            "audience" => self.audience = audience(errors, entry),
            "priority" => self.priority = priority(errors, entry),
            _ => self.shared.set(errors, entry),
        }
    }
}

fn mime_type(errors: &mut Errors, entry: &Entry) -> Option<LitStr> {
    let text = entry.text(errors)?;
    if !uri::is_mime_type(&text.value()) {
        let message = format!("`{}` is not a MIME type; write one such as `\"text/markdown\"`", text.value());
        errors.push(&text, message);
    }
    Some(text)
}

fn size(errors: &mut Errors, entry: &Entry) -> Option<LitInt> {
    if let Value::Is(Expr::Lit(literal)) = &entry.value
        && let Lit::Int(size) = &literal.lit
        && size.base10_parse::<u64>().is_ok()
    {
        return Some(size.clone());
    }
    entry.misused(errors, "`size` must be a number of bytes; write `size = 4096`");
    None
}

fn list(errors: &mut Errors, entry: &Entry) -> Option<Path> {
    if let Value::Is(Expr::Path(ExprPath { qself: None, path, .. })) = &entry.value {
        return Some(path.clone());
    }
    entry.misused(errors, "`list` must be a function; write `list = pages`");
    None
}

fn cache_scope(errors: &mut Errors, entry: &Entry) -> Option<Ident> {
    let text = match &entry.value {
        Value::Is(_) => entry.text(errors)?,
        _ => {
            entry.misused(errors, "`cache_scope` must be `\"public\"` or `\"private\"`");
            return None;
        }
    };
    let variant = match &*text.value() {
        "public" => "Public",
        "private" => "Private",
        _ => {
            errors.push(text, "`cache_scope` must be `\"public\"` or `\"private\"`");
            return None;
        }
    };
    Some(Ident::new(variant, text.span()))
}

fn audience(errors: &mut Errors, entry: &Entry) -> Vec<Ident> {
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, "`audience` must be a list; write `audience(user, assistant)`");
            return Vec::new();
        }
    };
    let words = errors.handle(Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list)).unwrap_or_default();
    let mut variants = Vec::new();
    for word in words {
        match AUDIENCES.iter().find(|(known, _)| word == known) {
            Some((_, variant)) => variants.push(Ident::new(variant, word.span())),
            None => {
                let known: Vec<_> = AUDIENCES.iter().map(|(known, _)| *known).collect();
                errors.push(&word, keys::unknown("audience", &word.to_string(), "`audience`", &known));
            }
        }
    }
    variants
}

fn priority(errors: &mut Errors, entry: &Entry) -> Option<LitFloat> {
    if let Value::Is(Expr::Lit(literal)) = &entry.value
        && let Lit::Float(priority) = &literal.lit
        && priority.base10_parse::<f64>().is_ok_and(|priority| (0.0..=1.0).contains(&priority))
    {
        return Some(priority.clone());
    }
    entry.misused(errors, "`priority` must be a number from 0.0 to 1.0; write `priority = 0.5`");
    None
}
