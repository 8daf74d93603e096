//! Composition: a tool calls tools of its server.

mod begin;
mod builder;
mod output;
mod runs_on;
mod typed;

pub(crate) use self::output::successful;
pub use self::{
    builder::ToolCalling,
    output::{CalledOutput, ReadStructured, ReadText},
    typed::{PassesOn, PreparedCall, ToArgument},
};
