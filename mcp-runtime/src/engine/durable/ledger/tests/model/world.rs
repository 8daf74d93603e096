//! The world of the model: two instances, a client, and the events.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, atomic::Ordering},
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::{
    task::yield_now,
    time::{Instant, advance},
};

use super::{
    super::{super::MemoryLedger, SECOND, gate::Gate},
    Event,
    server::{Effects, Instance, Request, Response, Rules, Stage, State, ToolKind},
};
use crate::engine::durable::ledger::record::LEASE;

pub(super) struct World {
    rules: Rules,
    kind: ToolKind,
    gate: Gate,
    instances: Vec<Instance>,
    requests: Vec<Served>,
    effects: Arc<Mutex<Effects>>,
    /// The states that the client received, oldest first.
    states: Vec<State>,
    result: Option<String>,
    /// Each item is an instance whose request was cancelled at this time. The instance then removes the mark of an
    /// effect that has not begun.
    withdrawing: Vec<(usize, Instant)>,
    excuses: Excuses,
}

/// A request in progress.
struct Served {
    instance: usize,
    lost: bool,
    stage: Arc<Stage>,
    /// An effect of this request can have begun since this time.
    since: Option<Instant>,
    future: Pin<Box<dyn Future<Output = Response>>>,
}

/// The errors that a client is allowed to get instead of the result.
#[derive(Debug, Default)]
struct Excuses {
    /// After an effect had begun, its instance was killed, stalled past its lease, or could not write.
    unknown: bool,
    /// The parked future was dropped.
    not_here: bool,
    ledger_lost: bool,
    /// Replies of finished calls were evicted.
    evicted: bool,
    faults: usize,
}

type Violation = String;

impl World {
    pub(super) fn run(rules: Rules, kind: ToolKind, events: Vec<Event>) -> Result<(), Violation> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut world = Self::new(rules, kind);
            for event in events {
                world.apply(event).await?;
            }
            world.settle().await
        })
    }

    fn new(rules: Rules, kind: ToolKind) -> Self {
        let gate = Gate::new(MemoryLedger::new());
        let effects = Arc::new(Mutex::new(Effects::default()));
        let instance = || Instance::new(rules, kind, gate.beside(), Arc::clone(&effects));
        let instances = vec![instance(), instance()];
        // Stands for the round that asked the first question.
        instances[0].parked.lock().unwrap().insert(1);
        let first = State { ledger: gate.id_now(), round: 1, answers: String::new() };
        let requests = Vec::new();
        Self {
            rules,
            kind,
            gate,
            instances,
            requests,
            effects,
            states: vec![first],
            result: None,
            withdrawing: Vec::new(),
            excuses: Excuses::default(),
        }
    }

    async fn apply(&mut self, event: Event) -> Result<(), Violation> {
        match event {
            Event::Send { instance, earlier, answer, lost } => {
                let state = self.states.iter().rev().nth(earlier).unwrap_or(&self.states[0]).clone();
                self.send(instance, Request { state, answer }, lost);
            }
            Event::Poll { request, times } if !self.requests.is_empty() => {
                let request = request % self.requests.len();
                for _ in 0..times {
                    if self.poll(request)?.is_some() {
                        break;
                    }
                }
            }
            Event::Pass(time) => {
                self.pass(time).await;
                let stalled = |(_, since): &(usize, Instant)| LEASE / 2 <= since.elapsed();
                self.excuses.unknown |= self.withdrawing.iter().any(stalled);
            }
            Event::Cancel { request } if !self.requests.is_empty() => {
                let request = request % self.requests.len();
                if self.requests[request].stage.has_begun.load(Ordering::Relaxed) {
                    self.requests[request].lost = true;
                } else {
                    self.excuses.not_here = true;
                    let cancelled = self.requests.remove(request);
                    if cancelled.has_begun_for(Duration::ZERO) {
                        self.withdrawing.push((cancelled.instance, Instant::now()));
                    }
                }
            }
            Event::Kill { instance } => self.kill(instance),
            Event::Fail { instance, fault } => {
                self.excuses.faults += 1;
                self.instances[instance].gate.fail([fault]);
            }
            Event::Evict => {
                self.excuses.evicted = true;
                self.gate.ledger().evict_all();
            }
            Event::Lose => {
                self.excuses.ledger_lost = true;
                self.gate.replace(MemoryLedger::new());
            }
            Event::Poll { .. } | Event::Cancel { .. } => {}
        }
        yield_now().await;
        Ok(())
    }

    fn send(&mut self, instance: usize, request: Request, lost: bool) {
        let stage = Arc::new(Stage::default());
        let future = Box::pin(self.instances[instance].clone().serve(request, Arc::clone(&stage)));
        self.requests.push(Served { instance, lost, stage, since: None, future });
    }

    async fn pass(&mut self, time: Duration) {
        advance(time).await;
        // Counts as a stall: the lease is renewed in time only if the request is polled often.
        self.excuses.unknown |= self.requests.iter().any(|request| request.has_begun_for(LEASE / 2));
    }

    fn kill(&mut self, instance: usize) {
        self.instances[instance].gate.shut(true);
        self.excuses.not_here = true;
        let has_begun = |request: &Served| request.instance == instance && request.has_begun_for(Duration::ZERO);
        self.excuses.unknown |=
            self.withdrawing.iter().any(|(other, _)| *other == instance) || self.requests.iter().any(has_begun);
        self.requests.retain(|request| request.instance != instance);
        let gate = self.gate.beside();
        self.instances[instance] = Instance::new(self.rules, self.kind, gate, Arc::clone(&self.effects));
    }

    /// Polls a request once. Returns its response when it is done.
    fn poll(&mut self, request: usize) -> Result<Option<Response>, Violation> {
        let served = &mut self.requests[request];
        let polled = served.future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let may_have_begun = served.stage.is_beginning.load(Ordering::Relaxed);
        served.since = may_have_begun.then(|| served.since.unwrap_or_else(Instant::now));
        self.check_nothing_began_twice()?;
        let Poll::Ready(answer) = polled else { return Ok(None) };
        let served = self.requests.remove(request);
        self.excuses.not_here |= answer == Response::Error;
        self.check_replies_agree(&answer)?;
        if !served.lost
            && let Response::Asks(state) = &answer
            && self.states.iter().all(|known| known.round < state.round)
        {
            self.states.push(state.clone());
        }
        Ok(Some(answer))
    }

    fn check_nothing_began_twice(&self) -> Result<(), Violation> {
        let effects = self.effects.lock().unwrap();
        match &*effects {
            Effects { begun, .. } if 1 < begun.len() => Err(format!("`after` began twice, with {begun:?}")),
            Effects { steps, .. } if 1 < *steps => Err(format!("the step began twice: {steps} times")),
            _ => Ok(()),
        }
    }

    fn check_replies_agree(&mut self, answer: &Response) -> Result<(), Violation> {
        match answer {
            Response::Asks(state) => match self.states.iter().find(|known| known.round == state.round) {
                Some(known) if known != state => Err(format!("two questions are asked: {known:?} and {state:?}")),
                _ => Ok(()),
            },
            Response::Result(answers) => {
                let result = self.result.get_or_insert_with(|| answers.clone());
                let begun = &self.effects.lock().unwrap().begun;
                if result == answers && begun.contains(answers) {
                    return Ok(());
                }
                Err(format!("two results are returned: {result} and {answers}, where `after` began with {begun:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Ends the run. No more events happen, but running requests finish and the client retries.
    async fn settle(&mut self) -> Result<(), Violation> {
        self.finish().await?;
        let mut told = Vec::new();
        for attempt in 0..12 {
            let state = self.states[self.states.len() - 1].clone();
            self.send(attempt % 2, Request { state, answer: Some('a') }, false);
            let Some(answer) = self.finish().await? else { return Err("blocked: a request gets no answer".into()) };
            let ends = match answer {
                Response::Result(_) => true,
                Response::Unknown => self.excuses.unknown || 3 <= self.excuses.faults,
                Response::OtherLedger => self.excuses.ledger_lost,
                Response::NotKept => self.excuses.evicted,
                Response::NotHere => {
                    let overtaken = self.effects.lock().unwrap().overtaken;
                    told.contains(&Response::NotHere) && (self.excuses.not_here || overtaken)
                }
                Response::Gone => self.excuses.ledger_lost && !self.rules.ledger_id,
                Response::Asks(_) | Response::Invalid | Response::Busy | Response::Error => false,
            };
            told.push(answer);
            if ends {
                return Ok(());
            }
        }
        Err(format!("blocked: {told:?}, {:?}", self.excuses))
    }

    /// Polls all requests in turn until all are done. Returns the last response.
    async fn finish(&mut self) -> Result<Option<Response>, Violation> {
        let mut last = None;
        for _ in 0..300 {
            let mut request = 0;
            while request < self.requests.len() {
                match self.poll(request)? {
                    Some(answer) => last = Some(answer),
                    None => request += 1,
                }
            }
            if self.requests.is_empty() {
                return Ok(last);
            }
            yield_now().await;
            self.pass(SECOND).await;
        }
        Err("blocked: a request gets no answer".into())
    }
}

impl Served {
    fn has_begun_for(&self, time: Duration) -> bool {
        self.since.is_some_and(|since| time <= since.elapsed())
    }
}
