//! Where each fault acts.

use super::super::api::fault::DevFault;
use crate::edge::dev::target::TargetAbilities;

/// The point of a call at which a fault acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultPoint {
    /// At once.
    Now,
    /// At the next answer.
    Answer,
    /// At the next request of the client.
    Request,
    /// At the next reply of the server.
    Reply,
    /// In a new call with the same request.
    NewCall,
}

pub(crate) struct FaultRule {
    pub(crate) point: FaultPoint,
    /// Whether the fault can happen in a session.
    pub(crate) in_sessions: bool,
    /// Whether the fault needs processes that the page can kill and start.
    pub(crate) needs_processes: bool,
    /// What the page says when the fault happens.
    pub(crate) told: &'static str,
}

/// Returns the rule of a fault.
pub(crate) const fn rule(fault: DevFault) -> FaultRule {
    use FaultPoint::{Answer, NewCall, Now, Reply, Request};

    let (point, in_sessions, needs_processes, told) = match fault {
        DevFault::LoseReply => (Reply, true, false, "the reply is lost, and the client sends its request again"),
        DevFault::SendTwice => (Request, true, false, "the request is sent twice at the same time"),
        DevFault::AnswerLate => {
            (Request, false, true, "the clock goes past the end of the state, and then the client answers")
        }
        DevFault::AnswerWrongly => (Answer, true, false, "the client answers with content that does not fit"),
        DevFault::AnswerSpent => {
            (Reply, false, false, "the client answers the spent state of the round before, with other answers")
        }
        DevFault::Cancel => (Now, true, false, "the client cancels the call"),
        DevFault::CloseConnection => {
            (Request, true, false, "the connection is closed in the middle of the request, and the client repeats it")
        }
        DevFault::Kill => (Now, true, true, "the process is killed"),
        DevFault::OtherInstance => (Request, false, true, "the request goes to the other instance"),
        DevFault::ClockForward => (Now, true, true, "the clock of the server goes forward by an hour"),
        DevFault::OtherRevision => (NewCall, true, false, "a client of another revision makes the same call"),
        DevFault::WithoutElicitation => (NewCall, true, false, "a client without elicitation makes the same call"),
        DevFault::WithoutSampling => (NewCall, true, false, "a client without sampling makes the same call"),
    };
    FaultRule { point, in_sessions, needs_processes, told }
}

/// Returns the faults that can happen to calls of this server.
pub(crate) fn possible(abilities: TargetAbilities) -> Vec<DevFault> {
    DevFault::ALL.into_iter().filter(|fault| abilities.processes || !rule(*fault).needs_processes).collect()
}

/// Returns why a fault cannot happen to a call, or `None` if it can.
pub(crate) fn impossible(fault: DevFault, in_session: bool, abilities: TargetAbilities) -> Option<&'static str> {
    let rule = rule(fault);
    if rule.needs_processes && !abilities.processes {
        return Some(
            "the server does not run in a process of this command, so it cannot be killed, and its clock not moved",
        );
    }
    (in_session && !rule.in_sessions).then_some(match fault {
        DevFault::OtherInstance => "a session lives in one process; choose the revision 2026-07-28",
        _ => "a session has no states that a client carries; choose the revision 2026-07-28",
    })
}
