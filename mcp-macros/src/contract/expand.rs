//! Generates code for a valid contract. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{parse_quote, spanned::Spanned};

use super::{
    ast::{Contract, Item},
    method::Method,
    method_attr::Route,
};
use crate::{
    spans::generated,
    tool::{Interface, argument, expand},
    types,
};

/// The trait that checks the types that methods take by reference.
pub(super) const BY_REFERENCE: &str = "TakenByMethod";

pub(crate) fn contract(contract: &Contract) -> TokenStream {
    let krate = &contract.attr.krate;
    let (name, description) = (&contract.attr.resource, optional(contract.description.as_ref()));
    let service = Ident::new("service", Span::mixed_site());
    let methods = contract.methods.iter().map(|method| self::method(contract, method, &service));
    with_into_resource(
        contract,
        &quote! {
            use #krate::__private as _mcp;
            let #service = ::std::sync::Arc::new(self);
            _mcp::RestResource::new(#name, #description, ::std::vec![#(#methods),*])
        },
    )
}

/// Returns the item, with the additional function `into_resource`.
pub(super) fn with_into_resource(contract: &Contract, body: &TokenStream) -> TokenStream {
    let krate = &contract.attr.krate;
    let name = contract.attr.resource.as_ref().map(|name| name.value()).unwrap_or_default();
    let doc = format!("Returns this service as the resource `{name}` of a contract: see `ContractBuilder::resource`.");
    let attrs = quote!(#[doc = #doc] #[allow(deprecated)]);
    match &contract.item {
        Item::Trait(item) => {
            let mut item = item.clone();
            item.items.push(parse_quote! {
                #attrs
                fn into_resource(self) -> #krate::contract::Resource
                where
                    Self: ::core::marker::Sized,
                {
                    #body
                }
            });
            item.into_token_stream()
        }
        Item::Impl(item) => {
            let this = &item.self_ty;
            quote! {
                #item
                impl #this {
                    #attrs
                    pub fn into_resource(self) -> #krate::contract::Resource {
                        #body
                    }
                }
            }
        }
    }
}

/// Returns an expression for the method: its definition, its route, and the function that calls it.
fn method(contract: &Contract, method: &Method, service: &Ident) -> TokenStream {
    let interface = &method.interface;
    let constants = argument::constants(interface.values());
    let references = expand::checks(interface.references(), BY_REFERENCE);
    let output = output(interface);
    let needs: Vec<_> = expand::needs(interface.references()).collect();
    let definition = expand::definition(interface, &needs);
    let output_type = &interface.output;
    let route = route(&method.route);
    let name = generated(&method.sig.ident);
    let path = match &contract.item {
        Item::Trait(item) => {
            let contract = &item.ident;
            quote!(<Self as #contract>::#name)
        }
        Item::Impl(_) => quote!(Self::#name),
    };
    let run = expand::bound_method(interface, &path);
    quote! {
        {
            #constants
            #references
            #output
            _mcp::Method::new(
                #definition,
                __TAKES,
                __OUTPUT.schema,
                {
                    // The compiler chooses one of these traits by the type of the error.
                    #[allow(unused_imports)]
                    use _mcp::{WithError as _, WithoutError as _};
                    (&_mcp::ErrorProbe::<#output_type>::new()).functions()
                },
                #route,
                &#service,
                #run,
            )
        }
    }
}

/// Returns the code of the constant that checks the output type of a method.
pub(super) fn output(interface: &Interface) -> TokenStream {
    let output = &interface.output;
    let verdict = if types::is_named(output, "Result") { quote!(MethodResult) } else { quote!(MethodOutput) };
    let functions = quote_spanned!(output.span()=> <#output as _mcp::#verdict>::FUNCTIONS);
    quote!(const __OUTPUT: _mcp::OutputFunctions<#output> = #functions;)
}

fn route(Route { verb, path, status }: &Route) -> TokenStream {
    let (verb, path, status) = (optional(verb.as_ref()), optional(path.as_ref()), optional(status.as_ref()));
    quote!(_mcp::Route { verb: #verb, path: #path, status: #status })
}

fn optional(value: Option<&impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
