//! A rule in the attribute of a field.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use crate::{
    errors::Errors,
    keys::{Entry, Value},
};

/// A key whose value must fit the type of the field. Constants of the runtime check this.
pub(crate) struct Rule<Argument> {
    pub(crate) key: Ident,
    /// The author's value, or the key if there is no value. Errors are shown at these tokens.
    pub(crate) shown: TokenStream,
    pub(crate) argument: Argument,
}

impl<Argument> Rule<Argument> {
    pub(crate) fn new(entry: Entry, argument: Argument) -> Self {
        let shown = match &entry.value {
            Value::Is(value) => value.to_token_stream(),
            Value::Nothing | Value::List(_) => entry.key.to_token_stream(),
        };
        Self { key: entry.key, shown, argument }
    }

    /// Returns the spans of the first and the last token of the author's value, so that an error marks the whole value.
    pub(crate) fn ends(&self) -> (Span, Span) {
        let mut spans = self.shown.clone().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(|| self.key.span());
        (first, spans.last().unwrap_or(first))
    }
}

/// Sorts the rules by the position of their key in `order`. Reports and removes each pair of limits whose lower limit is
/// greater than its upper limit. `number` returns the number in an argument, if it has one.
pub(crate) fn consistent<Argument>(
    errors: &mut Errors,
    mut rules: Vec<Rule<Argument>>,
    order: &[&str],
    limits: &[(&str, &str)],
    number: impl Fn(&Argument) -> Option<f64>,
) -> Vec<Rule<Argument>> {
    rules.sort_by_key(|rule| order.iter().position(|key| rule.key == key));
    for &(low, high) in limits {
        let find = |key| rules.iter().find(|rule| rule.key == key);
        if let (Some(min), Some(max)) = (find(low), find(high))
            && number(&min.argument) > number(&max.argument)
        {
            let (least, most) = (min.shown.to_string(), max.shown.to_string());
            errors.push(
                &min.shown,
                format_args!("`{low}` is greater than `{high}`; write `{low} = {most}, {high} = {least}`"),
            );
            rules.retain(|rule| rule.key != low && rule.key != high);
        }
    }
    rules
}
