//! `#[action_output]`: moves the marks `#[internal]` and `#[summary(skip)]` of fields into the schema of the type.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Field, Fields, Item, Meta, ext::IdentExt, parse_quote, parse2};

use crate::errors::Errors;

pub(crate) fn expand(attr: &TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    if !attr.is_empty() {
        errors
            .push(attr, "`#[action_output]` takes no arguments; mark fields with `#[internal]` or `#[summary(skip)]`");
    }
    let item = match parse2::<Item>(item.clone()) {
        Ok(Item::Struct(mut item)) => {
            derives_the_schema(&mut errors, &item.attrs, &item.struct_token);
            mark(&mut errors, &mut item.fields);
            item.into_token_stream()
        }
        Ok(Item::Enum(mut item)) => {
            derives_the_schema(&mut errors, &item.attrs, &item.enum_token);
            item.variants.iter_mut().for_each(|variant| mark(&mut errors, &mut variant.fields));
            item.into_token_stream()
        }
        _ => {
            let first = item.clone().into_iter().next().map(|token| token.to_token_stream());
            errors.push(first, "`#[action_output]` belongs on a struct or an enum that an action returns");
            item
        }
    };
    let errors = errors.finish().err();
    quote!(#errors #item)
}

/// Requires a derive of the schema below the attribute. A derive above the attribute has already read the fields,
/// without their marks.
fn derives_the_schema(errors: &mut Errors, attrs: &[Attribute], culprit: &dyn ToTokens) {
    let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let is_schema = |attr: &Attribute| attr.meta.to_token_stream().to_string().contains("JsonSchema");
    if !derives.clone().any(is_schema) {
        errors.push(
            culprit.to_token_stream(),
            "`#[action_output]` marks fields in the schema of the type; put it above `#[derive(JsonSchema)]`",
        );
    }
}

fn mark(errors: &mut Errors, fields: &mut Fields) {
    for field in fields {
        let taken: Vec<_> = field.attrs.extract_if(.., |attr| is_mark(attr)).collect();
        for attr in taken {
            let Some(key) = key(errors, &attr) else { continue };
            let Some(name) = field.ident.as_ref().map(|name| name.unraw().to_string()) else {
                errors.push(&attr, "only a named field can be left out; give the field a name");
                continue;
            };
            if is_flattened(field) {
                errors.push(&attr, "the fields of a flattened type have no common name; mark them in the type itself");
            } else {
                field.attrs.push(parse_quote!(#[schemars(extend(#key = #name))]));
            }
        }
    }
}

fn is_mark(attr: &Attribute) -> bool {
    attr.path().is_ident("internal") || attr.path().is_ident("summary")
}

/// Returns the keyword of the schema for this mark.
fn key(errors: &mut Errors, attr: &Attribute) -> Option<&'static str> {
    if attr.path().is_ident("internal") {
        if matches!(attr.meta, Meta::Path(_)) {
            return Some("x-internal");
        }
        errors.push(attr, "`#[internal]` takes no arguments");
        return None;
    }
    match &attr.meta {
        Meta::List(list) if list.tokens.to_string() == "skip" => Some("x-summary-skip"),
        _ => {
            errors.push(attr, "write `#[summary(skip)]` to leave the field out of lists");
            None
        }
    }
}

fn is_flattened(field: &Field) -> bool {
    let serde = field.attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    serde.into_iter().any(|attr| attr.meta.to_token_stream().to_string().contains("flatten"))
}
