//! Generates the code of `#[derive(Choice)]`. Cannot fail.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::LitStr;

use super::ast::Choice;
use crate::{generics, scope::scope, spans::generated, words};

/// Returns the `impl` of `Choice`. The `impl` contains the names of the variants even if the enum has errors (`sound`
/// is false), so that the defaults of fields can be checked.
pub(crate) fn choice(choice: &Choice, sound: bool) -> TokenStream {
    let Choice { generics, krate, .. } = choice;
    let ident = generated(&choice.ident);
    let generics = generics::bounded(generics.clone());
    let (impl_generics, ty_generics, clause) = generics.split_for_impl();
    let entries = entries(choice);
    let (index, at) = if sound { places(choice) } else { (never(), never()) };
    let items = quote! {
        #[automatically_derived]
        impl #impl_generics _mcp::Choice for #ident #ty_generics #clause {
            const CHOICES: &'static [_mcp::ChoiceEntry] = &[#(#entries),*];
            fn index(&self) -> ::core::primitive::usize {
                #index
            }
            fn at(index: ::core::primitive::usize) -> ::core::option::Option<Self> {
                #at
            }
        }
        #[automatically_derived]
        impl #impl_generics _mcp::FormField for #ident #ty_generics #clause {
            const SHAPE: _mcp::Shape = _mcp::Shape::one_of(<Self as _mcp::Choice>::CHOICES);
            fn read(answer: _mcp::Value) -> ::core::result::Result<Self, ::std::string::String> {
                _mcp::read_choice(&answer)
            }
            fn write(self) -> _mcp::Value {
                _mcp::write_choice(&self)
            }
        }
    };
    scope(krate, &items)
}

/// Returns the entries of the schema. If one variant has a title, every entry gets a title, because a list in which
/// only some entries have titles would confuse users.
fn entries(choice: &Choice) -> impl Iterator<Item = TokenStream> {
    let titled = choice.variants.iter().any(|variant| variant.title.is_some());
    choice.variants.iter().map(move |variant| {
        let name = LitStr::new(&variant.name.value(), Span::call_site());
        let title = variant.title.clone().map(|title| title.value()).unwrap_or_else(|| words::sentence(&variant.ident));
        let title = if titled { quote!(Some(#title)) } else { quote!(None) };
        quote!(_mcp::ChoiceEntry::new(#name, ::core::option::Option::#title))
    })
}

fn places(choice: &Choice) -> (TokenStream, TokenStream) {
    let variants: Vec<_> = choice.variants.iter().map(|variant| generated(&variant.ident)).collect();
    let indices = (0..variants.len()).map(Literal::usize_unsuffixed);
    let index = indices.clone().zip(&variants).map(|(index, variant)| quote!(Self::#variant => #index));
    let at = indices.zip(&variants).map(|(index, variant)| quote!(#index => Self::#variant));
    let index = quote!(match self { #(#index,)* });
    let at = quote! {
        ::core::option::Option::Some(match index {
            #(#at,)*
            _ => return ::core::option::Option::None,
        })
    };
    (index, at)
}

fn never() -> TokenStream {
    quote!(::core::unreachable!())
}
