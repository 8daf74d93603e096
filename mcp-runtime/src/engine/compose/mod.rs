//! Composition: a tool calls tools of its server.

mod begin;
mod builder;
mod output;
mod runs_on;
mod typed;

pub use self::{
    builder::ToolCalling,
    output::{CalledOutput, ReadStructured, ReadText},
    typed::{PassesOn, PreparedCall, ToArgument},
};
#[cfg(feature = "remote")]
pub(crate) use self::{output::successful, runs_on::RunsOn};
