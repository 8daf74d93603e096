//! Parts of a call: what its [`Ctx`](crate::Ctx) gives a tool besides questions.
//!
//! | item | what it is |
//! | --- | --- |
//! | [`Client`] | the client of the call, and what it can do |
//! | [`PhaseCtx`] | the context of the phases `before` and `after` of a [handoff](macro@crate::handoff) |
//! | [`Progress`] | reports the progress of a long call; see [`Ctx::progress`](crate::Ctx::progress) |
//! | [`Roots`], [`Root`] | the folders that the client works in; see [`Ctx::roots`](crate::Ctx::roots) |
//! | [`Step`], [`TryStep`] | a part of a call that runs once; see [`Ctx::step`](crate::Ctx::step) |
//! | [`ToolCalling`], [`PreparedCall`] | a call of another tool; see [`Ctx::call_tool`](crate::Ctx::call_tool) |
//! | [`CalledOutput`], [`ReadStructured`], [`ReadText`], [`ToArgument`], [`PassesOn`] | what such a call can pass and return, and with which forms |
//! | [`Capability`] | what a tool can require of a client |
//! | [`Conversing`], [`RunsOnce`], [`NoForms`], [`CanAsk`], [`CanCall`], [`CanStep`] | types that say at compile time what a [`Ctx`](crate::Ctx) can do |

pub use crate::{
    engine::call::{
        CanAsk, CanCall, CanStep, Client, Conversing, NoForms, PhaseCtx, Progress, Root, Roots, RunsOnce, Step,
        StepError, StepFuture, StepValue, TryStep, running::CallFuture,
    },
    engine::compose::{CalledOutput, PassesOn, PreparedCall, ReadStructured, ReadText, ToArgument, ToolCalling},
    wire::protocol::capability::Capability,
};
