//! Compares the expansion of `ui-tests/expand/<case>.rs` with `<case>.expanded.rs`. With `BLESS=1`, the tests write the
//! expected file.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

#[test]
fn smallest_tool() {
    let expanded = check("smallest_tool");
    let beside_the_function = expanded.lines().skip_while(|line| !line.starts_with("#[doc(hidden)]")).count();
    assert!(beside_the_function <= 40, "the expansion of the smallest tool grew to {beside_the_function} lines");
}

#[test]
fn arguments_and_references() {
    check("arguments_and_references");
}

#[test]
fn params() {
    check("params");
}

#[test]
fn every_key() {
    let expanded = check("every_key");
    assert!(
        !has_ident(expanded.parse().expect("tokens"), "mcp_runtime"),
        "the expansion must use the path from `crate = …`, not `mcp_runtime`"
    );
}

#[test]
fn mistakes() {
    check("mistakes");
}

#[test]
fn tools() {
    check("tools");
}

#[test]
fn actions() {
    let expanded = check("actions");
    assert!(
        !has_ident(expanded.parse().expect("tokens"), "mcp_runtime"),
        "the expansion must use the path from `crate = …`, not `mcp_runtime`"
    );
}

#[test]
fn prompt() {
    check("prompt");
}

#[test]
fn view() {
    let expanded = check("view");
    assert!(
        !has_ident(expanded.parse().expect("tokens"), "mcp_runtime"),
        "the expansion must use the path from `crate = …`, not `mcp_runtime`"
    );
}

#[test]
fn tool_with_view() {
    check("tool_with_view");
}

#[test]
fn resource() {
    check("resource");
}

#[test]
fn task() {
    check("task");
}

#[test]
fn handoff() {
    check("handoff");
}

#[test]
fn handoff_with_mistakes() {
    check("handoff_with_mistakes");
}

#[test]
fn smallest_set() {
    let lines = check("smallest_set").lines().count();
    assert!(lines <= 100, "the expansion of the smallest set grew to {lines} lines");
}

#[test]
fn set_with_every_key() {
    let expanded = check("set_with_every_key");
    assert!(
        !has_ident(expanded.parse().expect("tokens"), "mcp_runtime"),
        "the expansion must use the path from `crate = …`, not `mcp_runtime`"
    );
}

#[test]
fn set_with_mistakes() {
    check("set_with_mistakes");
}

#[test]
fn form() {
    check("form");
}

#[test]
fn form_with_mistakes() {
    check("form_with_mistakes");
}

#[test]
fn choice() {
    check("choice");
}

#[test]
fn choice_with_titles() {
    check("choice_with_titles");
}

#[test]
fn choice_with_mistakes() {
    check("choice_with_mistakes");
}

#[test]
fn sample_tools() {
    let expanded = check("sample_tools");
    assert!(
        !has_ident(expanded.parse().expect("tokens"), "mcp_runtime"),
        "the expansion must use the path from `crate = …`, not `mcp_runtime`"
    );
}

#[test]
fn sample_tools_with_mistakes() {
    check("sample_tools_with_mistakes");
}

#[cfg(feature = "openapi")]
#[test]
fn openapi() {
    check("openapi");
}

#[cfg(feature = "remote")]
#[test]
fn remote_tools() {
    check("remote_tools");
}

#[cfg(feature = "remote")]
#[test]
fn remote_tools_with_mistakes() {
    check("remote_tools_with_mistakes");
}

#[test]
fn settings() {
    let expanded = check("settings");
    assert!(
        !has_ident(expanded.parse().expect("tokens"), "mcp_runtime"),
        "the expansion must use the path from `crate = …`, not `mcp_runtime`"
    );
}

#[test]
fn settings_with_mistakes() {
    check("settings_with_mistakes");
}

/// Compares the expansion of a case with the stored one, and returns it.
fn check(case: &str) -> String {
    let folder = cases();
    let input = fs::read_to_string(folder.join(case).with_extension("rs")).expect("the case");
    let expanded = format(&expand(&input));
    let file: PathBuf = folder.join(format!("{case}.expanded.rs"));
    if env::var_os("BLESS").is_some() {
        fs::write(&file, &expanded).expect("cannot write the expansion");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        expanded == expected,
        "the expansion of {case} has changed; run with `BLESS=1` and read `git diff`:\n{expanded}"
    );
    expanded
}

/// Returns the folder of the cases.
fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/expand")
}

/// Expands the only macro call of a file. The call is an item with the attribute or the derive, or is `tools![…]`,
/// `openapi!` or `remote_tools!`.
fn expand(input: &str) -> TokenStream {
    let mut file = syn::parse_file(input).expect("the case must be valid Rust");
    match file.items.remove(0) {
        Item::Fn(mut function) => {
            if let Some(attr) = take_attribute(&mut function.attrs, "mcp_prompt") {
                return crate::mcp_prompt::expand(attr, &function.into_token_stream());
            }
            if let Some(attr) = take_attribute(&mut function.attrs, "mcp_resource") {
                return crate::mcp_resource::expand(attr, &function.into_token_stream());
            }
            let attr = take_attribute(&mut function.attrs, "mcp_tool").expect("the attribute");
            crate::mcp_tool::expand(attr, &function.into_token_stream())
        }
        Item::Impl(mut block) => {
            if let Some(attr) = take_attribute(&mut block.attrs, "mcp_actions") {
                return crate::mcp_actions::expand(attr, &block.into_token_stream());
            }
            let attr = take_attribute(&mut block.attrs, "handoff").expect("the attribute");
            crate::handoff::expand(attr, &block.into_token_stream())
        }
        Item::Enum(mut item) => match take_attribute(&mut item.attrs, "elicits") {
            Some(attr) => crate::elicits::expand(attr, item.into_token_stream()),
            None => match take_attribute(&mut item.attrs, "derive").expect("a derive").to_string().as_str() {
                "SampleTools" => crate::sample_tools::expand(item.into_token_stream()),
                _ => crate::choice::expand(item.into_token_stream()),
            },
        },
        Item::Struct(mut item) => {
            if let Some(attr) = take_attribute(&mut item.attrs, "mcp_view") {
                return crate::mcp_view::expand(attr, &item.into_token_stream());
            }
            match take_attribute(&mut item.attrs, "derive").expect("a derive").to_string().as_str() {
                "Settings" => crate::settings::expand(item.into_token_stream()),
                _ => crate::form::expand(item.into_token_stream()),
            }
        }
        #[cfg(feature = "openapi")]
        Item::Macro(call) if call.mac.path.is_ident("openapi") => {
            let table = crate::openapi::expand_beside(&cases(), call.mac.tokens);
            quote::quote!(const _: () = #table;)
        }
        #[cfg(feature = "remote")]
        Item::Macro(call) if call.mac.path.is_ident("remote_tools") => {
            crate::remote_tools::expand_beside(&cases(), call.mac.tokens)
        }
        Item::Macro(call) => {
            let tools = crate::tools::expand(call.mac.tokens, &crate::tools::TOOLS);
            quote::quote!(const _: () = #tools;)
        }
        _ => panic!("a case must be an item with one of the macros, or a macro call"),
    }
}

/// Removes the attribute with this name and returns its contents.
fn take_attribute(attrs: &mut Vec<Attribute>, name: &str) -> Option<TokenStream> {
    let index = attrs.iter().position(|attr| attr.path().is_ident(name))?;
    match attrs.remove(index).meta {
        Meta::List(list) => Some(list.tokens),
        _ => Some(TokenStream::new()),
    }
}

fn has_ident(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_ident(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        _ => false,
    })
}

fn format(tokens: &TokenStream) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--config", "max_width=120,use_small_heuristics=Max"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cannot start rustfmt");
    let mut stdin = rustfmt.stdin.take().expect("its input");
    stdin.write_all(tokens.to_string().as_bytes()).expect("rustfmt reads");
    drop(stdin);
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "the expansion is not valid Rust: {tokens}");
    String::from_utf8(output.stdout).expect("rustfmt writes UTF-8")
}
