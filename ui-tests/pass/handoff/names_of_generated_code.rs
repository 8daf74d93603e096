//! Names that the generated code has, too, and a prelude that is shadowed.
#![allow(dead_code, non_camel_case_types)]

use mcp_runtime::{Ctx, Server, handoff};

struct Option;
struct String;
struct Result;
struct Box;
struct Some;
struct Ok;

struct Root;

/// Takes what is named like what is generated.
#[handoff]
impl Root {
    async fn before(&self, call: u8, arguments: u8, this: u8, reference0: u8) -> u8 {
        call + arguments + this + reference0
    }

    async fn client(answer: &Ctx, handoff: &u8) -> u8 {
        let _ = answer;
        *handoff
    }

    async fn after(&self, answer: u8, handoff: u8) -> ::std::string::String {
        (answer + handoff).to_string()
    }

    fn call(&self) {}
    fn definition(&self) {}
    fn lend(&self, _: u8) {}
}

mod inner {
    pub struct Deep<T>(pub T);
}

/// The type may be elsewhere and of another.
#[handoff]
impl inner::Deep<u8> {
    async fn before(&self, r#type: u8) -> u8 {
        self.0 + r#type
    }

    async fn client(_: &Ctx, _: &u8) {}

    async fn after(&self, sum: u8, (): ()) -> ::std::string::String {
        sum.to_string()
    }
}

fn main() {
    assert!(Server::new("test", "1").tool(Root).tool(inner::Deep(1)).build().is_ok());
}
