//! Generates code for a form. Cannot fail.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Path, ext::IdentExt, spanned::Spanned};

use super::{
    ast::{Derived, Form},
    field::Field,
    rule::{Argument, Rule},
    wording::wording,
};
use crate::{
    generics,
    scope::scope,
    spans::{generated, located},
    words,
};

/// Returns the code for the author's struct, which has `#[derive(Form)]`.
pub(crate) fn derived(Derived { form, is_sized, krate }: &Derived) -> TokenStream {
    let (constants, items) = (constants(form), is_sized.then(|| items(form)));
    scope(krate, &quote!(#constants #items))
}

/// Returns the code for a struct that the macro generates from a variant.
pub(crate) fn form(form: &Form, krate: &Path) -> TokenStream {
    let (constants, items) = (constants(form), items(form));
    scope(krate, &quote!(#constants #items))
}

fn constants(form: &Form) -> TokenStream {
    form.fields.iter().enumerate().map(|(index, field)| constant(index, field)).collect()
}

fn items(form: &Form) -> TokenStream {
    let (implementation, keys) = (implementation(form), keys(form));
    quote!(#implementation #keys)
}

/// Returns one constant that checks the type of the field, and one constant for each rule. Generated code uses only the
/// first constant. The others exist to report invalid rules once, at the rule. An error in the first constant would
/// appear at each of its uses.
fn constant(index: usize, field: &Field) -> TokenStream {
    if field.unnameable.is_some() {
        return TokenStream::new();
    }
    let (constant, name, ty) = (constant_name(index), field.wire_name(), &field.ty);
    let wording = wording(ty);
    let ty = quote_spanned!(located(ty.span())=> <#ty as _mcp::#wording>::TYPE);
    let title = field.attr.title.as_ref().map(|title| quote!(.title(#title)));
    let description = field.description.as_ref().map(|text| quote!(.description(#text)));
    let rules = field.attr.rules.iter().map(rule);
    let checks = field.attr.rules.iter().enumerate().map(|(rule, written)| check(&constant, rule, written));
    quote! {
        const #constant: _mcp::Draft = _mcp::Draft::new(#name, #ty) #title #description #(#rules)*;
        #(#checks)*
    }
}

fn rule(rule: &Rule) -> TokenStream {
    let method = generated(&rule.key);
    let argument = match &rule.argument {
        Argument::Nothing => TokenStream::new(),
        Argument::Literal(literal) => quote!(#literal),
        Argument::Count(count) => Literal::u32_unsuffixed(*count).into_token_stream(),
        Argument::Format(variant) => {
            let variant = format_ident!("{variant}");
            quote!(_mcp::Format::#variant)
        }
    };
    quote!(.#method(#argument))
}

/// Returns the check of a rule. Its span covers the author's whole value, because with another span the compiler would
/// add notes about macros.
fn check(constant: &Ident, rule: usize, written: &Rule) -> TokenStream {
    let (first, last) = written.ends();
    let mut constant = constant.clone();
    constant.set_span(first);
    let rule = Literal::usize_unsuffixed(rule);
    let mut argument = Group::new(Delimiter::Parenthesis, quote!(#rule));
    argument.set_span(last);
    quote!(const _: () = #constant.holds #argument;)
}

fn implementation(form: &Form) -> TokenStream {
    let generics = generics::bounded(form.generics.clone());
    let (impl_generics, ty_generics, clause) = generics.split_for_impl();
    let ident = generated(&form.ident);
    let schema = schema(form);
    let (mut read, mut write) = (Vec::new(), Vec::new());
    for (index, Field { ident, ty, .. }) in form.fields.iter().enumerate() {
        let index = Literal::usize_unsuffixed(index);
        read.push(quote!(#ident: _mcp::read!(answers, #index, #ty)));
        write.push(quote!(_mcp::write!(content, #index, #ty, self.#ident);));
    }
    let read = if form.whole { quote!(::core::result::Result::Ok(Self { #(#read,)* })) } else { never() };
    let write = if form.whole { quote!(#(#write)*) } else { never() };
    quote_spanned! {ident.span()=>
        #[automatically_derived]
        impl #impl_generics _mcp::Form for #ident #ty_generics #clause {
            fn schema() -> &'static _mcp::FormSchema {
                #schema
            }
            fn read(answers: &mut _mcp::Answers) -> ::core::result::Result<Self, _mcp::Unfit> {
                #read
            }
            fn write(self, content: &mut _mcp::Answers) {
                #write
            }
        }
    }
}

fn schema(form: &Form) -> TokenStream {
    if !form.whole {
        return never();
    }
    let constants = (0..form.fields.len()).map(constant_name);
    quote! {
        static SCHEMA: _mcp::FormSchema = _mcp::FormSchema::new(&[#(#constants.field),*]);
        &SCHEMA
    }
}

/// Returns the constants that identify the fields, such as `PickFlight::FLIGHT_ID`.
fn keys(form: &Form) -> TokenStream {
    let (impl_generics, ty_generics, clause) = form.generics.split_for_impl();
    let ident = generated(&form.ident);
    let keys = form.fields.iter().enumerate().map(|(index, Field { ident, vis, ty, .. })| {
        let name = ident.unraw().to_string();
        let key = generated(&words::ident(&name.to_uppercase(), ident));
        let doc = format!("The field `{name}`.");
        let index = Literal::usize_unsuffixed(index);
        quote_spanned! {key.span()=>
            #[doc = #doc]
            #vis const #key: _mcp::FieldKey<Self, #ty> = _mcp::FieldKey::new(#index);
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(dead_code, non_upper_case_globals, private_interfaces)]
        impl #impl_generics #ident #ty_generics #clause {
            #(#keys)*
        }
    }
}

fn constant_name(index: usize) -> Ident {
    Ident::new(&format!("FIELD_{index}"), Span::call_site())
}

/// Returns a function body for a form that has errors. The function is never called.
fn never() -> TokenStream {
    quote!(::core::unreachable!())
}
