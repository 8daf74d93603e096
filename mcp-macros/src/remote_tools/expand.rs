//! Generates a struct for the arguments of each tool, and the types inside of it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Path, ext::IdentExt};

use super::{
    ast::Call,
    types::{Definition, Field, Kind, Module, ToolType, Type, Usage, Variant},
};
use crate::words::snake_text;

pub(super) fn module(Call { krate, file }: &Call, module: &Module) -> TokenStream {
    // `#[serde(crate = "…")]` takes a name that can be written as text, which `$crate` is not. With the file in it, two
    // lists can be in one module.
    let serde =
        format_ident!("__serde_of_{}", snake_text(&file.value().replace(|c: char| !c.is_ascii_alphanumeric(), "_")));
    let writer = Writer { krate, serde: &serde };
    let definitions = module.definitions.iter().map(|definition| writer.definition(definition));
    let tools = module.tools.iter().map(|tool| writer.tool(tool));
    quote! {
        // Cargo builds the program again when the file has changed.
        const _: &::core::primitive::str = ::core::include_str!(#file);
        use #krate::__private::serde as #serde;
        #(#definitions)*
        #(#tools)*
    }
}

struct Writer<'a> {
    krate: &'a Path,
    /// The name of `serde` in the author's module.
    serde: &'a Ident,
}

impl Writer<'_> {
    fn tool(&self, ToolType { name, ident, output }: &ToolType) -> TokenStream {
        let krate = self.krate;
        let output = match output.as_ref().map(|ty| self.ty(ty)) {
            Some(ty) => quote!(#krate::Json<#ty>),
            None => quote!(#krate::CallToolResult),
        };
        quote! {
            impl #krate::remote::RemoteTool for #ident {
                const NAME: &'static ::core::primitive::str = #name;
                type Output = #output;
            }
        }
    }

    fn definition(&self, Definition { ident, docs, usage, kind }: &Definition) -> TokenStream {
        let serde = self.serde.to_string();
        let krate = self.krate;
        let conversion = match usage {
            Usage::Arguments => quote!(Serialize),
            Usage::Output => quote!(Deserialize),
        };
        let derived = quote!(::core::clone::Clone, ::core::fmt::Debug, #krate::__private::serde::#conversion);
        match kind {
            Kind::Enum(variants) => {
                let variants = variants
                    .iter()
                    .map(|Variant { ident, text, docs }| quote!(#[doc = #docs] #[serde(rename = #text)] #ident));
                let other = (*usage == Usage::Output).then(|| {
                    quote! {
                        #[doc = " A text that the schema does not name."]
                        #[serde(untagged)]
                        Other(::std::string::String),
                    }
                });
                quote! {
                    #[doc = #docs]
                    #[derive(#derived, ::core::cmp::PartialEq, ::core::cmp::Eq)]
                    #[serde(crate = #serde)]
                    #[non_exhaustive]
                    pub enum #ident { #(#variants,)* #other }
                }
            }
            Kind::Struct(fields) => {
                let constructor = (*usage == Usage::Arguments).then(|| self.constructor(ident, fields));
                let fields = fields.iter().map(|field| self.field(field, *usage));
                quote! {
                    #[doc = #docs]
                    #[derive(#derived)]
                    #[serde(crate = #serde)]
                    pub struct #ident { #(#fields,)* }
                    #constructor
                }
            }
        }
    }

    fn field(&self, Field { ident, name, docs, ty, required }: &Field, usage: Usage) -> TokenStream {
        let mut ty = self.ty(ty);
        let mut keys = Vec::new();
        if ident.unraw() != name {
            keys.push(quote!(rename = #name));
        }
        if !required && usage == Usage::Arguments {
            keys.push(quote!(skip_serializing_if = "::core::option::Option::is_none"));
        }
        if !required {
            ty = quote!(::core::option::Option<#ty>);
        }
        let keys = (!keys.is_empty()).then(|| quote!(#[serde(#(#keys),*)]));
        quote!(#[doc = #docs] #keys pub #ident: #ty)
    }

    /// Generates the constructor, and `Default` if nothing is required.
    fn constructor(&self, ident: &Ident, fields: &[Field]) -> TokenStream {
        let required: Vec<_> = fields.iter().filter(|field| field.required).collect();
        let parameters = required.iter().map(|Field { ident, ty, .. }| match ty {
            Type::Text => quote!(#ident: impl ::core::convert::Into<::std::string::String>),
            ty => {
                let ty = self.ty(ty);
                quote!(#ident: #ty)
            }
        });
        let values = fields.iter().map(|Field { ident, ty, required, .. }| match (required, ty) {
            (false, _) => quote!(#ident: ::core::option::Option::None),
            (true, Type::Text) => quote!(#ident: ::core::convert::Into::into(#ident)),
            (true, _) => quote!(#ident),
        });
        // The limit of `clippy`.
        let allowed = (required.len() > 7).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        let default = required.is_empty().then(|| {
            quote! {
                impl ::core::default::Default for #ident {
                    fn default() -> Self { Self::new() }
                }
            }
        });
        quote! {
            impl #ident {
                #[doc = " Creates the value with what is required, and without the rest."]
                #allowed
                #[must_use]
                pub fn new(#(#parameters),*) -> Self {
                    Self { #(#values),* }
                }
            }
            #default
        }
    }

    fn ty(&self, ty: &Type) -> TokenStream {
        let krate = self.krate;
        let of = |ty: &Type| self.ty(ty);
        match ty {
            Type::Text => quote!(::std::string::String),
            Type::Integer => quote!(::core::primitive::i64),
            Type::Natural => quote!(::core::primitive::u64),
            Type::Number => quote!(::core::primitive::f64),
            Type::Boolean => quote!(::core::primitive::bool),
            Type::Any => quote!(#krate::__private::Value),
            Type::List(element) => {
                let element = of(element);
                quote!(::std::vec::Vec<#element>)
            }
            Type::Map(values) => {
                let values = of(values);
                quote!(::std::collections::BTreeMap<::std::string::String, #values>)
            }
            Type::Optional(ty) => {
                let ty = of(ty);
                quote!(::core::option::Option<#ty>)
            }
            Type::Defined(ident) => quote!(#ident),
            Type::Boxed(ident) => quote!(::std::boxed::Box<#ident>),
        }
    }
}
