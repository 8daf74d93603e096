//! Generates code for a set of tools. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{ast::Set, variant::Variant};
use crate::{generics, scope::scope, spans::generated, tool::argument};

pub(crate) fn set(set: &Set) -> TokenStream {
    let variants = set.variants.iter().map(variant);
    implementation(set, &quote!(#(#variants),*), &TokenStream::new())
}

/// Returns the placeholder for a set that has errors. The placeholder has no tools. It checks only the types in which
/// the macro found no error, so that one compilation shows each error once.
pub(crate) fn fallback(set: &Set) -> TokenStream {
    let is_generic = !set.generics.params.is_empty();
    let values = set.variants.iter().flat_map(|variant| &variant.values);
    let verdicts = values.filter(|value| value.sound && !is_generic).map(argument::verdicts);
    implementation(set, &TokenStream::new(), &quote!(#(#verdicts)*))
}

fn implementation(set: &Set, variants: &TokenStream, verdicts: &TokenStream) -> TokenStream {
    let (ident, krate) = (generated(&set.ident), &set.krate);
    let generics = generics::bounded(set.generics.clone());
    let (impl_generics, ty_generics, clause) = generics.split_for_impl();
    let items = quote! {
        #verdicts
        #[automatically_derived]
        impl #impl_generics _mcp::SampleTools for #ident #ty_generics #clause {
            const VARIANTS: &'static [_mcp::SampleVariant<Self>] = &[#variants];
        }
    };
    scope(krate, &items)
}

/// Returns the code of one tool. The tool's constants are in a block, so that other variants do not see them.
fn variant(variant: &Variant) -> TokenStream {
    let Variant { name, description, values, .. } = variant;
    let constants = argument::constants(values.iter());
    let arguments = Ident::new("arguments", Span::mixed_site());
    let read_whole = quote!(_mcp::read_variant(#arguments, __WHOLE.read));
    let reading =
        argument::reading(values.iter(), &read_whole, &|slots| quote!(_mcp::fill_variant(#arguments, #slots)));
    let (read, value) = (&reading.statements, value(variant, &reading.names));
    quote! {
        {
            #constants
            _mcp::SampleVariant::new(#name, #description, __TAKES, |#arguments| {
                #read
                ::core::result::Result::Ok(#value)
            })
        }
    }
}

/// Returns the expression that builds the variant from its values.
fn value(variant: &Variant, names: &[Ident]) -> TokenStream {
    let (ident, values) = (generated(&variant.ident), &variant.values);
    match &values[..] {
        [whole] if whole.whole.is_some() => quote!(Self::#ident(#(#names)*)),
        fields => {
            let fields = fields.iter().map(|field| generated(&field.ident));
            quote!(Self::#ident { #(#fields: #names,)* })
        }
    }
}
