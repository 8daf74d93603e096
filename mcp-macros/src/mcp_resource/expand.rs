//! Generates code for a valid resource. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::ast::Resource;
use crate::{
    mcp_prompt::expand::{ReadArguments, input, read_arguments, text_arguments},
    mcp_tool::expand::registered,
    scope::scope,
    spans::generated,
    tool::{expand, warnings},
};

pub(super) fn resource(resource: &Resource) -> TokenStream {
    let function = &resource.function;
    let registered = registered(resource.interface.registered(), function);
    let inputs = resource.variables.iter().enumerate().map(input);
    let names = resource.variables.iter().map(|variable| &variable.name);
    let references = expand::references(resource.interface.references());
    let output = output(resource);
    let implementation = implementation(resource);
    let view = resource.attr.page.as_ref().map(|page| view(resource, page));
    let items = quote! {
        #view
        #(#inputs)*
        const __NAMES: &[&str] = &[#(#names),*];
        #references
        #output
        #implementation
    };
    let scope = scope(&resource.interface.attr.krate, &items);
    let warnings = warnings::of_item(&resource.interface);
    quote! {
        #function
        #registered
        #scope
        #warnings
    }
}

/// Returns the code of the constant that checks the output type of the resource.
pub(super) fn output(resource: &Resource) -> TokenStream {
    let output = &resource.interface.output;
    if resource.attr.page.is_some() {
        let into_state = quote_spanned!(output.span()=> <#output as _mcp::ViewState>::INTO_STATE);
        return quote! {
            const __OUTPUT: fn(#output) -> ::core::result::Result<_mcp::ReadResourceResult, _mcp::ToolError> =
                |output| _mcp::fill_page(__VIEW, &(#into_state)(output)?);
        };
    }
    let into_result = quote_spanned!(output.span()=> <#output as _mcp::ResourceOutput>::INTO_RESULT);
    quote! {
        const __OUTPUT: fn(#output) -> ::core::result::Result<_mcp::ReadResourceResult, _mcp::ToolError> = #into_result;
    }
}

/// Returns the definition of the view whose page the resource is. Tools and forms can name the resource as a view, unless
/// its URI has variables.
fn view(resource: &Resource, page: &TokenStream) -> TokenStream {
    let registered = resource.interface.registered();
    let is_fixed = resource.attr.variables.as_ref().is_some_and(Vec::is_empty);
    let implementation = is_fixed.then(|| {
        quote! {
            impl _mcp::View for #registered {
                const DEFINITION: &'static _mcp::ViewDefinition = __VIEW;
            }
        }
    });
    quote! {
        const __VIEW: &_mcp::ViewDefinition = &#page.filled_by(|| _mcp::boxed_resource(#registered {}));
        #implementation
    }
}

/// Returns code that checks the function that lists the resources of a template.
pub(super) fn check_of_list(resource: &Resource) -> Option<TokenStream> {
    let function = resource.attr.list.as_ref()?;
    Some(quote_spanned!(function.span()=> const _: () = _mcp::lists(&#function);))
}

fn implementation(resource: &Resource) -> TokenStream {
    let registered = resource.interface.registered();
    let name = resource.interface.wire_name();
    let definition = definition(resource);
    // Hygienic names, so that the author's function can be named `call` or `request`.
    let [call, request] = ["call", "request"].map(|name| Ident::new(name, Span::mixed_site()));
    let body = body(resource, &call, &request);
    let lists = resource.attr.list.is_none().then(|| {
        quote!(
            fn lists(&self) -> ::core::primitive::bool {
                false
            }
        )
    });
    quote! {
        impl _mcp::Resource for #registered {
            fn definition(&self) -> _mcp::ResourceDefinition {
                #definition
            }
            fn read(
                &self,
                #call: _mcp::Call,
                #request: _mcp::ReadRequest<'_>,
            ) -> ::core::result::Result<_mcp::ReadResourceFuture, _mcp::ArgumentsError> {
                #body
            }
            #lists
        }
        _mcp::entry!(Resource #registered, #name);
    }
}

fn definition(resource: &Resource) -> TokenStream {
    let (interface, attr) = (&resource.interface, &resource.attr);
    let (uri, name, description) = (attr.uri.as_ref(), interface.wire_name(), interface.description.as_ref());
    let needs = expand::needs(interface.references());
    let title = interface.attr.title.as_ref().map(|title| quote!(.title(#title)));
    let mime_type = attr.mime_type.as_ref().map(|mime_type| quote!(.mime_type(#mime_type)));
    let size = attr.size.as_ref().map(|size| quote!(.size(#size)));
    let ttl = attr.ttl.map(|ttl| {
        let milliseconds = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        quote!(.ttl(::core::time::Duration::from_millis(#milliseconds)))
    });
    let cache_scope = attr.cache_scope.as_ref().map(|scope| quote!(.cache_scope(_mcp::CacheScope::#scope)));
    let (audience, priority) = (&attr.audience, attr.priority.iter());
    let annotations = (!audience.is_empty() || attr.priority.is_some()).then(|| {
        quote! {
            .annotations(
                _mcp::Annotations::new() #(.audience(_mcp::Audience::#audience))* #(.priority(#priority))*
            )
        }
    });
    let variables = text_arguments(&resource.variables).map(|variable| quote!(.variable(#variable)));
    let page = attr.page.as_ref().map(|_| quote!(.page_of(__VIEW)));
    let settings = expand::call_settings(interface);
    // The function that is called records the place of the call, which is the author's name of the resource.
    let definition = quote_spanned! {interface.ident.span()=>
        _mcp::resource_definition(#uri, #name, #description, &[#(#needs),*])
    };
    let definition = quote! {
        #definition
            #title
            #mime_type
            #size
            #ttl
            #cache_scope
            #annotations
            #(#variables)*
            #page
            #settings
    };
    match &attr.list {
        Some(function) => quote_spanned!(function.span()=> _mcp::listed_by(#definition, #function)),
        None => definition,
    }
}

/// Returns code that reads the variables immediately, but fetches the context and the state only when the call runs.
fn body(resource: &Resource, call: &Ident, request: &Ident) -> TokenStream {
    let function = generated(&resource.function.sig.ident);
    let ReadArguments { names, read } = read_arguments(&resource.variables, &quote!(#request.variables()));
    let (fetched, parameters) = expand::passed(&resource.interface.params, call, &names);
    let future = quote! {
        #fetched
        (__OUTPUT)(#function(#(#parameters),*).await)
    };
    // The compiler reports a future that is not `Send` at this span, the name of the function.
    let boxed = quote_spanned!(resource.function.sig.ident.span()=> _mcp::boxed(async move { #future }));
    quote! {
        #read
        ::core::result::Result::Ok(#boxed)
    }
}
