//! Generated code uses nothing of the author's scope: not the prelude, not the crates it would find there.
#![allow(dead_code)]

use mcp_runtime::SampleTools;

mod core {}
mod schemars {}
mod serde {}
mod std {}

struct Option;
struct Result;
struct String;
struct Vec;
struct Box;
struct Ok;
struct Err;
struct Some;
struct None;
struct Default;
struct From;
struct Into;
struct Send;
struct Value;
struct D;
struct T;

type Text = ::std::string::String;
type Maybe = ::core::option::Option<u32>;

#[derive(SampleTools)]
enum Tools {
    /// Repeats a text.
    Repeat {
        text: Text,
        times: Maybe,
        #[serde(default)]
        trim: bool,
    },
    /// Does nothing.
    Nothing,
    /// Says something.
    Say(Map),
}

type Map = ::std::collections::BTreeMap<Text, bool>;

fn main() {
    assert_eq!(Tools::tools().len(), 3);
}
