//! Parses `#[mcp_view("ui://flights/seats", html = "seats.html", …)]`.

use darling::FromMeta;
use proc_macro2::TokenStream;
use syn::{Expr, Ident, LitBool, LitStr, Path, Token, parse::Parser, punctuated::Punctuated};

use super::html::ReferenceKind;
use crate::{
    errors::Errors,
    keys::{self, Entry, Keys, Value},
};

const OF_STRUCT: Keys = Keys {
    owner: "`#[mcp_view]`",
    known: &[
        "html",
        "name",
        "title",
        "description",
        "csp",
        "permissions",
        "prefers_border",
        "domain",
        "allow",
        "crate",
    ],
    repeatable: &[],
    refused: REFUSED,
};

const OF_FUNCTION: Keys = Keys {
    owner: "`#[mcp_view]`",
    known: &[
        "html",
        "name",
        "title",
        "description",
        "csp",
        "permissions",
        "prefers_border",
        "domain",
        "allow",
        "list",
        "ttl",
        "cache_scope",
        "requires",
        "optional",
        "scopes",
        "timeout",
        "answer_within",
        "replayable",
        "register",
        "crate",
    ],
    repeatable: &[],
    refused: REFUSED,
};

const REFUSED: &[(&str, &str)] = &[
    ("uri", "the URI has no key; write it first: `#[mcp_view(\"ui://flights/seats\", …)]`"),
    ("mime_type", "a view always has the type `text/html;profile=mcp-app`; remove `mime_type`"),
    ("visibility", "a view is not called; write `visibility = \"app\"` in the `#[mcp_tool]` that it calls"),
];

const CSP: Keys = Keys {
    owner: "`csp`",
    known: &["connect", "resource", "frame", "base_uri"],
    repeatable: &[],
    refused: &[
        ("script", "write the origins of scripts, styles, fonts, images and media as `resource`"),
        ("style", "write the origins of scripts, styles, fonts, images and media as `resource`"),
        ("img", "write the origins of scripts, styles, fonts, images and media as `resource`"),
    ],
};

/// The words that `permissions(…)` accepts. Each word is paired with its variant of `ViewPermission`.
const PERMISSIONS: &[(&str, &str)] = &[
    ("camera", "Camera"),
    ("microphone", "Microphone"),
    ("geolocation", "Geolocation"),
    ("clipboard_write", "ClipboardWrite"),
];

/// The rule of the only warning.
pub(super) const UNDECLARED_ORIGIN: &str = "undeclared_origin";

/// The parsed attribute. Invalid parts were reported and are absent.
pub(super) struct ViewAttr {
    pub(super) uri: Option<LitStr>,
    /// The path of the page, relative to the source file.
    pub(super) html: Option<LitStr>,
    /// Whether the attribute has the key `html`, even with an invalid value.
    pub(super) has_html: bool,
    pub(super) name: Option<LitStr>,
    pub(super) title: Option<LitStr>,
    pub(super) description: Option<Expr>,
    /// The origins from which the page may load.
    pub(super) origins: Vec<(ReferenceKind, LitStr)>,
    /// The chosen variants of `ViewPermission`.
    pub(super) permissions: Vec<Ident>,
    pub(super) prefers_border: Option<LitBool>,
    pub(super) domain: Option<LitStr>,
    /// Whether scripts may contain URLs of undeclared origins.
    pub(super) allows_undeclared: bool,
    /// The path of the runtime crate.
    pub(super) krate: Path,
}

impl ViewAttr {
    /// Reads the attribute of a struct.
    pub(super) fn of_struct(errors: &mut Errors, attr: TokenStream) -> Self {
        Self::read(errors, attr, &OF_STRUCT).0
    }

    /// Reads the attribute of a function. Also returns the keys that functions share with resources.
    pub(super) fn of_function(errors: &mut Errors, attr: TokenStream) -> (Self, Vec<Entry>) {
        Self::read(errors, attr, &OF_FUNCTION)
    }

    fn read(errors: &mut Errors, attr: TokenStream, known: &Keys) -> (Self, Vec<Entry>) {
        let message = "the first argument must be the URI; \
                       write `#[mcp_view(\"ui://flights/seats\", html = \"seats.html\")]`";
        let (uri, keys) = keys::first_text(errors, attr, message);
        let mut read = Self {
            uri,
            html: None,
            has_html: false,
            name: None,
            title: None,
            description: None,
            origins: Vec::new(),
            permissions: Vec::new(),
            prefers_border: None,
            domain: None,
            allows_undeclared: false,
            krate: keys::runtime(),
        };
        let entries = known.read(errors, [keys]);
        let others = entries.into_iter().filter_map(|entry| (!read.set(errors, &entry)).then_some(entry)).collect();
        (read, others)
    }

    /// Reads a key that only views have, or that a struct has. Returns `false` for the keys that only a function has.
    fn set(&mut self, errors: &mut Errors, entry: &Entry) -> bool {
        match &*entry.key.to_string() {
            "html" => (self.html, self.has_html) = (html(errors, entry), true),
            "name" => self.name = entry.text(errors),
            "title" => self.title = entry.text(errors),
            "description" => self.description = entry.long_text(errors),
            "csp" => self.origins = csp(errors, entry),
            "permissions" => self.permissions = permissions(errors, entry),
            "prefers_border" => self.prefers_border = entry.flag(errors),
            "domain" => self.domain = entry.text(errors),
            "allow" => self.allows_undeclared = allow(errors, entry),
            "crate" => {
                if let Some(krate) = entry.krate(errors) {
                    self.krate = krate;
                }
            }
            _ => return false,
        }
        true
    }
}

fn html(errors: &mut Errors, entry: &Entry) -> Option<LitStr> {
    let path = entry.value();
    if path.is_none() {
        entry.misused(
            errors,
            "`html` must be the path of a file as a string, because the file is checked when it compiles; write \
             `html = \"seats.html\"`",
        );
    }
    path
}

fn csp(errors: &mut Errors, entry: &Entry) -> Vec<(ReferenceKind, LitStr)> {
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, "`csp` must be a list; write `csp(connect = \"https://api.example\")`");
            return Vec::new();
        }
    };
    let mut origins = Vec::new();
    for entry in CSP.read(errors, [list]) {
        let kind = ReferenceKind::ALL.into_iter().find(|kind| entry.key == kind.key());
        let kind = kind.expect("the key is known");
        origins.extend(texts(errors, &entry).into_iter().map(|origin| (kind, origin)));
    }
    origins
}

/// Returns the strings in `connect = "…"` or `connect = ["…", "…"]`.
fn texts(errors: &mut Errors, entry: &Entry) -> Vec<LitStr> {
    let values: Vec<_> = match &entry.value {
        Value::Is(Expr::Array(array)) => array.elems.iter().collect(),
        Value::Is(value) => vec![value],
        Value::Nothing | Value::List(_) => Vec::new(),
    };
    let texts: Result<Vec<_>, _> = values.iter().map(|value| LitStr::from_expr(value)).collect();
    match texts {
        Ok(texts) if !texts.is_empty() => texts,
        _ => {
            let key = &entry.key;
            entry.misused(
                errors,
                format_args!("`{key}` must be an origin or a list of origins; write `{key} = \"https://api.example\"`"),
            );
            Vec::new()
        }
    }
}

fn permissions(errors: &mut Errors, entry: &Entry) -> Vec<Ident> {
    let mut variants: Vec<Ident> = Vec::new();
    for word in words(errors, entry, "permissions(camera)") {
        match PERMISSIONS.iter().find(|(known, _)| word == known) {
            Some((_, variant)) if variants.iter().any(|earlier| earlier == variant) => {
                errors.push(&word, format_args!("`{word}` is given twice; keep one"));
            }
            Some((_, variant)) => variants.push(Ident::new(variant, word.span())),
            None => {
                let known: Vec<_> = PERMISSIONS.iter().map(|(known, _)| *known).collect();
                errors.push(&word, keys::unknown("permission", &word.to_string(), "`permissions`", &known));
            }
        }
    }
    variants
}

fn allow(errors: &mut Errors, entry: &Entry) -> bool {
    let words = words(errors, entry, "allow(undeclared_origin)");
    for word in words.iter().filter(|word| *word != UNDECLARED_ORIGIN) {
        errors.push(word, keys::unknown("rule", &word.to_string(), "`allow`", &[UNDECLARED_ORIGIN]));
    }
    words.iter().any(|word| word == UNDECLARED_ORIGIN)
}

/// Returns the words in `key(word, …)`.
fn words(errors: &mut Errors, entry: &Entry, example: &str) -> Vec<Ident> {
    match &entry.value {
        Value::List(list) if !list.is_empty() => {
            let parser = Punctuated::<Ident, Token![,]>::parse_terminated;
            errors.handle(parser.parse2(list.clone())).unwrap_or_default().into_iter().collect()
        }
        _ => {
            entry.misused(errors, format_args!("`{}` must be a list; write `{example}`", entry.key));
            Vec::new()
        }
    }
}
