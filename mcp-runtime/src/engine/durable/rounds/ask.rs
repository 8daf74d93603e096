//! Ends a round with the questions of the call, and parks the call.

use std::{borrow::Cow, pin::pin, sync::Arc};

use super::{
    Durable,
    at_once::in_memory,
    parked::{JournalPlace, ParkOptions},
    round_runner::rebuilds,
};
use crate::{
    engine::{
        call::{
            CallState, Owner, body::Body, call_id::Place, conversation::WireQuestion, lease::ClaimError,
            ledger_time::LedgerTime, multi_round::Answering, running::Running,
        },
        durable::{
            continuation::{Binding, Placed, RequestStates},
            ledger::{Claim, LARGEST_JOURNAL, LONGEST_REPLY, quota::KeptSize},
        },
    },
    wire::protocol::error::RpcError,
};

/// Ends the first round of a call with its questions.
pub(super) fn end_first_round(running: Box<Running>, arguments: Cow<'_, str>) -> Answering {
    if Durable::of(&*running.call().server).claims().is_in_memory() {
        return Answering::Now(in_memory(pin!(ask(running, &arguments, None))));
    }
    let arguments = arguments.into_owned();
    Answering::Later(Box::pin(async move { ask(running, &arguments, None).await }))
}

/// Ends a round with its questions. Parks the call and, if the call has a claim, records the reply in the ledger.
pub(super) async fn ask(running: Box<Running>, arguments: &str, claim: Option<&Claim>) -> Body {
    end_with_questions(running, arguments, claim).await.unwrap_or_else(|error| Body::error(&error))
}

async fn end_with_questions(
    mut running: Box<Running>,
    arguments: &str,
    claim: Option<&Claim>,
) -> Result<Body, RpcError> {
    let call = Arc::clone(running.call());
    let durable = Durable::of(&*call.server);
    let (tool, owner) = (call.registered(), call.owner());
    let (claims, ledger) = match claim {
        Some(claim) => claim.ledger(),
        None => durable.claims().begin(call.id()).await.map_err(RpcError::unavailable)?,
    };
    let placed = Placed::new(claims, ledger, tool, Binding::new(tool, arguments, owner.as_deref()));
    let admission = match (claim, running.admission.take()) {
        // The tool did not declare that it asks.
        (None, None) => {
            let owner = owner.clone().map(Owner::Principal);
            Some(durable.admit(&call, owner.as_ref(), arguments.len())?)
        }
        (_, admission) => admission,
    };
    let (place, time) = (running.next_place(), placed.keep);
    let states = durable.states_of(&call);
    let end = RoundEnd { durable, call: &call, states, placed, place, expires: placed.claims.now().after(time) };
    let asked = end.ask(claim).await?;
    // The claim has ended with the round.
    drop(call.claim.lock().take());
    let holds = KeptSize {
        bytes: arguments.len() + asked.recorded,
        spilled: asked.spilled,
        is_parked: asked.journal != JournalPlace::Carried,
        is_recorded: claim.is_some(),
        keep: time,
    };
    let principal = || owner.clone().map(Owner::Principal);
    durable.quotas().keep(place.call, admission, principal, holds);
    let keep = ParkOptions { journal: asked.journal, time, owner };
    durable.park(place, running, keep);
    Ok(asked.body)
}

/// The end of a round in which a call asked.
struct RoundEnd<'a> {
    durable: &'a Durable,
    call: &'a CallState,
    states: &'a RequestStates,
    placed: Placed<'a>,
    place: Place,
    /// When the state of the next round expires.
    expires: LedgerTime,
}

/// A reply with questions, and where the journal of the call is.
struct QuestionsReply {
    body: Body,
    journal: JournalPlace,
    /// The number of bytes in the record.
    recorded: usize,
    /// The number of journal bytes that were stored in the ledger, because they were too many for the state.
    spilled: usize,
}

impl RoundEnd<'_> {
    /// Ends the round. A call that can be rebuilt has its journal in one place: in its record if it has one, otherwise in
    /// its state. If states cannot contain a journal, this process keeps it.
    async fn ask(&self, claim: Option<&Claim>) -> Result<QuestionsReply, RpcError> {
        let Self { durable, call, states, .. } = *self;
        let (replayable, in_process) = (rebuilds(call), states.keep_journals());
        if let Some(claim) = claim
            && replayable
            // A call that can continue with another ledger carries its journal.
            && (in_process || !durable.waives_ledger(call.registered()))
            && let Some(asked) = self.ask_with_journal_in_record(claim).await?
        {
            return Ok(asked);
        }
        let journal_place = match (replayable, in_process) {
            (false, _) => JournalPlace::Nowhere,
            (true, true) => JournalPlace::Here,
            (true, false) => JournalPlace::Carried,
        };
        let has_journal = journal_place == JournalPlace::Carried;
        let (mut body, spilled) = self.reply(call.conversation.open_questions(), has_journal).await?;
        let mut recorded = 0;
        if let Some(claim) = claim {
            claim.pass(body.kept()).await.map_err(RpcError::unavailable)?;
            recorded = kept_length(&mut body);
        }
        Ok(QuestionsReply { body, journal: journal_place, recorded, spilled })
    }

    /// Returns `None` if the journal is too large for the record.
    async fn ask_with_journal_in_record(&self, claim: &Claim) -> Result<Option<QuestionsReply>, RpcError> {
        let questions = self.call.conversation.open_questions();
        let journal = self.call.conversation.journal_to_record(&questions);
        if journal.len() > LARGEST_JOURNAL {
            return Ok(None);
        }
        let (mut body, spilled) = self.reply(questions, false).await?;
        match claim.pass_with_journal(body.kept(), &journal).await {
            Ok(()) => {
                let recorded = kept_length(&mut body) + journal.len();
                Ok(Some(QuestionsReply { body, journal: JournalPlace::Carried, recorded, spilled }))
            }
            Err(ClaimError::Ledger(error)) if error.is_for_size() => Ok(None),
            Err(error) => Err(RpcError::unavailable(error)),
        }
    }

    /// Returns the reply with these questions, and the length of what the ledger stored of its state. If `has_journal`,
    /// the state contains the journal.
    async fn reply(&self, questions: Vec<WireQuestion>, has_journal: bool) -> Result<(Body, usize), RpcError> {
        let Self { call, states, placed, place, expires, .. } = *self;
        let journal = |out: &mut Vec<u8>| call.conversation.push_journal(out, &questions);
        let journal = has_journal.then_some(&journal as _);
        let state = states.write(placed, place, 0, expires, journal).await?;
        Ok((Body::input_required(&call.server, questions, state.text), state.spilled))
    }
}

/// Returns how many bytes the ledger stores for this reply. Returns 0 if the reply is too long, because such a reply is
/// not stored.
pub(super) fn kept_length(body: &mut Body) -> usize {
    Some(body.kept().len()).filter(|length| *length <= LONGEST_REPLY).unwrap_or(0)
}
