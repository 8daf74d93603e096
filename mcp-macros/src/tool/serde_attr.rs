//! Parses `#[serde(…)]` and `#[schemars(…)]` on a parameter.

use darling::FromMeta;
use syn::{Attribute, Expr, ExprPath, Ident, LitStr, Meta};

use super::ArgumentKind;
use crate::{
    errors::Errors,
    keys::{Entry, Keys, Value},
};

const OF_PARAMETER: Keys = Keys {
    owner: "`#[serde]` on a parameter",
    known: &["rename", "alias", "default", "with", "deserialize_with", "skip"],
    repeatable: &["alias"],
    refused: &[
        (
            "flatten",
            "a parameter cannot be flattened; write `#[params] args: Args`, and use `flatten` on a field of `Args`",
        ),
        ("skip_deserializing", "a parameter is never serialized; write `skip` instead"),
        ("skip_serializing", "a parameter is never serialized; remove `skip_serializing`"),
        ("skip_serializing_if", "a parameter is never serialized; remove `skip_serializing_if`"),
        ("serialize_with", "a parameter is never serialized; remove `serialize_with`"),
    ],
};

/// The keys that are allowed on a field of a tool. Another derive can also serialize the field, which is impossible for
/// a parameter.
const OF_FIELD: Keys = Keys {
    owner: "`#[serde]` on a field of a tool",
    known: &[
        "rename",
        "alias",
        "default",
        "with",
        "deserialize_with",
        "skip",
        "serialize_with",
        "skip_serializing",
        "skip_serializing_if",
    ],
    repeatable: &["alias"],
    refused: &[
        (
            "flatten",
            "a field of a variant cannot be flattened; let the variant wrap a struct, as in `Search(Query)`, whose fields \
             can use `flatten`",
        ),
        ("skip_deserializing", "`skip_deserializing` is not supported; to hide the field from the model, write `skip`"),
    ],
};

/// Keys of `#[schemars]` that would make the published schema differ from what the server reads.
const MISLEADING: &[&str] =
    &["rename", "default", "skip", "skip_serializing", "skip_deserializing", "skip_serializing_if", "flatten"];

/// The parsed `#[serde(…)]` of an argument, which says how the argument is read.
#[derive(Default)]
pub(crate) struct SerdeAttr {
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) default: Option<Absent>,
    pub(crate) reader: Option<Reader>,
    pub(crate) skip: Option<Ident>,
}

/// The value of an absent argument.
pub(crate) enum Absent {
    /// `default`
    OfType,
    /// `default = "path"`
    Function(ExprPath),
    /// `default = 20`, or any other expression that is not a string
    Value(Box<Expr>),
}

/// The function that deserializes the argument, instead of the `Deserialize` of its type.
pub(crate) enum Reader {
    /// `with = "module"`
    Module(ExprPath),
    /// `deserialize_with = "path"`
    Function(ExprPath),
}

impl SerdeAttr {
    pub(crate) fn read(errors: &mut Errors, attrs: &[Attribute], kind: ArgumentKind) -> Self {
        let keys = match kind {
            ArgumentKind::Parameter | ArgumentKind::Input => OF_PARAMETER,
            ArgumentKind::Field => OF_FIELD,
        };
        let mut read = Self::default();
        let lists = attrs.iter().filter(|attr| attr.path().is_ident("serde")).filter_map(|attr| match &attr.meta {
            Meta::List(list) => Some(list.tokens.clone()),
            _ => None,
        });
        for entry in keys.read(errors, lists) {
            match &*entry.key.to_string() {
                "rename" => read.rename = entry.text(errors),
                "alias" => read.aliases.extend(entry.text(errors)),
                "default" => {
                    read.default = match &entry.value {
                        Value::Nothing => Some(Absent::OfType),
                        Value::Is(value) if LitStr::from_expr(value).is_err() => {
                            Some(Absent::Value(Box::new(value.clone())))
                        }
                        _ => path(errors, &entry).map(Absent::Function),
                    }
                }
                "with" => read.reader = path(errors, &entry).map(Reader::Module),
                "deserialize_with" => read.reader = path(errors, &entry).map(Reader::Function),
                "skip" => read.skip = entry.flag(errors).map(|_| entry.key),
                // Serialization does not concern the reader.
                "serialize_with" | "skip_serializing" | "skip_serializing_if" => {}
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        read
    }
}

/// Returns the path in `key = "path"`.
fn path(errors: &mut Errors, entry: &Entry) -> Option<ExprPath> {
    let text = entry.text(errors)?;
    errors.handle(text.parse::<ExprPath>().map_err(|_| {
        syn::Error::new_spanned(&text, format_args!("`{}` is not the path of a function or module", text.value()))
    }))
}

/// Returns the keys of all `#[schemars]` attributes. The crate `schemars` checks the values of these keys.
pub(crate) fn schemars_keys(errors: &mut Errors, attrs: &[Attribute]) -> Vec<String> {
    let mut keys = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("schemars")) {
        let read = each_key(attr, |key, _| {
            let name = key.to_string();
            if MISLEADING.contains(&&*name) {
                errors.push(key, format_args!("`{name}` would change the published schema but not how the argument is read; write it in `#[serde(…)]`, which changes both"));
            } else if name == "required" {
                errors.push(
                    key,
                    "an argument is required unless its type is an `Option` or it has a default; remove `required`",
                );
            }
            keys.push(name);
        });
        errors.handle(read);
    }
    keys
}

/// Returns whether one of these keys of `#[schemars]` replaces the schema of the type.
pub(super) fn describes_otherwise(schemars: &[String]) -> bool {
    schemars.iter().any(|key| key == "with" || key == "schema_with")
}

/// Calls `see` for each key of an attribute, with the value after `=` if there is one.
///
/// # Errors
/// Fails if the attribute is not a list of keys.
pub(crate) fn each_key(attr: &Attribute, mut see: impl FnMut(&Ident, Option<&Expr>)) -> syn::Result<()> {
    attr.parse_nested_meta(|meta| {
        let mut value = None;
        if meta.input.peek(syn::Token![=]) {
            value = Some(meta.value()?.parse()?);
        } else if meta.input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in meta.input);
            content.parse::<proc_macro2::TokenStream>()?;
        }
        if let Some(key) = meta.path.get_ident() {
            see(key, value.as_ref());
        }
        Ok(())
    })
}
