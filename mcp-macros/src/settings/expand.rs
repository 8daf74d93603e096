//! Generates the code of `#[derive(Settings)]`. Cannot fail.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{LitStr, spanned::Spanned};

use super::{
    ast::{Field, Settings},
    attr::{Argument, Rule},
};
use crate::{
    generics,
    scope::scope,
    spans::{generated, located},
};

pub(crate) fn settings(settings: &Settings) -> TokenStream {
    let constants = settings.fields.iter().enumerate().map(|(index, field)| constant(index, field));
    let names = (!settings.are_of_server()).then(|| names(settings));
    let implementation = settings.is_sized.then(|| implementation(settings));
    scope(&settings.krate, &quote!(#(#constants)* #names #implementation))
}

/// Returns one constant that describes the setting, and one constant for each rule. The latter report invalid rules
/// once, at the rule.
fn constant(index: usize, field: &Field) -> TokenStream {
    if field.unnameable.is_some() {
        return TokenStream::new();
    }
    let Field { ty, .. } = field;
    let [name, env, flag] = [&field.name, &field.env, &field.flag].map(plain);
    let constant = constant_name(index, Span::call_site());
    let ty = quote_spanned!(located(ty.span())=> <#ty as _mcp::SettingType>::TYPE);
    let title = field.title.as_ref().map(|title| quote!(.title(#title)));
    let description = field.description.as_ref().map(|text| quote!(.description(#text)));
    let rules = field.rules.iter().map(rule);
    let checks = field.rules.iter().enumerate().map(|(index, rule)| {
        let (first, last) = rule.ends();
        let index_of_rule = Literal::usize_unsuffixed(index);
        check(&constant, first, last, &format_ident!("holds"), &quote!(#index_of_rule))
    });
    quote! {
        const #constant: _mcp::SettingDraft = _mcp::SettingDraft::new(#name, #env, #flag, #ty) #title #description #(#rules)*;
        #(#checks)*
    }
}

/// Returns the text at the macro call, so that lints about the author's tokens do not see it.
fn plain(text: &LitStr) -> LitStr {
    LitStr::new(&text.value(), Span::call_site())
}

fn rule(rule: &Rule) -> TokenStream {
    let method = generated(&rule.key);
    let argument = match &rule.argument {
        Argument::Nothing => TokenStream::new(),
        Argument::Literal(literal) => quote!(#literal),
        Argument::Kind(variant) => {
            let variant = format_ident!("{variant}");
            quote!(_mcp::SettingKind::#variant)
        }
        Argument::Flag(flag) => {
            let flag = plain(flag);
            quote!(#flag)
        }
    };
    quote!(.#method(#argument))
}

/// Returns constants that check that no other setting has the names of a setting. The error appears at its name.
fn names(settings: &Settings) -> TokenStream {
    let nameable = settings.fields.iter().enumerate().filter(|(_, field)| field.unnameable.is_none());
    let mut earlier: Vec<Ident> = Vec::new();
    let checks = nameable.map(|(index, field)| {
        let span = field.name.span();
        let constant = constant_name(index, Span::call_site());
        let check = check(&constant, span, span, &format_ident!("is_alone"), &quote!(&[#(#earlier.definition),*]));
        earlier.push(constant);
        check
    });
    checks.collect()
}

/// Returns `CONSTANT.method(argument)` in a constant. Its span covers the author's whole value, because with another
/// span the compiler would add notes about macros.
fn check(constant: &Ident, first: Span, last: Span, method: &Ident, argument: &TokenStream) -> TokenStream {
    let mut constant = constant.clone();
    constant.set_span(first);
    let mut arguments = Group::new(Delimiter::Parenthesis, argument.clone());
    arguments.set_span(last);
    quote!(const _: () = #constant.#method #arguments;)
}

fn implementation(settings: &Settings) -> TokenStream {
    let generics = generics::bounded(settings.generics.clone());
    let (impl_generics, ty_generics, clause) = generics.split_for_impl();
    let ident = generated(&settings.ident);
    let (definitions, read) = if settings.whole { bodies(settings) } else { (never(), never()) };
    quote_spanned! {ident.span()=>
        #[automatically_derived]
        impl #impl_generics _mcp::Settings for #ident #ty_generics #clause {
            fn definitions() -> &'static [_mcp::SettingDefinition] {
                #definitions
            }
            fn read(values: &mut _mcp::SettingValues<'_>) -> ::core::option::Option<Self> {
                #read
            }
        }
    }
}

fn bodies(settings: &Settings) -> (TokenStream, TokenStream) {
    let constants = (0..settings.fields.len()).map(|index| constant_name(index, Span::call_site()));
    let definitions = quote! {
        const DEFINITIONS: &[_mcp::SettingDefinition] = &[#(#constants.definition),*];
        DEFINITIONS
    };
    let variables: Vec<_> =
        (0..settings.fields.len()).map(|index| Ident::new(&format!("value_{index}"), Span::mixed_site())).collect();
    // All are read before the first missing one ends the function, so that all problems are reported.
    let read = settings.fields.iter().enumerate().map(|(index, Field { ty, .. })| {
        let (variable, index) = (&variables[index], Literal::usize_unsuffixed(index));
        quote!(let #variable = _mcp::read_setting!(values, #index, #ty);)
    });
    let idents = settings.fields.iter().map(|field| &field.ident);
    let unused = settings.fields.is_empty().then(|| quote!(let _ = values;));
    let read = quote!(#unused #(#read)* ::core::option::Option::Some(Self { #(#idents: #variables?,)* }));
    (definitions, read)
}

fn constant_name(index: usize, span: Span) -> Ident {
    Ident::new(&format!("SETTING_{index}"), span)
}

/// Returns a function body for a struct that has errors. The function is never called.
fn never() -> TokenStream {
    quote!(::core::unreachable!())
}
