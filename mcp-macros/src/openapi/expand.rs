//! Writes the table of operations.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

use super::{
    ast::Call,
    body::BodyKind,
    group::Group,
    operation::{Operation, RequestBody},
    parameter::{Parameter, Place, Style},
    security::SchemeKind,
    select::Api,
};

pub(super) fn table(call: &Call, api: &Api) -> TokenStream {
    let (file, api) = (&call.file, value(call, api));
    quote! {{
        // Cargo builds the program again when the file has changed.
        const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);
        #api
    }}
}

/// Writes a table without operations, for a file that cannot be read.
pub(super) fn empty(call: &Call) -> TokenStream {
    value(call, &Api::default())
}

fn value(Call { krate, file, .. }: &Call, api: &Api) -> TokenStream {
    let Api { title, server, schemes, operations, groups } = api;
    let written = file.value();
    let server = optional(server.as_ref());
    let settings = schemes.iter().map(|scheme| {
        let description = &scheme.description;
        let variable = scheme.variable(&written);
        let name = variable.to_lowercase();
        quote!(#krate::__private::api_setting(#name, #variable, #description))
    });
    let schemes = schemes.iter().map(|scheme| {
        let name = &scheme.name;
        let kind = match &scheme.kind {
            SchemeKind::Header(name) => quote!(Header(#name)),
            SchemeKind::Query(name) => quote!(Query(#name)),
            SchemeKind::Bearer => quote!(Bearer),
            SchemeKind::Basic => quote!(Basic),
        };
        quote!(#krate::__private::ApiScheme { name: #name, kind: #krate::__private::ApiSchemeKind::#kind })
    });
    let mut own_servers: Vec<&String> = Vec::new();
    for url in operations.iter().filter_map(|operation| operation.own_server.as_ref()) {
        if !own_servers.contains(&url) {
            own_servers.push(url);
        }
    }
    let operations = operations.iter().map(|operation| row(krate, operation, &own_servers));
    let needs_actions = (!groups.is_empty()).then(|| quote!(#krate::__private::needs_actions!();));
    let groups = groups.iter().map(|Group { name, description, operations }| {
        quote! {
            #krate::__private::ApiGroup { name: #name, description: #description, operations: &[#(#operations),*] }
        }
    });
    quote! {{
        #needs_actions
        static DOCUMENT: #krate::__private::ApiDocument = #krate::__private::ApiDocument {
            title: #title,
            server: #server,
            own_servers: &[#(#own_servers),*],
            schemes: &[#(#schemes),*],
            settings: &[#(#settings),*],
            operations: &[#(#operations),*],
            groups: &[#(#groups),*],
        };
        #krate::openapi::Api::__new(&DOCUMENT)
    }}
}

fn row(krate: &Path, operation: &Operation, own_servers: &[&String]) -> TokenStream {
    let Operation {
        name, description, method, path, parameters, body, accept, input, output, redirects, security, ..
    } = operation;
    let own_server = operation.own_server.as_ref();
    let own_server = optional(own_server.and_then(|url| own_servers.iter().position(|known| *known == url)));
    let input = input.to_string();
    let output = optional(output.as_ref().map(ToString::to_string));
    let parameters = parameters.iter().map(|parameter| parameter_row(krate, parameter));
    let body = match body {
        Some(body) => {
            let body = body_row(krate, body);
            quote!(::core::option::Option::Some(#body))
        }
        None => quote!(::core::option::Option::None),
    };
    let security = security.iter().map(|alternative| quote!(&[#(#alternative),*]));
    quote! {
        #krate::__private::ApiOperation {
            name: #name,
            description: #description,
            method: #method,
            path: #path,
            own_server: #own_server,
            parameters: &[#(#parameters),*],
            body: #body,
            accept: #accept,
            input: #input,
            output: #output,
            redirects: #redirects,
            security: &[#(#security),*],
        }
    }
}

fn parameter_row(krate: &Path, parameter: &Parameter) -> TokenStream {
    let Parameter { argument, name, place, style, .. } = parameter;
    let place = match place {
        Place::Path => quote!(Path),
        Place::Query => quote!(Query),
        Place::Header => quote!(Header),
    };
    let style = style_value(krate, *style);
    quote! {
        #krate::__private::ApiParameter {
            argument: #argument,
            name: #name,
            place: #krate::__private::ApiPlace::#place,
            style: #style,
        }
    }
}

fn style_value(krate: &Path, style: Style) -> TokenStream {
    let style = match style {
        Style::Joined => quote!(Joined),
        Style::Exploded => quote!(Exploded),
        Style::Deep => quote!(Deep),
        Style::Json => quote!(Json),
    };
    quote!(#krate::__private::ApiStyle::#style)
}

fn body_row(krate: &Path, body: &RequestBody) -> TokenStream {
    let RequestBody { kind, media_type, is_required, styles, members, argument } = body;
    let styles = styles.iter().map(|(member, style)| {
        let style = style_value(krate, *style);
        quote!((#member, #style))
    });
    let kind = match kind {
        BodyKind::Json => quote!(Json),
        BodyKind::Form => quote!(Form),
        BodyKind::Text => quote!(Text),
    };
    let arguments = match members {
        Some(members) => quote!(Members(&[#(#members),*])),
        None => quote!(Whole(#argument)),
    };
    quote! {
        #krate::__private::ApiBody {
            kind: #krate::__private::ApiBodyKind::#kind,
            media_type: #media_type,
            is_required: #is_required,
            styles: &[#(#styles),*],
            arguments: #krate::__private::ApiBodyArguments::#arguments,
        }
    }
}

fn optional(text: Option<impl quote::ToTokens>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}
