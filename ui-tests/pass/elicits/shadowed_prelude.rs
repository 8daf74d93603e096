//! Generated code uses nothing of the author's scope: not the prelude, not the crates it would find there.
#![allow(dead_code, non_camel_case_types)]

use mcp_runtime::{Choice, Form, elicits};

mod core {}
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
struct From;
struct Into;
struct Send;
struct Sync;
struct Sized;
struct Self_;
struct usize;
struct str;
struct Future;
struct Value;
struct Field;
struct FormField;
struct Literal;
struct Draft;
struct Answers;

trait Read {
    fn read(&self) {}
    fn write(&self) {}
    fn handled(&self) {}
    fn take(&self) {}
}

impl<T: ?::core::marker::Sized> Read for T {}

type Text = ::std::string::String;
type Maybe<T> = ::core::option::Option<T>;

#[elicits]
#[derive(Clone, Debug)]
enum Booking {
    /// Picks.
    Pick {
        #[elicit(title = "Flight", min_length = 3, default = "TP1")]
        flight: Text,
        #[elicit(default = "none")]
        seat: Maybe<Seat>,
        #[elicit(min = -1, max = 1.5)]
        weight: f64,
    },
    Wrapped(Wrapped),
}

#[derive(Form, Clone, Debug)]
struct Wrapped {
    #[elicit(default = true)]
    sure: bool,
}

#[derive(Choice, Clone, Debug)]
enum Seat {
    Window,
    None,
    #[choice(title = "…")]
    Some,
}

fn main() {}
