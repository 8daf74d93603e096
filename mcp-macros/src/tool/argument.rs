//! One argument: the type that reads it, its field in the arguments object, and the way back to the author's type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{
    Place,
    expand::literal,
    foreign,
    param::Value,
    serde_attr::{Absent, Reader},
};
use crate::{spans::generated, types};

/// `#[params]`, or a variant that wraps a type: the author's type reads the whole object.
pub(crate) fn whole(index: usize, value: &Value) -> TokenStream {
    let types = types(index, value);
    let argument = argument(index);
    quote! {
        #types
        use #argument as __Root;
    }
}

/// A local type around the author's. It has every trait the derives ask for, whether the author's has or not: the
/// verdict is one constant, at the type, and nothing else can fail.
pub(crate) fn types(index: usize, value: &Value) -> TokenStream {
    let (argument, ty) = (argument(index), &value.ty);
    let verdict = verdict(value).map(|verdict| quote!(, #verdict));
    let absent = absent(index, value);
    let reader = reader(index, value);
    quote! {
        _mcp::argument!(#argument: #ty #verdict);
        #absent
        #reader
    }
}

/// The verdicts on the author's type alone.
pub(crate) fn verdicts(value: &Value) -> TokenStream {
    let ty = &value.ty;
    let defaulted = matches!(value.serde.default, Some(Absent::OfType)) || value.serde.skip.is_some();
    let bounds = verdict(value).into_iter().chain(defaulted.then(|| quote!(Defaulted)));
    quote!(#(const _: () = <#ty as _mcp::#bounds>::CHECK;)*)
}

/// The field of the arguments object.
pub(crate) fn field(index: usize, value: &Value) -> TokenStream {
    let (argument, ident, attrs) = (argument(index), generated(&value.ident), &value.attrs);
    let serde = serde(index, value);
    quote! {
        #(#attrs)*
        #serde
        #ident: #argument
    }
}

/// `("name", may it be absent?)`, where the type decides.
pub(crate) fn may_be_absent(index: usize, value: &Value) -> Option<TokenStream> {
    let serde = &value.serde;
    if value.whole.is_some() || serde.default.is_some() || serde.reader.is_some() || serde.skip.is_some() {
        return None;
    }
    let (argument, name) = (argument(index), value.wire_name());
    Some(quote!((#name, _mcp::may_be_absent::<#argument>)))
}

/// Whether the schema may say something else than what the reader takes.
pub(crate) fn is_read_otherwise(value: &Value) -> bool {
    value.serde.reader.is_some() || value.described_otherwise
}

/// The author's value out of what was read.
pub(crate) fn take(arguments: &Ident, value: &Value) -> TokenStream {
    let ident = generated(&value.ident);
    match value.whole {
        Some(_) => quote!(#arguments),
        None => quote!(#arguments.#ident.0),
    }
}

fn argument(index: usize) -> Ident {
    format_ident!("__Argument{index}")
}

/// The bound on the author's type: only what is needed is asked of it, each in its own words.
fn verdict(value: &Value) -> Option<TokenStream> {
    let is = |name| types::is_named(&value.ty, name);
    Some(match (value.place, &value.serde.reader, value.described_otherwise) {
        _ if value.serde.skip.is_some() => return None,
        (_, Some(_), true) => return None,
        (Place::Parameter, Some(_), false) => quote!(Described),
        (Place::Parameter, None, true) => quote!(Readable),
        (Place::Parameter, None, false) if is("Ctx") => quote!(TakenByReference),
        (Place::Parameter, None, false) if is("PhaseCtx") => quote!(TakenByReferenceInPhase),
        (Place::Parameter, None, false) => foreign::verdict(&value.ty).unwrap_or_else(|| quote!(ToolInput)),
        (Place::Field, Some(_), false) => quote!(DescribedToModel),
        (Place::Field, None, true) => quote!(ReadableFromModel),
        (Place::Field, None, false) if is("Ctx") || is("PhaseCtx") => quote!(NotTheContext),
        (Place::Field, None, false) => foreign::verdict(&value.ty).unwrap_or_else(|| quote!(FromModel)),
    })
}

fn absent(index: usize, value: &Value) -> TokenStream {
    let (argument, ty) = (argument(index), &value.ty);
    let function = |value: TokenStream| {
        let default = format_ident!("__default{index}");
        quote! {
            fn #default() -> #argument {
                let value: #ty = #value;
                #argument(value)
            }
        }
    };
    match &value.serde.default {
        Some(Absent::Function(path)) => function(quote_spanned!(path.span()=> #path())),
        Some(Absent::Value(value)) => function(value.to_token_stream()),
        Some(Absent::OfType) => quote!(_mcp::default!(#argument: #ty);),
        None if value.serde.skip.is_some() => quote!(_mcp::default!(#argument: #ty);),
        None => TokenStream::new(),
    }
}

fn reader(index: usize, value: &Value) -> TokenStream {
    let (argument, ty, name) = (argument(index), &value.ty, format_ident!("__read{index}"));
    let deserializer = Ident::new("deserializer", Span::mixed_site());
    let result = quote_spanned!(ty.span()=> ::core::result::Result<#ty, __D::Error>);
    let read = match &value.serde.reader {
        None => return TokenStream::new(),
        Some(Reader::Function(path)) => quote_spanned!(path.span()=> #path(#deserializer)),
        Some(Reader::Module(module)) => quote_spanned!(module.span()=> #module::deserialize(#deserializer)),
    };
    quote! {
        fn #name<'de, __D: _mcp::serde::Deserializer<'de>>(
            #deserializer: __D,
        ) -> ::core::result::Result<#argument, __D::Error> {
            let value: #result = #read;
            value.map(#argument)
        }
    }
}

/// The `#[serde]` attribute, with the paths of the author turned into those of the local type.
fn serde(index: usize, value: &Value) -> TokenStream {
    let serde = &value.serde;
    let rename = serde.rename.as_ref().map(|name| quote!(rename = #name,));
    let aliases = &serde.aliases;
    let default = serde.default.as_ref().map(|default| match default {
        Absent::OfType => quote!(default,),
        Absent::Function(_) | Absent::Value(_) => {
            let path = literal(&format_ident!("__default{index}"));
            quote!(default = #path,)
        }
    });
    let reader = serde.reader.as_ref().map(|_| {
        let path = literal(&format_ident!("__read{index}"));
        quote!(deserialize_with = #path,)
    });
    let skip = serde.skip.as_ref().map(|_| quote!(skip,));
    if serde.is_empty() {
        return TokenStream::new();
    }
    quote!(#[serde(#rename #(alias = #aliases,)* #default #reader #skip)])
}
