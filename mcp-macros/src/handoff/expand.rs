//! Generates code for a valid handoff. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Type, parse_quote, spanned::Spanned};

use super::{
    after::{After, AfterParam},
    ast::{Handoff, Phases},
};
use crate::{
    scope::scope,
    spans::{generated, located},
    tool::{Interface, argument, called, expand, warnings},
};

pub(crate) fn handoff(handoff: &Handoff, phases: &Phases) -> TokenStream {
    let Handoff { interface, block, .. } = handoff;
    let krate = &interface.attr.krate;
    let arguments = argument::constants(interface.values());
    let verdicts = verdicts(interface, phases);
    let implementation = implementation(handoff, phases);
    let asks_with = expand::asks_with(&block.self_ty, phases.client.takes.iter());
    let with = called::with(interface, &block.self_ty, &parse_quote!(pub), phases.client.takes.iter());
    let scope = scope(krate, &quote!(#arguments #verdicts #implementation #asks_with #with));
    let warnings = warnings::of_tool(interface);
    quote! {
        #block
        #scope
        #warnings
    }
}

/// Returns the constants that check the types. Other generated code uses these constants instead of bounds, so each
/// type is checked once.
fn verdicts(interface: &Interface, Phases { before, client, after }: &Phases) -> TokenStream {
    let references = expand::references(interface.references().chain(after.references()));
    let once = interface.references().chain(after.references());
    let once = once.map(|ty| quote_spanned!(located(ty.span())=> _mcp::runs_once!(#ty);));
    let output = expand::output(interface);
    let (handoff, answer) = (&after.handoff, &after.answer);
    let given = passing("__BEFORE", "FromBefore", &before.output, handoff);
    let answered = passing("__CLIENT", "FromClient", &client.output, answer);
    let travels = quote_spanned!(located(handoff.span())=> <#handoff as _mcp::Travel>::KEEPING);
    quote! {
        #references
        #(#once)*
        #output
        #given
        #answered
        const __HANDOFF: _mcp::Keeping<#handoff> = #travels;
    }
}

/// Returns the constant `name`, which is a function. It converts the value of a phase to the value that `after` takes.
/// If these types do not match, the compiler reports an error at the type that the phase returns.
fn passing(name: &str, verdict: &str, returned: &Type, taken: &Type) -> TokenStream {
    let (name, verdict) = (format_ident!("{name}"), format_ident!("{verdict}"));
    let give = quote_spanned!(located(returned.span())=> <#returned as _mcp::#verdict<#taken>>::GIVE);
    quote! {
        const #name: fn(#returned) -> ::core::result::Result<#taken, _mcp::ToolError> = #give;
    }
}

fn implementation(handoff: &Handoff, phases: &Phases) -> TokenStream {
    let (this, interface) = (&handoff.block.self_ty, &handoff.interface);
    let of_client = expand::needs(phases.client.takes.iter()).map(|need| quote!(#need.of_client()));
    let of_server = interface.references().chain(phases.after.references());
    let needs: Vec<_> = expand::needs(of_server).chain(of_client).collect();
    let definition = expand::definition(interface, &needs);
    let arguments = local("arguments");
    let call = local("call");
    let reading = expand::reading(interface, &arguments);
    let future = future(handoff, phases, &call, &reading.names);
    let read = reading.statements;
    // Errors of the whole future are about values passed between the phases. They are reported at the last phase's
    // name.
    let boxed = quote_spanned!(located(phases.after.ident.span())=> _mcp::boxed(async move { #future }));
    let has_self = phases.before.receiver || phases.after.receiver;
    let finds_itself = has_self.then(|| quote!(.finds_itself::<Self>()));
    quote! {
        impl _mcp::Tool for #this {
            fn definition(&self) -> _mcp::ToolDefinition {
                #definition.reads_handoff(__HANDOFF.reads)#finds_itself
            }
            fn call(
                &self,
                #call: _mcp::Call,
                #arguments: _mcp::Arguments<'_>,
            ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
                #read
                ::core::result::Result::Ok(#boxed)
            }
        }
    }
}

/// Returns the future that runs the phases in order.
fn future(handoff: &Handoff, phases: &Phases, call: &Ident, arguments: &[Ident]) -> TokenStream {
    let Phases { before, client, after } = phases;
    let (handed, answer) = (local("handoff"), local("answer"));
    let method = |phase: &Ident| method(&handoff.block.self_ty, phase);
    // Each phase fetches its own `self` and state. If one of them is missing, the phase does not run.
    let this = local("this");
    let this_type = &handoff.block.self_ty;
    let receiver = |is_taken: bool| is_taken.then(|| quote!(&#this,));
    let fetched_this = |is_taken: bool| is_taken.then(|| quote!(let #this = _mcp::this!(#this_type, &#call);));

    let (fetched, parameters) = expand::passed(&handoff.interface.params, call, arguments);
    let (this_of_before, this) = (fetched_this(before.receiver), receiver(before.receiver));
    let name = method(&before.ident);
    let run_before = phase(
        &before.ident,
        &quote! {
            #this_of_before
            #fetched
            __BEFORE(#name(#this #(#parameters),*).await)
        },
    );

    let handoff_type = &after.handoff;
    let names: Vec<_> = (0..client.takes.len()).map(|index| local(&format!("taken{index}"))).collect();
    let taken = names.iter().zip(&client.takes).map(|(name, ty)| {
        let taken = quote_spanned!(located(ty.span())=> _mcp::taken!(#ty, #handoff_type, &#call, &#handed));
        quote!(let #name = #taken;)
    });
    let name = method(&client.ident);
    let run_client = phase(&client.ident, &quote!(#(#taken)* __CLIENT(#name(#(&#names),*).await)));

    let (fetched, parameters) = parameters_of_after(after, call, &handed, &answer);
    let (this_of_after, this) = (fetched_this(after.receiver), receiver(after.receiver));
    let name = method(&after.ident);
    let body = quote! {
        #this_of_after
        #fetched
        (__OUTPUT.into_result)(#name(#this #(#parameters),*).await)
    };
    let run_after = match handoff.interface.attr.task {
        None => phase(&after.ident, &body),
        Some(_) => {
            let boxed = quote_spanned!(located(after.ident.span())=> _mcp::boxed(async move { #body }));
            let future = expand::future_of_call(&handoff.interface, call, boxed);
            quote!({
                let #call = #call.clone();
                #future
            })
        }
    };
    quote! {
        let #handed = _mcp::before(&#call, &__HANDOFF, #run_before).await?;
        let #answer = #run_client.await?;
        _mcp::after(&#call, #run_after).await
    }
}

fn method(this: &Type, phase: &Ident) -> TokenStream {
    let name = generated(phase);
    quote!(<#this>::#name)
}

/// Returns the future of a phase. If the future of the phase is not `Send`, the compiler reports an error at the phase's
/// name.
fn phase(phase: &Ident, body: &TokenStream) -> TokenStream {
    quote_spanned!(located(phase.span())=> _mcp::boxed(async { #body }))
}

fn parameters_of_after(
    after: &After,
    call: &Ident,
    handoff: &Ident,
    answer: &Ident,
) -> (TokenStream, Vec<TokenStream>) {
    let (mut fetched, mut parameters) = (TokenStream::new(), Vec::new());
    for (index, param) in after.params.iter().enumerate() {
        match param {
            AfterParam::Handoff => parameters.push(quote!(#handoff)),
            AfterParam::Answer => parameters.push(quote!(#answer)),
            AfterParam::Reference(ty) => {
                let name = local(&format!("lent{index}"));
                fetched.extend(quote!(let #name = _mcp::reference!(#ty, &#call);));
                parameters.push(quote!(&#name));
            }
        }
    }
    (fetched, parameters)
}

/// Creates a name that never clashes with the author's names.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
