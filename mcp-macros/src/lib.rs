//! The attribute macros of `mcp-runtime`. Use them through `mcp-runtime`, where they are documented.

mod action_output;
#[cfg(any(feature = "openapi", feature = "remote"))]
mod author_file;
mod choice;
mod contract;
mod docs;
mod elicits;
mod errors;
mod form;
mod generics;
mod handoff;
mod keys;
mod literal;
mod mcp_actions;
mod mcp_prompt;
mod mcp_resource;
mod mcp_tool;
mod mcp_view;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(feature = "remote")]
mod remote_tools;
mod repeated_description;
mod rule;
mod sample_tools;
mod scope;
mod settings;
#[cfg(feature = "skills")]
mod skills;
mod spans;
mod tool;
mod tools;
mod types;
mod variants;
mod words;

#[cfg(test)]
mod snapshots;

use proc_macro::TokenStream;

/// Documented at `mcp_runtime::mcp_tool`.
#[proc_macro_attribute]
pub fn mcp_tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    mcp_tool::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::mcp_prompt`.
#[proc_macro_attribute]
pub fn mcp_prompt(attr: TokenStream, item: TokenStream) -> TokenStream {
    mcp_prompt::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::mcp_resource`.
#[proc_macro_attribute]
pub fn mcp_resource(attr: TokenStream, item: TokenStream) -> TokenStream {
    mcp_resource::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::view::mcp_view`.
#[proc_macro_attribute]
pub fn mcp_view(attr: TokenStream, item: TokenStream) -> TokenStream {
    mcp_view::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::handoff`.
#[proc_macro_attribute]
pub fn handoff(attr: TokenStream, item: TokenStream) -> TokenStream {
    handoff::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::contract`.
#[proc_macro_attribute]
pub fn contract(attr: TokenStream, item: TokenStream) -> TokenStream {
    contract::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::mcp_actions`.
#[proc_macro_attribute]
pub fn mcp_actions(attr: TokenStream, item: TokenStream) -> TokenStream {
    mcp_actions::expand(attr.into(), &item.into()).into()
}

/// Documented at `mcp_runtime::actions::action_output`.
#[proc_macro_attribute]
pub fn action_output(attr: TokenStream, item: TokenStream) -> TokenStream {
    action_output::expand(&attr.into(), item.into()).into()
}

/// Documented at `mcp_runtime::tools`.
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    tools::expand(input.into(), &tools::TOOLS).into()
}

/// Documented at `mcp_runtime::prompts`.
#[proc_macro]
pub fn prompts(input: TokenStream) -> TokenStream {
    tools::expand(input.into(), &tools::PROMPTS).into()
}

/// Documented at `mcp_runtime::resources`.
#[proc_macro]
pub fn resources(input: TokenStream) -> TokenStream {
    tools::expand(input.into(), &tools::RESOURCES).into()
}

/// Documented at `mcp_runtime::elicits`.
#[proc_macro_attribute]
pub fn elicits(attr: TokenStream, item: TokenStream) -> TokenStream {
    elicits::expand(attr.into(), item.into()).into()
}

/// Documented at `mcp_runtime::Form`.
#[proc_macro_derive(Form, attributes(elicit, choice))]
pub fn form(item: TokenStream) -> TokenStream {
    form::expand(item.into()).into()
}

/// Documented at `mcp_runtime::Choice`.
#[proc_macro_derive(Choice, attributes(choice, elicit))]
pub fn choice(item: TokenStream) -> TokenStream {
    choice::expand(item.into()).into()
}

/// Documented at `mcp_runtime::SampleTools`.
#[proc_macro_derive(SampleTools, attributes(tool, serde, schemars))]
pub fn sample_tools(item: TokenStream) -> TokenStream {
    sample_tools::expand(item.into()).into()
}

/// Documented at `mcp_runtime::settings::Settings`.
#[proc_macro_derive(Settings, attributes(setting))]
pub fn settings(item: TokenStream) -> TokenStream {
    settings::expand(item.into()).into()
}

/// Documented at `mcp_runtime::skills`.
#[cfg(feature = "skills")]
#[proc_macro]
pub fn skills(input: TokenStream) -> TokenStream {
    skills::expand(input.into()).into()
}

/// Documented at `mcp_runtime::remote_tools`.
#[cfg(feature = "remote")]
#[proc_macro]
pub fn remote_tools(input: TokenStream) -> TokenStream {
    remote_tools::expand(input.into()).into()
}

/// Documented at `mcp_runtime::openapi`.
#[cfg(feature = "openapi")]
#[proc_macro]
pub fn openapi(input: TokenStream) -> TokenStream {
    openapi::expand(input.into()).into()
}
