//! Generates code for a valid tool with actions. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::{action::Action, ast::ActionBlock};
use crate::{
    spans::{generated, located},
    tool::{argument, expand},
};

pub(crate) fn actions(block: &ActionBlock) -> TokenStream {
    let service = Ident::new("service", Span::mixed_site());
    let actions = block.actions.iter().map(|action| self::action(action, &service));
    let interface = &block.interface;
    let (name, description, settings) =
        (interface.wire_name(), &interface.description, expand::published_settings(interface));
    let instructions = block.attr.instructions.as_ref().map(|text| quote!(.instructions(#text)));
    let catalog = block.attr.catalog.map(|span| quote_spanned!(located(span)=> .catalog(&#service)));
    let krate = &interface.attr.krate;
    // The function that is called records the place of the call, which is the author's name of the type.
    let definition = quote_spanned!(interface.ident.span()=> _mcp::ToolDefinition::new(#name, #description));
    with_into_actions(
        block,
        &quote! {
            use #krate::__private as _mcp;
            let #service = ::std::sync::Arc::new(self);
            _mcp::Actions::new(
                _mcp::ActionSet::new(
                    #definition #settings,
                    ::std::vec![#(#actions),*],
                ) #instructions #catalog,
            )
        },
    )
}

/// Returns the `impl` block, a second `impl` block with the function `into_actions`, and the `impl` of `IntoTool`.
pub(super) fn with_into_actions(block: &ActionBlock, body: &TokenStream) -> TokenStream {
    let (item, this, krate) = (&block.block, &block.block.self_ty, &block.interface.attr.krate);
    let doc = format!("Returns the tool `{}`, made of the actions of this value.", block.interface.wire_name());
    quote! {
        #item
        impl #this {
            #[doc = #doc]
            #[allow(deprecated)]
            pub fn into_actions(self) -> #krate::actions::Actions {
                #body
            }
        }
        #krate::__private::into_tool!(#this);
    }
}

/// Returns an expression for the action: its definition, its names, and the function that runs it.
fn action(action: &Action, service: &Ident) -> TokenStream {
    let interface = &action.interface;
    let constants = argument::constants(interface.values());
    let references = expand::references(interface.references());
    let output = expand::output(interface);
    let needs: Vec<_> = expand::needs(interface.references()).collect();
    let definition = expand::definition(interface, &needs);
    let name = generated(&action.sig.ident);
    let run = expand::bound_method(interface, &quote!(Self::#name));
    let hints = action.hints.iter().map(|(name, hint)| quote!(.hint(#name, #hint)));
    let inputs = action.entry_inputs().map(|(inputs, name)| quote!(.inputs_of(#inputs, #name)));
    let aliases = action.aliases.iter().map(|alias| {
        let name = &alias.name;
        let sets = alias.sets.iter().map(|set| {
            let (parameter, value) = (set.parameter.to_string(), set.json());
            quote!((#parameter, #value))
        });
        quote!(.alias(#name, ::std::vec![#(#sets),*]))
    });
    let list = action.is_list.then(|| quote!(.list()));
    let run_in_background = action.run.map(|span| quote_spanned!(located(span)=> .run()));
    quote! {
        {
            #constants
            #references
            #output
            _mcp::Action::new(#definition, &#service, #run) #(#hints)* #(#inputs)* #(#aliases)* #list #run_in_background
        }
    }
}
