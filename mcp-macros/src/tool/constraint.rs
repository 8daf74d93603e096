//! Checks that literal limits in `#[schemars(range(…), length(…))]` do not contradict each other, and that the default
//! is within them. The server checks defaults that are known only at run time.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, Meta, Token, parse::Parser, punctuated::Punctuated};

use super::{Value, serde_attr::Absent};
use crate::{
    errors::Errors,
    keys::{self, Entry},
    literal::Literal,
};

/// Rejects a minimum that is greater than the maximum, and a default outside the limits.
pub(super) fn can_be_met(errors: &mut Errors, value: &Value) {
    for (key, bounds) in ["length", "range"].map(|key| (key, Bounds::read(&value.attrs, key))) {
        if !bounds.can_be_met(errors) {
            continue;
        }
        if key == "range"
            && let Some(Absent::Value(default)) = &value.serde.default
            && let Some(number) = Number::read(default)
        {
            bounds.hold(errors, &number);
        }
    }
}

/// The limits in `(min = 1, max = 9)`. A limit that is not a literal is `None`.
#[derive(Default)]
struct Bounds {
    min: Option<Number>,
    max: Option<Number>,
}

/// A number and its tokens.
struct Number {
    literal: Literal,
    shown: TokenStream,
}

impl Bounds {
    /// Parses the limits. `schemars` reports errors of the attribute itself.
    fn read(attrs: &[Attribute], key: &str) -> Self {
        let mut bounds = Self::default();
        let schemars = attrs.iter().filter(|attr| attr.path().is_ident("schemars"));
        let lists = schemars.filter_map(|attr| match &attr.meta {
            Meta::List(list) => Some(list.tokens.clone()),
            _ => None,
        });
        let found = lists.flat_map(entries).filter_map(|entry| match entry.value {
            keys::Value::List(list) if entry.key == key => Some(list),
            _ => None,
        });
        for Entry { key, value } in found.flat_map(entries) {
            let keys::Value::Is(value) = value else { continue };
            match &*key.to_string() {
                "min" => bounds.min = Number::read(&value),
                "max" => bounds.max = Number::read(&value),
                _ => {}
            }
        }
        bounds
    }

    fn can_be_met(&self, errors: &mut Errors) -> bool {
        let (Some(min), Some(max)) = (&self.min, &self.max) else { return true };
        if !min.is_above(max) {
            return true;
        }
        errors.push(&min.shown, format_args!("`min` is greater than `max`; write `min = {max}, max = {min}`"));
        false
    }

    /// Rejects a default outside the limits.
    fn hold(&self, errors: &mut Errors, default: &Number) {
        let (bound, side) = match self {
            Self { min: Some(min), .. } if min.is_above(default) => (min, "below the `min`"),
            Self { max: Some(max), .. } if default.is_above(max) => (max, "above the `max`"),
            _ => return,
        };
        errors.push(
            &default.shown,
            format_args!("the default {default} is {side} of {bound}; write a default within the limits"),
        );
    }
}

impl Number {
    fn read(expr: &Expr) -> Option<Self> {
        let literal = Literal::read(expr).ok()?;
        literal.number()?;
        Some(Self { literal, shown: expr.to_token_stream() })
    }

    fn is_above(&self, other: &Self) -> bool {
        match (&self.literal, &other.literal) {
            (Literal::Integer(this), Literal::Integer(other)) => this > other,
            (this, other) => this.number() > other.number(),
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.literal {
            Literal::Integer(number) => number.fmt(f),
            Literal::Float(number) => number.fmt(f),
            _ => self.shown.fmt(f),
        }
    }
}

fn entries(list: TokenStream) -> impl Iterator<Item = Entry> {
    Punctuated::<Entry, Token![,]>::parse_terminated.parse2(list).into_iter().flatten()
}
