//! A server whose tools have parameters of every shape that authors write, for the converters of hosts.
//!
//! Nothing is done with the arguments: what matters is the published list of tools. The tools of `unportable` have what
//! no schema can say in a way that all hosts take; all other tools must arrive whole at each of them.

mod choices;
mod defaults;
mod formats;
mod lists;
mod names;
mod numbers;
mod structs;
mod texts;
mod tuples;
mod unportable;

use std::process::ExitCode;

use mcp_runtime::prelude::*;

/// Takes nothing.
#[mcp_tool(read_only)]
async fn nothing() {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("shapes", env!("CARGO_PKG_VERSION"))
        .tools(tools![
            nothing,
            choices::choices,
            choices::optional_choices,
            choices::lists_of_choices,
            defaults::defaults,
            defaults::defaults_of_structs,
            formats::formats,
            formats::optional_formats,
            lists::lists,
            lists::optional_lists,
            lists::lists_of_lists,
            names::keywords,
            names::renamed,
            numbers::numbers,
            numbers::optional_numbers,
            numbers::limited_numbers,
            structs::structs,
            structs::optional_structs,
            structs::flattened,
            structs::generic,
            structs::one_struct,
            texts::texts,
            texts::optional_texts,
            texts::limited_texts,
            tuples::tuples,
            tuples::optional_tuples,
        ])
        .tools(tools![
            unportable::maps,
            unportable::mixed_tuples,
            unportable::any_value,
            unportable::recursion,
            unportable::tagged_union,
            unportable::external_union,
            unportable::untagged_union,
        ])
        .run()
        .await
}
