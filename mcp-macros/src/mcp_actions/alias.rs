//! Parses `alias = "result"` and `alias("result", include_trace = true)`.

use darling::FromMeta;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    LitStr, Token,
    parse::{ParseStream, Parser},
};

use crate::{
    errors::Errors,
    keys::{Entry, Value},
    literal::Literal,
};

/// Another name of an action. The model does not see aliases.
pub(crate) struct Alias {
    pub(crate) name: LitStr,
    /// The parameters that the alias sets.
    pub(crate) sets: Vec<AliasSet>,
}

/// A parameter that an alias sets.
pub(crate) struct AliasSet {
    pub(crate) parameter: syn::Ident,
    pub(crate) value: Literal,
}

impl Alias {
    /// Parses the value of the key `alias`. Invalid parts are reported and left out.
    pub(crate) fn read(errors: &mut Errors, entry: &Entry) -> Option<Self> {
        const WRITE: &str =
            "an alias is a name; write `alias = \"result\"`, or `alias(\"result\", include_trace = true)`";
        match &entry.value {
            Value::Is(value) => match LitStr::from_expr(value) {
                Ok(name) => Some(Self { name, sets: Vec::new() }),
                Err(_) => {
                    entry.misused(errors, WRITE);
                    None
                }
            },
            Value::List(list) => {
                let Ok((name, entries)) = parse.parse2(list.clone()) else {
                    entry.misused(errors, WRITE);
                    return None;
                };
                let sets = entries.into_iter().filter_map(|entry| AliasSet::read(errors, entry)).collect();
                Some(Self { name, sets })
            }
            Value::Nothing => {
                entry.misused(errors, WRITE);
                None
            }
        }
    }
}

impl AliasSet {
    fn read(errors: &mut Errors, Entry { key, value }: Entry) -> Option<Self> {
        let parsed = match &value {
            Value::Is(value) => Literal::read(value).ok().filter(|literal| !matches!(literal, Literal::List(_))),
            _ => None,
        };
        if parsed.is_none() {
            let culprit: &dyn ToTokens = match &value {
                Value::Is(value) => value,
                _ => &key,
            };
            let message = "an alias sets a parameter to a literal: text, a number, `true` or `false`";
            errors.push(culprit.to_token_stream(), message);
        }
        Some(Self { parameter: key, value: parsed? })
    }

    /// Returns an expression that creates the value as JSON.
    pub(crate) fn json(&self) -> TokenStream {
        match &self.value {
            Literal::Text(text) => quote!(_mcp::Value::from(#text)),
            Literal::Bool(value) => quote!(_mcp::Value::from(#value)),
            Literal::Float(number) => quote!(_mcp::Value::from(#number)),
            Literal::Integer(number) => match i64::try_from(*number) {
                Ok(number) => quote!(_mcp::Value::from(#number)),
                Err(_) => {
                    let number = u64::try_from(*number).unwrap_or(u64::MAX);
                    quote!(_mcp::Value::from(#number))
                }
            },
            Literal::List(_) => unreachable!("a list was rejected"),
        }
    }
}

fn parse(input: ParseStream<'_>) -> syn::Result<(LitStr, Vec<Entry>)> {
    let name = input.parse::<LitStr>()?;
    let mut entries = Vec::new();
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            entries.push(input.parse()?);
        }
    }
    Ok((name, entries))
}
