//! `#[elicits]` turns an enum into a set of forms.

mod ast;
mod check;
mod expand;
mod variant;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, parse2};

use self::ast::Set;
use crate::errors::Errors;

pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let expanded = match parse2::<Item>(item.clone()) {
        Ok(Item::Enum(item)) => {
            let mut set = Set::new(&mut errors, attr, item);
            check::set(&mut errors, &mut set);
            expand::set(&set)
        }
        other => {
            refuse(&mut errors, other.ok(), &item);
            item
        }
    };
    let errors = errors.finish().err();
    quote!(#errors #expanded)
}

/// Reports an item that is not an enum. The output of the macro still contains the item.
fn refuse(errors: &mut Errors, item: Option<Item>, tokens: &TokenStream) {
    match item {
        Some(Item::Struct(item)) => errors.push(
            item.struct_token,
            "`#[elicits]` belongs on an enum with one variant for each form; \
             to use this struct as a form, put `#[derive(Form)]` on it and wrap it in a variant",
        ),
        Some(Item::Fn(item)) => errors.push(
            item.sig.fn_token,
            "`#[elicits]` belongs on an enum of forms, not on a function; a tool takes `ctx: &Ctx<YourForms>`",
        ),
        _ => errors.push(
            tokens.clone().into_iter().next().map(|token| token.to_token_stream()),
            "`#[elicits]` belongs on an enum",
        ),
    }
}
