//! Generates code for a set of forms. Cannot fail.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, GenericParam, Generics, Ident, LitStr, Type, parse_quote, spanned::Spanned};

use super::{
    ast::Set,
    variant::{Variant, VariantContent},
};
use crate::{
    form::{Field, Form, expand_form},
    generics,
    keys::list,
    scope::scope,
    spans::{generated, located, placed},
    tool::expand::view_definition,
    types::plain,
};

pub(crate) fn set(set: &Set) -> TokenStream {
    let item = item(set);
    let structs = forms(set).map(|(variant, form)| structure(set, variant, form));
    let handler = handler(set);
    let forms = forms(set).map(|(_, form)| expand_form(form, &set.krate));
    let scope = scope(&set.krate, &implementation(set));
    quote! {
        #item
        #(#structs)*
        #handler
        #(#forms)*
        #scope
    }
}

/// Returns the variants that become structs.
fn forms(set: &Set) -> impl Iterator<Item = (&Variant, &Form)> {
    set.variants.iter().filter_map(|variant| match &variant.content {
        VariantContent::Form(form) => Some((variant, &**form)),
        VariantContent::Wrapped(_) | VariantContent::Refused(_) => None,
    })
}

/// Returns the variants that have a form, each with the type of its form.
fn typed(set: &Set) -> impl Iterator<Item = (&Variant, Type)> {
    set.variants.iter().filter_map(|variant| Some((variant, variant.form()?)))
}

/// Returns the enum. Each variant contains the accepted answer to its form.
fn item(set: &Set) -> TokenStream {
    let Set { attrs, vis, enum_token, ident, generics, .. } = set;
    let variants = set.variants.iter().map(|variant| {
        let Variant { attrs, ident, discriminant, content, .. } = variant;
        let discriminant = discriminant.as_ref().map(|value| quote!(= #value));
        let content = match (content, variant.form()) {
            (VariantContent::Refused(content), _) => quote!(#content),
            (_, form) => quote!((#form)),
        };
        quote!(#(#attrs)* #ident #content #discriminant)
    });
    let unused = unused(generics);
    let clause = &generics.where_clause;
    quote! {
        #[allow(dead_code)]
        #(#attrs)*
        #vis #enum_token #ident #generics #clause {
            #(#variants,)*
            #unused
        }
    }
}

/// Returns a variant that uses the rejected generic parameters, so that the compiler does not report them as unused.
fn unused(generics: &Generics) -> Option<TokenStream> {
    let uses = generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(lifetime) => {
            let lifetime = &lifetime.lifetime;
            Some(quote!(&#lifetime ()))
        }
        GenericParam::Type(ty) => {
            let ident = &ty.ident;
            Some(quote!(fn() -> #ident))
        }
        GenericParam::Const(_) => None,
    });
    (!generics.params.is_empty()).then(|| quote!(#[doc(hidden)] __Unused(::core::marker::PhantomData<(#(#uses,)*)>),))
}

/// Returns the struct for a variant, with the variant's documentation.
fn structure(set: &Set, variant: &Variant, form: &Form) -> TokenStream {
    let ident = generated(&form.ident);
    let carried = set.attrs.iter().filter(|attr| attr.path().is_ident("derive") || is_lint_level(attr));
    let levels = variant.attrs.iter().filter(|attr| is_lint_level(attr));
    let span = ident.span();
    let vis = placed(&set.vis, span);
    let doc = doc(variant, || format!("The form `{}` of [`{}`].", variant.key.value(), set.ident));
    let fields = form.fields.iter().map(|field| {
        let Field { attrs, vis, ident, ty, .. } = field;
        quote!(#(#attrs)* #vis #ident: #ty)
    });
    let item = quote_spanned!(span=> #vis struct #ident { #(#fields,)* });
    quote! {
        #[allow(clippy::struct_excessive_bools, clippy::struct_field_names)]
        #(#carried)*
        #(#levels)*
        #doc
        #item
    }
}

fn is_lint_level(attr: &Attribute) -> bool {
    ["allow", "deny", "forbid", "warn"].iter().any(|level| attr.path().is_ident(level))
}

/// Returns the trait that an application implements to answer the forms.
fn handler(set: &Set) -> TokenStream {
    let Set { vis, ident, krate, .. } = set;
    let name = generated(&set.handler());
    let methods = typed(set).map(|(variant, form)| {
        let method = variant.method();
        let doc = doc(variant, || format!("Answers the form `{}`.", variant.key.value()));
        quote_spanned! {method.span()=>
            #doc
            fn #method(
                &self,
                request: #krate::elicit::ElicitRequest<'_, #form>,
            ) -> impl ::core::future::Future<Output = #krate::Elicited<#form>> + ::core::marker::Send;
        }
    });
    let doc = format!("Answers the forms of [`{ident}`] inside an application: one method for each.");
    let message = format!("`{{Self}}` does not answer the forms of `{ident}`");
    let label = format!("not a handler of `{ident}`");
    let mend = format!("write `impl {name} for {{Self}}`, with one method for each form: {}", methods_of(set));
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #mend)]
        #[allow(dead_code, private_interfaces)]
        #vis trait #name: ::core::marker::Send + ::core::marker::Sync + 'static {
            #(#methods)*
            #[doc = #ELICIT_URL_DOC]
            fn elicit_url(
                &self,
                request: #krate::elicit::ElicitUrlRequest<'_>,
            ) -> impl ::core::future::Future<Output = #krate::Elicited<()>> + ::core::marker::Send {
                request.on_timeline()
            }
        }
    }
}

const ELICIT_URL_DOC: &str = "Asks the user to open a page. By default, the question stays on the timeline of the call, \
                              where a follower answers it.";

/// Lists the methods of the handler.
fn methods_of(set: &Set) -> String {
    let methods: Vec<_> = typed(set).map(|(variant, _)| variant.method().to_string()).collect();
    let methods: Vec<_> = methods.iter().map(|method| &**method).collect();
    match &*methods {
        [only] => format!("`{only}`"),
        methods => list(methods),
    }
}

fn doc(variant: &Variant, otherwise: impl FnOnce() -> String) -> TokenStream {
    match &variant.description {
        Some(description) => quote!(#[doc = #description]),
        None => {
            let text = otherwise();
            quote!(#[doc = #text])
        }
    }
}

fn implementation(set: &Set) -> TokenStream {
    let ident = generated(&set.ident);
    let bounded = generics::bounded(set.generics.clone());
    let (impl_generics, ty_generics, clause) = bounded.split_for_impl();
    let forms = format_ident!("{ident}Forms");
    let membership = membership(set, &forms);
    let entries = typed(set).map(|(variant, form)| {
        let description = variant.description.as_ref().map_or_else(|| quote!(""), |text| quote!(#text));
        quote!(<#form as #forms>::FORM.entry(#description))
    });
    let unions = typed(set).map(|(Variant { ident: variant, .. }, form)| {
        let variant = generated(variant);
        quote! {
            #[automatically_derived]
            impl #impl_generics ::core::convert::From<#form> for #ident #ty_generics #clause {
                fn from(form: #form) -> Self {
                    Self::#variant(form)
                }
            }
        }
    });
    let handled = handled(set);
    quote! {
        #membership
        #[automatically_derived]
        impl #impl_generics _mcp::Elicits for #ident #ty_generics #clause {
            const FORMS: &'static [_mcp::FormEntry] = &[#(#entries),*];
        }
        #[automatically_derived]
        impl #impl_generics _mcp::Declared for #ident #ty_generics #clause {}
        #(#unions)*
        #handled
    }
}

/// Returns a trait that each form of this set implements. For any other type, the trait's error message lists the forms
/// of the set.
fn membership(set: &Set, forms: &Ident) -> TokenStream {
    let ident = generated(&set.ident);
    let (message, label) = (format!("`{{Self}}` is not a form of `{ident}`"), format!("`{ident}` has no such form"));
    let names: Vec<_> = set.variants.iter().filter_map(|variant| Some(plain(&variant.form()?))).collect();
    let names: Vec<_> = names.iter().map(|name| &**name).collect();
    let listed = match &*names {
        [] => format!("`{ident}` has no forms"),
        [only] => format!("the form of `{ident}` is `{only}`"),
        names => format!("the forms of `{ident}` are {}", list(names)),
    };
    let mend =
        format!("add `{{Self}}` to `{ident}` as a variant, or write `&Ctx<…>` with the set that contains `{{Self}}`");
    let members = typed(set).map(|(Variant { ident, key, view, .. }, form)| {
        let key = LitStr::new(&key.value(), Span::call_site());
        let verdict = quote_spanned!(located(form.span())=> <#form as _mcp::AForm>::FORM);
        let verdict = match view {
            None => quote!(#verdict.keyed(#key)),
            Some(view) => {
                let definition = view_definition(view);
                quote_spanned!(located(view.span())=> _mcp::form_with_view!(#verdict.keyed(#key), #definition))
            }
        };
        quote_spanned! {located(ident.span())=>
            impl #forms for #form {
                const FORM: _mcp::FormOf<Self> = #verdict;
            }
        }
    });
    let with_form = with_param(&set.generics, parse_quote!(__Form: #forms));
    let (impl_generics, _, clause) = with_form.split_for_impl();
    let (_, ty_generics, _) = set.generics.split_for_impl();
    quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #listed, note = #mend)]
        pub trait #forms: ::core::marker::Sized {
            const FORM: _mcp::FormOf<Self>;
        }
        #(#members)*
        #[automatically_derived]
        impl #impl_generics _mcp::Includes<__Form> for #ident #ty_generics #clause {
            const FORM: _mcp::FormOf<__Form> = __Form::FORM;
        }
    }
}

/// Returns the code that passes each question to the handler. The handler has one method for each form, and one for
/// pages.
fn handled(set: &Set) -> TokenStream {
    let ident = generated(&set.ident);
    let handler = generated(&set.handler());
    let with_handler = with_param(&set.generics, parse_quote!(__H: #handler));
    let (impl_generics, _, clause) = with_handler.split_for_impl();
    let (_, ty_generics, _) = set.generics.split_for_impl();
    let arms = typed(set).enumerate().map(|(index, (variant, form))| {
        let (index, method) = (Literal::usize_unsuffixed(index), variant.method());
        quote! {
            ::core::option::Option::Some(#index) => ::std::boxed::Box::pin(async move {
                _mcp::handled!(#form, __H::#method(handler, asked.request()).await)
            }),
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics _mcp::HandledBy<__H> for #ident #ty_generics #clause {
            fn handle<'asked>(handler: &'asked __H, asked: _mcp::Asked<'asked>) -> _mcp::Handling<'asked> {
                match asked.form() {
                    #(#arms)*
                    _ => ::std::boxed::Box::pin(async move {
                        _mcp::handled_url(__H::elicit_url(handler, asked.url_request()).await)
                    }),
                }
            }
        }
    }
}

fn with_param(generics: &Generics, param: GenericParam) -> Generics {
    let mut generics = generics::bounded(generics.clone());
    generics.params.push(param);
    generics
}
