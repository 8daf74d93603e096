//! The instances and the client of one history, and what each event does to them.

#[cfg(feature = "remote")]
mod abroad;
mod check;
mod settle;

use std::{collections::BTreeSet, time::Duration};

use serde_json::json;
use tokio::{task::yield_now, time::advance};

use super::{
    Event, Rules,
    instance::{Common, Instance},
    points::{Go, OTHER_SERVER},
    reply::{Answer, Asks, Reply, State},
    store::{SharedStore, Wall},
    tools::ToolKind,
};
use crate::engine::durable::ledger::LEASE;

const SECOND: Duration = Duration::from_secs(1);

pub(super) struct World {
    common: Common,
    instances: Vec<Instance>,
    /// Killed processes whose connections stay open.
    dead: Vec<Instance>,
    requests: Vec<Request>,
    processes: usize,
    last_id: usize,
    /// The states that the client received, the latest one last.
    states: Vec<State>,
    last: Option<Reply>,
    sent: Sent,
    excuses: Excuses,
}

/// A request that waits for its response.
struct Request {
    id: usize,
    process: usize,
    /// Whether the response does not reach the client.
    lost: bool,
}

/// The answers that the client sent, and the results that must be the same for all requests.
#[derive(Debug, Default)]
struct Sent {
    seat: Option<String>,
    result: Option<Reply>,
    /// The seats that the client answered.
    seats: BTreeSet<&'static str>,
    /// The confirmations that the client answered.
    sures: BTreeSet<bool>,
    /// How often the client declined.
    declined: usize,
    unfit: usize,
    missing: usize,
}

/// The events that allow a client to get an error instead of the result.
#[derive(Debug, Default)]
struct Excuses {
    /// A process was killed.
    killed: bool,
    /// An operation has waited longer than a lease allows.
    stalled: bool,
    ledger_failed: bool,
    ledger_lost: bool,
    /// The reply of a finished call was evicted.
    evicted: bool,
    /// A future was dropped that a request might have needed.
    dropped: bool,
    /// A request was cancelled.
    cancelled: bool,
    /// A wall clock was moved forward, so that valid states can have expired.
    ahead: bool,
    /// The time that has passed.
    passed: Duration,
}

type Violation = String;

impl World {
    pub(super) fn run(rules: Rules, kind: ToolKind, events: Vec<Event>) -> Result<(), Violation> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut world = Self::begin(rules, kind).await?;
            for event in events {
                world.apply(event).await?;
            }
            world.settle().await
        })
    }

    /// Creates a world whose call has asked its first question.
    async fn begin(rules: Rules, kind: ToolKind) -> Result<Self, Violation> {
        let common = Common::new(rules, kind);
        let instances: Vec<_> =
            (0..if rules.seal { 2 } else { 1 }).map(|process| Instance::start(&common, process, Wall::new())).collect();
        let mut world = Self {
            common,
            processes: instances.len(),
            instances,
            dead: Vec::new(),
            requests: Vec::new(),
            last_id: 0,
            states: Vec::new(),
            last: None,
            sent: Sent::default(),
            excuses: Excuses::default(),
        };
        world.common.points.open(true);
        world.send(0, &json!({}), false).await;
        world.run_ready().await?;
        world.common.points.open(false);
        match world.states[..] {
            [_] => Ok(world),
            _ => Err("the reply to the first request has no question".to_owned()),
        }
    }

    async fn apply(&mut self, event: Event) -> Result<(), Violation> {
        match event {
            Event::Send { instance, earlier, answer, copies, lost } => {
                let state = self.states.iter().rev().nth(earlier).unwrap_or(&self.states[0]).clone();
                for _ in 0..copies {
                    self.answer(instance, &state, answer, lost).await;
                }
            }
            Event::Go { which, times } => {
                for _ in 0..times {
                    self.common.points.go(which, Go::On);
                    self.run_ready().await?;
                }
            }
            Event::Fail { which } => {
                self.excuses.ledger_failed = true;
                self.common.points.go(which, Go::Failing);
            }
            Event::Flow { instance } => {
                let process = self.instance(instance).process;
                for _ in 0..40 {
                    // The other server lets its operations continue, too.
                    if !(self.common.points.go_all(process) | self.common.points.go_all(OTHER_SERVER)) {
                        break;
                    }
                    self.run_ready().await?;
                }
            }
            Event::Pass(time) => self.pass(time).await,
            Event::Cancel { request } if !self.requests.is_empty() => {
                (self.excuses.dropped, self.excuses.cancelled) = (true, true);
                let Request { id, process, .. } = self.requests.remove(request % self.requests.len());
                let instance = self.instances.iter().find(|instance| instance.process == process);
                instance.ok_or("no instance has this request")?.cancel(id).await;
            }
            Event::Cancel { .. } => {}
            Event::Disconnect { instance } => {
                (self.excuses.dropped, self.excuses.cancelled) = (true, true);
                let process = self.instance(instance).process;
                self.requests.retain(|request| request.process != process);
                self.instance(instance).disconnect();
            }
            Event::Kill { instance, cuts } => self.kill(instance, cuts),
            Event::Forget { instance } => {
                self.excuses.dropped = true;
                self.instance(instance).forget();
            }
            Event::Away { instance, is_away } => {
                self.excuses.ledger_failed = true;
                self.instance(instance).ledger.set_away(is_away);
            }
            Event::Evict => {
                self.excuses.evicted |= self.common.store.lock().unwrap().evict(self.common.rules);
            }
            Event::Lose => {
                self.excuses.ledger_lost = true;
                *self.common.store.lock().unwrap() = SharedStore::new();
            }
            Event::Step { instance, seconds } => {
                self.excuses.ahead |= 0 < seconds;
                self.instance(instance).wall.step(seconds);
            }
            Event::Another { instance } => self.instance(instance).ledger.write_another(),
        }
        self.run_ready().await
    }

    fn instance(&mut self, instance: usize) -> &mut Instance {
        let instance = instance % self.instances.len();
        &mut self.instances[instance]
    }

    async fn answer(&mut self, instance: usize, state: &State, answer: Answer, lost: bool) {
        match (&state.asks, answer) {
            (Asks::Seat, Answer::First) => drop(self.sent.seats.insert("12A")),
            (Asks::Seat, Answer::Second) => drop(self.sent.seats.insert("1F")),
            (Asks::Sure(_), Answer::First) => drop(self.sent.sures.insert(true)),
            (Asks::Sure(_), Answer::Second) => drop(self.sent.sures.insert(false)),
            (_, Answer::Decline) => self.sent.declined += 1,
            (_, Answer::Unfit) => self.sent.unfit += 1,
            (_, Answer::Missing) => self.sent.missing += 1,
            (_, Answer::None | Answer::Malformed) => {}
        }
        self.send(instance, &state.answer(answer), lost).await;
    }

    async fn send(&mut self, instance: usize, more: &serde_json::Value, lost: bool) {
        self.last_id += 1;
        let id = self.last_id;
        let instance = self.instance(instance);
        instance.send(id, more).await;
        let process = instance.process;
        self.requests.push(Request { id, process, lost });
    }

    async fn pass(&mut self, time: Duration) {
        // Counts as a stall: a lease is renewed in time only if no operation waits for long.
        self.excuses.stalled |= LEASE / 3 <= time && self.common.points.has_waiting();
        self.excuses.passed += time;
        advance(time).await;
    }

    fn kill(&mut self, instance: usize, cuts: bool) {
        self.excuses.killed = true;
        let process = self.instance(instance).process;
        self.requests.retain(|request| request.process != process);
        self.instance(instance).kill();
        let wall = self.instance(instance).wall.clone();
        let successor = Instance::start(&self.common, self.processes, wall);
        self.processes += 1;
        let dead = std::mem::replace(self.instance(instance), successor);
        if !cuts {
            self.dead.push(dead);
        }
    }

    /// Runs everything that can run, and checks the responses.
    async fn run_ready(&mut self) -> Result<(), Violation> {
        for _ in 0..self.common.kind.turns() {
            yield_now().await;
        }
        for instance in 0..self.instances.len() {
            while let Some((id, response)) = self.instances[instance].receive() {
                if let Some(index) = self.requests.iter().position(|request| request.id == id) {
                    let Request { lost, .. } = self.requests.remove(index);
                    let reply = Reply::read(&response)?;
                    self.check(&reply)?;
                    self.last = Some(reply.clone());
                    self.remember(reply, lost);
                }
            }
        }
        let effects = self.common.effects.lock().unwrap();
        match &effects.begun[..] {
            [_, _, ..] => Err(format!("`after` began twice: {effects:?}")),
            _ if 1 < effects.before => Err(format!("`before` ran twice: {effects:?}")),
            _ if 1 < effects.charged => Err(format!("the step began twice: {effects:?}")),
            _ => Ok(()),
        }
    }

    /// Stores the state of a reply, unless the reply was lost.
    fn remember(&mut self, reply: Reply, lost: bool) {
        if let Reply::Asks(state) = reply
            && !lost
        {
            self.states.retain(|known| *known != state);
            self.states.push(state);
        }
    }
}
