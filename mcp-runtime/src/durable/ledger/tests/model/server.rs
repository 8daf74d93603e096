//! An instance of a server, as its driver uses the ledger.

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
        LedgerId, LedgerKey,
        claim::Claim,
        claims::{Claims, LEASE, TakenUp, Turn},
    },
    HOUR,
    gate::Gate,
};
use crate::call::lease::{ClaimError, LedgerError, StepTurn};

/// The rules that can be left out.
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
pub(super) enum Kind {
    /// Any instance can rebuild it. Its `after` must not begin twice.
    Handoff,
    /// Any instance can rebuild it. A step of its first round must not begin twice, nor its end.
    Replayable,
    /// Only the instance that has its future can go on. What it does at last must not begin twice.
    Parked,
}

/// What a client is given to come back with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) ledger: LedgerId,
    pub(super) round: u32,
    /// One letter for each question.
    pub(super) answers: String,
}

#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) state: State,
    pub(super) answer: Option<char>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Asks(State),
    Result(String),
    /// The outcome of `after`, or of the step, is not known.
    Unknown,
    /// Not an answer to the question.
    Invalid,
    NotHere,
    /// It is finished, and its reply was evicted.
    NotKept,
    OtherLedger,
    Gone,
    Busy,
    Error,
}

/// What an instance has done, seen from above.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// The answers with which `after` began, each time.
    pub(super) begun: Vec<String>,
    pub(super) steps: usize,
    /// A request was overtaken, and its future dropped.
    pub(super) overtaken: bool,
}

#[derive(Clone)]
pub(super) struct Instance {
    pub(super) rules: Rules,
    pub(super) kind: Kind,
    pub(super) gate: Gate,
    pub(super) claims: Arc<Claims>,
    /// The rounds for which it has the future.
    pub(super) parked: Arc<Mutex<BTreeSet<u32>>>,
    pub(super) deeds: Arc<Mutex<Deeds>>,
}

/// How far a request is.
#[derive(Default)]
pub(super) struct Stage {
    /// The mark of something that must not begin twice may be on its way.
    pub(super) is_beginning: AtomicBool,
    /// It has begun: whoever cancels lets it run.
    pub(super) has_begun: AtomicBool,
}

impl Instance {
    pub(super) fn new(rules: Rules, kind: Kind, gate: Gate, deeds: Arc<Mutex<Deeds>>) -> Self {
        gate.slow();
        if !rules.fence {
            gate.without_fence();
        }
        let lease = if rules.lease { LEASE } else { 1000 * HOUR };
        let claims = Claims::new(Arc::new(gate.clone()), lease, None);
        Self { rules, kind, gate, claims, parked: Arc::default(), deeds }
    }

    /// As ordered: whose state it is, what it brings, whether it can be resumed here, and then the claim.
    pub(super) async fn serve(self, request: Request, stage: Arc<Stage>) -> Answer {
        let mut ledger = request.state.ledger;
        let Ok(own) = self.claims.ledger_id().await else { return Answer::Error };
        if !self.rules.ledger_id {
            ledger = own;
        } else if ledger != own {
            return Answer::OtherLedger;
        }
        loop {
            let check = self.rules.check_before_claim;
            if check && request.answer.is_none() {
                return Answer::Invalid;
            }
            let key = LedgerKey::new(ledger, "0123456789abcdef0123456789abcdef");
            let round = request.state.round;
            let turn = Turn { key, round, first: 1, anywhere: false, again: false, expires: None, keep: HOUR };
            let claim = match self.claims.take_up(turn, || !check || self.has_future_of(&request)).await {
                Ok(TakenUp::Run(claim)) => claim,
                Ok(TakenUp::Reply(reply)) => return Answer::from_bytes(&reply),
                Ok(TakenUp::UnknownOutcome) => return Answer::Unknown,
                Ok(TakenUp::NotHere) => return Answer::NotHere,
                Ok(TakenUp::Busy { .. }) => return Answer::Busy,
                Ok(TakenUp::Gone) => return Answer::Gone,
                Err(LedgerError::Replaced) => return Answer::OtherLedger,
                Ok(TakenUp::NotKept { done: true }) => return Answer::NotKept,
                Ok(TakenUp::NotKept { done: false }) | Err(_) => return Answer::Error,
            };
            let refused = match request.answer {
                None => Some(Answer::Invalid),
                Some(_) => (!self.has_future_of(&request)).then_some(Answer::NotHere),
            };
            if let Some(refused) = refused {
                // Too late, if the rule does not hold.
                if !check {
                    let _ = claim.finish(&refused.to_bytes()).await;
                }
                return refused;
            }
            self.parked.lock().unwrap().remove(&request.state.round);
            match claim.keep_alive(self.run(&claim, &request, &stage)).await {
                Ok(Ok(answer)) => return answer,
                // Somebody has taken over: their reply is the call's.
                Ok(Err(ClaimError::Lost)) | Err(ClaimError::Lost) => self.deeds.lock().unwrap().overtaken = true,
                Ok(Err(_)) | Err(_) => return Answer::Error,
            }
        }
    }

    fn has_future_of(&self, request: &Request) -> bool {
        self.kind != Kind::Parked || self.parked.lock().unwrap().contains(&request.state.round)
    }

    async fn run(&self, claim: &Claim, request: &Request, stage: &Stage) -> Result<Answer, ClaimError> {
        let State { ledger, round, ref answers } = request.state;
        let answers: String = answers.chars().chain(request.answer).collect();
        yield_now().await;
        if self.kind == Kind::Replayable && round == 1 && !self.step(claim, stage).await? {
            claim.finish(&Answer::Unknown.to_bytes()).await?;
            return Ok(Answer::Unknown);
        }
        yield_now().await;
        if round == 1 {
            let asks = Answer::Asks(State { ledger, round: 2, answers });
            claim.pass(&asks.to_bytes()).await?;
            self.parked.lock().unwrap().insert(2);
            return Ok(asks);
        }
        stage.is_beginning.store(true, Ordering::Relaxed);
        if self.rules.begin_mark {
            claim.begin().await?;
        }
        stage.has_begun.store(true, Ordering::Relaxed);
        self.deeds.lock().unwrap().begun.push(answers.clone());
        yield_now().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        let result = Answer::Result(answers);
        let finished = claim.finish(&result.to_bytes()).await;
        // It is the result, whether it could be recorded or not.
        if self.rules.begin_mark { Ok(result) } else { finished.map(|()| result) }
    }

    /// Whether the step is done.
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
        self.deeds.lock().unwrap().steps += 1;
        yield_now().await;
        claim.end_step("charge", b"receipt").await?;
        stage.is_beginning.store(false, Ordering::Relaxed);
        stage.has_begun.store(false, Ordering::Relaxed);
        Ok(true)
    }
}

impl Answer {
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
