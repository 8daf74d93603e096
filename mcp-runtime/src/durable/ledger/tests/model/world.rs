//! Two instances, a client, and what happens to them.

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
    server::{Answer, Deeds, Instance, Kind, Request, Rules, Stage, State},
};
use crate::durable::ledger::claims::LEASE;

pub(super) struct World {
    rules: Rules,
    kind: Kind,
    gate: Gate,
    instances: Vec<Instance>,
    requests: Vec<Served>,
    deeds: Arc<Mutex<Deeds>>,
    /// What the client has been given, oldest first.
    states: Vec<State>,
    result: Option<String>,
    /// Instances that take a mark of what has not begun back, and since when: their requests were cancelled.
    withdrawing: Vec<(usize, Instant)>,
    excuses: Excuses,
}

/// A request on its way.
struct Served {
    instance: usize,
    lost: bool,
    stage: Arc<Stage>,
    /// Since when something may have begun.
    since: Option<Instant>,
    future: Pin<Box<dyn Future<Output = Answer>>>,
}

/// What a client may be told instead of the result.
#[derive(Debug, Default)]
struct Excuses {
    /// Somebody was killed, or stalled past the lease, or could not write, while something had begun.
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
    pub(super) fn run(rules: Rules, kind: Kind, events: Vec<Event>) -> Result<(), Violation> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut world = Self::new(rules, kind);
            for event in events {
                world.happens(event).await?;
            }
            world.settle().await
        })
    }

    fn new(rules: Rules, kind: Kind) -> Self {
        let gate = Gate::new(MemoryLedger::new());
        let deeds = Arc::new(Mutex::new(Deeds::default()));
        let instance = || Instance::new(rules, kind, gate.beside(), Arc::clone(&deeds));
        let instances = vec![instance(), instance()];
        // The reply of round 0.
        instances[0].parked.lock().unwrap().insert(1);
        let first = State { ledger: gate.id_now(), round: 1, answers: String::new() };
        let requests = Vec::new();
        Self {
            rules,
            kind,
            gate,
            instances,
            requests,
            deeds,
            states: vec![first],
            result: None,
            withdrawing: Vec::new(),
            excuses: Excuses::default(),
        }
    }

    async fn happens(&mut self, event: Event) -> Result<(), Violation> {
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
        // Stalled, as far as a lease is concerned: it is renewed in time only where it is polled often.
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
        self.instances[instance] = Instance::new(self.rules, self.kind, gate, Arc::clone(&self.deeds));
    }

    /// Goes on with a request; what it is told, if that is known now.
    fn poll(&mut self, request: usize) -> Result<Option<Answer>, Violation> {
        let served = &mut self.requests[request];
        let polled = served.future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let may_have_begun = served.stage.is_beginning.load(Ordering::Relaxed);
        served.since = may_have_begun.then(|| served.since.unwrap_or_else(Instant::now));
        self.nothing_began_twice()?;
        let Poll::Ready(answer) = polled else { return Ok(None) };
        let served = self.requests.remove(request);
        self.excuses.not_here |= answer == Answer::Error;
        self.the_same_is_told(&answer)?;
        if !served.lost
            && let Answer::Asks(state) = &answer
            && self.states.iter().all(|known| known.round < state.round)
        {
            self.states.push(state.clone());
        }
        Ok(Some(answer))
    }

    fn nothing_began_twice(&self) -> Result<(), Violation> {
        let deeds = self.deeds.lock().unwrap();
        match &*deeds {
            Deeds { begun, .. } if 1 < begun.len() => Err(format!("`after` began twice, with {begun:?}")),
            Deeds { steps, .. } if 1 < *steps => Err(format!("the step began twice: {steps} times")),
            _ => Ok(()),
        }
    }

    fn the_same_is_told(&mut self, answer: &Answer) -> Result<(), Violation> {
        match answer {
            Answer::Asks(state) => match self.states.iter().find(|known| known.round == state.round) {
                Some(known) if known != state => Err(format!("two questions are asked: {known:?} and {state:?}")),
                _ => Ok(()),
            },
            Answer::Result(answers) => {
                let result = self.result.get_or_insert_with(|| answers.clone());
                let begun = &self.deeds.lock().unwrap().begun;
                if result == answers && begun.contains(answers) {
                    return Ok(());
                }
                Err(format!("two results are told: {result} and {answers}, where `after` began with {begun:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Nothing happens any more but that what runs goes on, and the client tries again.
    async fn settle(&mut self) -> Result<(), Violation> {
        self.finish().await?;
        let mut told = Vec::new();
        for attempt in 0..12 {
            let state = self.states[self.states.len() - 1].clone();
            self.send(attempt % 2, Request { state, answer: Some('a') }, false);
            let Some(answer) = self.finish().await? else { return Err("blocked: a request gets no answer".into()) };
            let ends = match answer {
                Answer::Result(_) => true,
                Answer::Unknown => self.excuses.unknown || 3 <= self.excuses.faults,
                Answer::OtherLedger => self.excuses.ledger_lost,
                Answer::NotKept => self.excuses.evicted,
                Answer::NotHere => {
                    let overtaken = self.deeds.lock().unwrap().overtaken;
                    told.contains(&Answer::NotHere) && (self.excuses.not_here || overtaken)
                }
                Answer::Gone => self.excuses.ledger_lost && !self.rules.ledger_id,
                Answer::Asks(_) | Answer::Invalid | Answer::Busy | Answer::Error => false,
            };
            told.push(answer);
            if ends {
                return Ok(());
            }
        }
        Err(format!("blocked: {told:?}, {:?}", self.excuses))
    }

    /// Polls all in turn until all are done; gives the last answer.
    async fn finish(&mut self) -> Result<Option<Answer>, Violation> {
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
