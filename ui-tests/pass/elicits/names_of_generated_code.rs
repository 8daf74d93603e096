//! Names the generated code uses itself do not get in the way of the author's.
#![allow(dead_code)]

use mcp_runtime::prelude::*;

struct Probe;
struct FieldKey;
struct Elicited;

const FIELD_0: u8 = 0;
static SCHEMA: u8 = 0;

/// The forms of an office, not of the set.
#[elicits]
enum Answers {
    Content {
        answers: String,
        content: bool,
        index: u8,
        handler: Choice_,
        asked: Option<FieldType>,
    },
    Handler {
        schema: String,
        key: String,
        form: String,
        read: u8,
        write: u8,
    },
    Asked(T),
}

#[derive(Form)]
struct T {
    self_: u8,
}

#[derive(Choice)]
enum Choice_ {
    Index,
    At,
}

#[derive(Choice)]
enum FieldType {
    Type,
}

fn main() {
    let _ = (Content::INDEX, Handler::SCHEMA, T::SELF_, FIELD_0, SCHEMA);
}
