//! The implementation of [`MultiRound`].

use std::borrow::Cow;

use super::{
    Durable,
    ask::end_first_round,
    begin_once::begin_once,
    resume::{resume, resume_in_task},
    round_runner::{self, rebuilds},
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{
            AskError, CallState, HandoffChanged, Owner, StepError,
            admission::Admission,
            call_target::CallTarget,
            host::Host,
            ledger_time::LedgerTime,
            multi_round::{Answering, FutureBody, KeyedCall, LinkMultiRound, MultiRound, ResumeRequest},
            observer::{Observer as _, Runtime, observer},
            request::Asker,
            running::Running,
            session_questions::SessionQuestions,
        },
        durable::ledger::quota::NoCapacity,
        sample::SampleError,
    },
    wire::protocol::{error::RpcError, revision::Revision},
};

struct Rounds;

impl LinkMultiRound for Runtime {
    const MULTI_ROUND: &'static dyn MultiRound = &Rounds;
}

impl MultiRound for Rounds {
    fn admit(&self, call: &CallState, owner: Option<&Owner>, arguments: usize) -> Result<Admission, RpcError> {
        Durable::of(&*call.server).admit(call, owner, arguments)
    }

    fn admit_in_session(&self, server: &dyn Host, owner: &Owner, arguments: usize) -> Result<Admission, RpcError> {
        Durable::of(server).quotas().admit_in_session(owner, arguments).map_err(no_room)
    }

    fn resume(&self, request: ResumeRequest<'_>) -> Answering {
        resume(request)
    }

    fn resume_in_task(&self, request: ResumeRequest<'static>) -> FutureBody {
        Box::pin(resume_in_task(request))
    }

    fn begin_once(&self, keyed: KeyedCall) -> FutureBody {
        Box::pin(begin_once(keyed))
    }

    fn ask(&self, running: Box<Running>, arguments: Cow<'_, str>) -> Answering {
        end_first_round(running, arguments)
    }

    fn time(&self, call: &CallState) -> LedgerTime {
        Durable::of(&*call.server).time(call)
    }

    fn idempotency_key(&self, call: &CallState, step: &str) -> String {
        Durable::of(&*call.server).request_states.idempotency_key(call.id(), step)
    }

    fn asker(&self) -> Box<dyn Asker> {
        Box::new(SessionQuestions::default())
    }

    fn run_on(&self, running: Box<Running>) {
        round_runner::run_on(running);
    }

    fn protocol_error(&self, tool: &dyn CallTarget, revision: Revision, error: &ToolError) -> Option<RpcError> {
        if let Some(error) = error.downcast_ref::<HandoffChanged>() {
            // This does not end the call: an instance with the older version of the tool can still resume it.
            return Some(RpcError::invalid_params(error.to_string()));
        }
        match error.downcast_ref() {
            Some(StepError::TakenOver) => return Some(RpcError::taken_over()),
            Some(StepError::Unavailable(error)) => return Some(RpcError::unavailable(error)),
            _ => {}
        }
        let asked = match error.downcast_ref() {
            Some(SampleError::Ask(error)) => Some(error),
            _ => error.downcast_ref::<AskError>(),
        };
        asked.and_then(|error| error.missing_capability(&tool.described())).filter(|_| revision.is_modern())
    }
}

impl Durable {
    /// Admits a new call. `arguments` is the length of the call's arguments in bytes.
    ///
    /// # Errors
    /// Fails if the owner, or all owners together, have reached the limit of open calls.
    pub(super) fn admit(
        &self,
        call: &CallState,
        owner: Option<&Owner>,
        arguments: usize,
    ) -> Result<Admission, RpcError> {
        let is_parked = !rebuilds(call) || self.states_of(call).keep_journals();
        self.quotas().admit(owner, arguments, is_parked, || self.claims().room()).map_err(no_room)
    }
}

fn no_room(no_room: NoCapacity) -> RpcError {
    observer().turned_away("open_calls");
    match no_room {
        NoCapacity::Owner => {
            RpcError::too_many("you have reached your limit of open calls, which wait for your answers")
        }
        NoCapacity::Server => RpcError::overloaded("this server has reached its limit of open calls"),
    }
}
