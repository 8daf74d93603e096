//! An instance of a server that uses the ledger as a real server does.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::task::yield_now;

use super::super::{
    super::{
        LedgerId, RecordKey,
        claim::{Claim, ClaimOutcome, Claims, Turn},
    },
    HOUR,
    gate::Gate,
};
use crate::engine::{
    call::{
        call_id::CallId,
        lease::{ClaimError, LedgerError, StepTurn},
    },
    durable::ledger::record::LEASE,
};

/// The rules that can be switched off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) fence: bool,
    pub(super) begin_mark: bool,
    pub(super) step_mark: bool,
    pub(super) lease: bool,
    pub(super) check_before_claim: bool,
    pub(super) ledger_id: bool,
}

impl Rules {
    pub(super) const ALL: Self =
        Self { fence: true, begin_mark: true, step_mark: true, lease: true, check_before_claim: true, ledger_id: true };
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ToolKind {
    /// Any instance can rebuild the call. `after` must not begin twice.
    Handoff,
    /// Any instance can rebuild the call. A step in the first round, and what runs after the last answer, must not begin
    /// twice.
    Replayable,
    /// Only the instance that holds the call's future can resume the call. What runs after the last answer must not
    /// begin twice.
    Parked,
}

/// The state that a client sends back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) ledger: LedgerId,
    pub(super) round: u32,
    /// The answers so far. Each is one letter.
    pub(super) answers: String,
}

#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) state: State,
    pub(super) answer: Option<char>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Response {
    Asks(State),
    Result(String),
    /// The outcome of `after` or of the step is unknown.
    Unknown,
    /// The answer is malformed.
    Invalid,
    NotHere,
    /// The call is finished, but its reply was evicted.
    NotKept,
    OtherLedger,
    Gone,
    Busy,
    Error,
}

/// The effects of all instances.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Has one item for each time that `after` began: the answers that `after` got.
    pub(super) begun: Vec<String>,
    pub(super) steps: usize,
    /// Whether another instance took over a request, so that the future of the request was dropped.
    pub(super) overtaken: bool,
}

#[derive(Clone)]
pub(super) struct Instance {
    pub(super) rules: Rules,
    pub(super) kind: ToolKind,
    pub(super) gate: Gate,
    pub(super) claims: Arc<Claims>,
    /// The rounds for which this instance has the future of the call.
    pub(super) parked: Arc<Mutex<BTreeSet<u32>>>,
    pub(super) effects: Arc<Mutex<Effects>>,
}

/// The progress of a request.
#[derive(Default)]
pub(super) struct Stage {
    /// Whether a swap that marks the beginning of an effect can be in progress.
    pub(super) is_beginning: AtomicBool,
    /// Whether an effect has begun, so that a cancellation does not stop the request.
    pub(super) has_begun: AtomicBool,
}

impl Instance {
    pub(super) fn new(rules: Rules, kind: ToolKind, gate: Gate, effects: Arc<Mutex<Effects>>) -> Self {
        gate.slow();
        if !rules.fence {
            gate.without_fence();
        }
        let lease = if rules.lease { LEASE } else { 1000 * HOUR };
        let claims = Claims::new(Arc::new(gate.clone()), lease, None);
        Self { rules, kind, gate, claims, parked: Arc::default(), effects }
    }

    /// Serves a request in the order of a real server: checks the ledger of the state, the answer, and whether this
    /// instance can resume the call, and then claims the round.
    pub(super) async fn serve(self, request: Request, stage: Arc<Stage>) -> Response {
        let mut ledger = request.state.ledger;
        let Ok(own) = self.claims.ledger_id().await else { return Response::Error };
        if !self.rules.ledger_id {
            ledger = own;
        } else if ledger != own {
            return Response::OtherLedger;
        }
        loop {
            let check = self.rules.check_before_claim;
            if check && request.answer.is_none() {
                return Response::Invalid;
            }
            let key = RecordKey { ledger, call: CallId(1, 2) };
            let round = request.state.round;
            let turn = Turn { key, round, first: 1, anywhere: false, again: false, expires: None, keep: HOUR };
            let claim = match self.claims.claim_round(turn, || !check || self.has_future_of(&request)).await {
                Ok(ClaimOutcome::Run(claim)) => claim,
                Ok(ClaimOutcome::Reply(reply)) => return Response::from_bytes(&reply),
                Ok(ClaimOutcome::UnknownOutcome) => return Response::Unknown,
                Ok(ClaimOutcome::NotHere) => return Response::NotHere,
                Ok(ClaimOutcome::Busy { .. }) => return Response::Busy,
                Ok(ClaimOutcome::Gone) => return Response::Gone,
                Err(LedgerError::Replaced) => return Response::OtherLedger,
                Ok(ClaimOutcome::NotKept { done: true }) => return Response::NotKept,
                Ok(ClaimOutcome::NotKept { done: false }) | Err(_) => return Response::Error,
            };
            let refused = match request.answer {
                None => Some(Response::Invalid),
                Some(_) => (!self.has_future_of(&request)).then_some(Response::NotHere),
            };
            if let Some(refused) = refused {
                // If the rule is switched off, the round is already claimed here, so the refusal ends the call.
                if !check {
                    let _ = claim.finish(&refused.to_bytes()).await;
                }
                return refused;
            }
            self.parked.lock().unwrap().remove(&request.state.round);
            match claim.keep_alive(self.run(&claim, &request, &stage)).await {
                Ok(Ok(answer)) => return answer,
                // Another instance has taken over, and its reply is the reply of the call.
                Ok(Err(ClaimError::Lost)) | Err(ClaimError::Lost) => self.effects.lock().unwrap().overtaken = true,
                Ok(Err(_)) | Err(_) => return Response::Error,
            }
        }
    }

    fn has_future_of(&self, request: &Request) -> bool {
        self.kind != ToolKind::Parked || self.parked.lock().unwrap().contains(&request.state.round)
    }

    async fn run(&self, claim: &Claim, request: &Request, stage: &Stage) -> Result<Response, ClaimError> {
        let State { ledger, round, ref answers } = request.state;
        let answers: String = answers.chars().chain(request.answer).collect();
        yield_now().await;
        if self.kind == ToolKind::Replayable && round == 1 && !self.step(claim, stage).await? {
            claim.finish(&Response::Unknown.to_bytes()).await?;
            return Ok(Response::Unknown);
        }
        yield_now().await;
        if round == 1 {
            let asks = Response::Asks(State { ledger, round: 2, answers });
            claim.pass(&asks.to_bytes()).await?;
            self.parked.lock().unwrap().insert(2);
            return Ok(asks);
        }
        stage.is_beginning.store(true, Ordering::Relaxed);
        if self.rules.begin_mark {
            claim.begin().await?;
        }
        stage.has_begun.store(true, Ordering::Relaxed);
        self.effects.lock().unwrap().begun.push(answers.clone());
        yield_now().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        let result = Response::Result(answers);
        let finished = claim.finish(&result.to_bytes()).await;
        // The client gets the result even if it could not be recorded.
        if self.rules.begin_mark { Ok(result) } else { finished.map(|()| result) }
    }

    /// Runs the step. Returns whether the step is done.
    async fn step(&self, claim: &Claim, stage: &Stage) -> Result<bool, ClaimError> {
        stage.is_beginning.store(true, Ordering::Relaxed);
        if self.rules.step_mark {
            match claim.begin_step("charge", false).await? {
                StepTurn::Run => {}
                StepTurn::Done(_) => return Ok(true),
                StepTurn::UnknownOutcome | StepTurn::NotKept => return Ok(false),
            }
        }
        stage.has_begun.store(true, Ordering::Relaxed);
        self.effects.lock().unwrap().steps += 1;
        yield_now().await;
        claim.end_step("charge", b"receipt").await?;
        stage.is_beginning.store(false, Ordering::Relaxed);
        stage.has_begun.store(false, Ordering::Relaxed);
        Ok(true)
    }
}

impl Response {
    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Asks(State { ledger, round, answers }) => {
                [b"?", &ledger.to_bytes()[..], &round.to_le_bytes(), answers.as_bytes()].concat()
            }
            Self::Result(answers) => format!("!{answers}").into(),
            Self::Unknown => b"U".into(),
            Self::Invalid => b"I".into(),
            Self::NotHere => b"N".into(),
            other => panic!("{other:?} is never recorded"),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        match bytes {
            [b'?', rest @ ..] => {
                let (ledger, rest) = rest.split_first_chunk().unwrap();
                let (round, answers) = rest.split_first_chunk().unwrap();
                let (ledger, round) = (LedgerId::from_bytes(*ledger), u32::from_le_bytes(*round));
                Self::Asks(State { ledger, round, answers: text(answers) })
            }
            [b'!', answers @ ..] => Self::Result(text(answers)),
            b"U" => Self::Unknown,
            b"I" => Self::Invalid,
            b"N" => Self::NotHere,
            other => panic!("{other:?} was never recorded"),
        }
    }
}
