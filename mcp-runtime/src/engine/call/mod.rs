//! One call: its context, its conversation, its journal, and the driver that polls it.
//!
//! A call is one future. The author holds a [`Ctx`]; the [`conversation`] keeps its questions and answers; [`running`]
//! polls the future and sends the questions as the client's revision requires. If the runtime asks the client by ending
//! the request, the future is [parked](crate::engine::durable) between two rounds.
//!
//! Each group of this room uses only those before it: `record`, `conversation`, `peer`, `state`, `driver`, `context`.

pub(crate) mod context;
pub(crate) mod conversation;
mod driver;
mod peer;
mod record;
mod state;

#[cfg(feature = "remote")]
pub(crate) use self::peer::passed_on;
pub use self::{
    context::{
        CanAsk, CanCall, CanStep, Conversing, Ctx, NoForms, PhaseCtx, RunsOnce,
        progress::Progress,
        roots::{Root, Roots},
        step::{Step, StepFuture, StepValue, TryStep},
    },
    conversation::ask_error::AskError,
    peer::{client::Client, principal::Principal},
    record::step_error::StepError,
    state::Call,
};
pub(crate) use self::{
    context::{ask, once},
    conversation::{ask_error, journal},
    driver::{admission, body, execution, limits, multi_round, round_observer, running, session_questions},
    peer::{
        Owner, Peer, http_parts,
        message_sink::{self, MessageSink},
        observer,
    },
    record::{call_id, entry_slice, lease, ledger_time},
    state::{
        CallState, HandoffChanged, call_target, end, host, nested, operation, reports::Reports, request, run_counter,
        task,
    },
};
