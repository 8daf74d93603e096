//! Instances, a client, and what happens to them.

mod settle;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;
use tokio::{task::yield_now, time::advance};

use super::{
    Event, Rules,
    instance::{Common, Instance},
    points::{Go, Points},
    reply::{Answer, Asks, Reply, State},
    shelf::{Shelf, Wall},
    tools::Kind,
};
use crate::{call::limits::FUTURE_KEPT, durable::ledger::LEASE};

const SECOND: Duration = Duration::from_secs(1);

pub(super) struct World {
    common: Common,
    instances: Vec<Instance>,
    requests: Vec<Request>,
    processes: usize,
    last_id: usize,
    /// What the client has been given: at last, what it has been given last.
    states: Vec<State>,
    last: Option<Reply>,
    told: Told,
    excuses: Excuses,
}

/// A request that waits for its response.
struct Request {
    id: usize,
    process: usize,
    /// The response does not reach the client.
    lost: bool,
}

/// What is to be the same whoever asks.
#[derive(Debug, Default)]
struct Told {
    seat: Option<String>,
    result: Option<Reply>,
    /// What was sent as an answer: seats, and whether they are right.
    seats: BTreeSet<&'static str>,
    sures: BTreeSet<bool>,
    /// How often it was something else.
    declined: usize,
    unfit: usize,
    missing: usize,
}

/// What a client may be told instead of the result.
#[derive(Debug, Default)]
struct Excuses {
    /// A process was killed.
    killed: bool,
    /// Somebody has waited for longer than a lease is good for.
    stalled: bool,
    ledger_failed: bool,
    ledger_lost: bool,
    /// The reply of a finished call was evicted.
    evicted: bool,
    /// A future was dropped that somebody might have wanted.
    dropped: bool,
    /// A wall clock was put ahead: what had time left may have none.
    ahead: bool,
    /// How much time has passed.
    passed: Duration,
}

type Violation = String;

impl World {
    pub(super) fn run(rules: Rules, kind: Kind, events: Vec<Event>) -> Result<(), Violation> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut world = Self::begin(rules, kind).await?;
            for event in events {
                world.happens(event).await?;
            }
            world.settle().await
        })
    }

    /// A world with a call that has asked its first question.
    async fn begin(rules: Rules, kind: Kind) -> Result<Self, Violation> {
        let shelf = Arc::new(Mutex::new(Shelf::new()));
        let common = Common { rules, kind, points: Points::default(), shelf, deeds: Arc::default() };
        let instances: Vec<_> =
            (0..if rules.seal { 2 } else { 1 }).map(|process| Instance::start(&common, process, Wall::new())).collect();
        let mut world = Self {
            common,
            processes: instances.len(),
            instances,
            requests: Vec::new(),
            last_id: 0,
            states: Vec::new(),
            last: None,
            told: Told::default(),
            excuses: Excuses::default(),
        };
        world.common.points.open(true);
        world.send(0, &json!({}), false).await;
        world.go_on().await?;
        world.common.points.open(false);
        match world.states[..] {
            [_] => Ok(world),
            _ => Err("the first request asks nothing".to_owned()),
        }
    }

    async fn happens(&mut self, event: Event) -> Result<(), Violation> {
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
                    self.go_on().await?;
                }
            }
            Event::Fail { which } => {
                self.excuses.ledger_failed = true;
                self.common.points.go(which, Go::Failing);
            }
            Event::Flow { instance } => {
                let process = self.instance(instance).process;
                for _ in 0..40 {
                    if !self.common.points.go_all(process) {
                        break;
                    }
                    self.go_on().await?;
                }
            }
            Event::Pass(time) => self.pass(time).await,
            Event::Cancel { request } if !self.requests.is_empty() => {
                self.excuses.dropped = true;
                let Request { id, process, .. } = self.requests.remove(request % self.requests.len());
                let instance = self.instances.iter().find(|instance| instance.process == process);
                instance.ok_or("a request of no instance")?.cancel(id).await;
            }
            Event::Cancel { .. } => {}
            Event::Disconnect { instance } => {
                self.excuses.dropped = true;
                let process = self.instance(instance).process;
                self.requests.retain(|request| request.process != process);
                self.instance(instance).disconnect();
            }
            Event::Kill { instance } => self.kill(instance),
            Event::Forget { instance } => {
                self.excuses.dropped = true;
                self.instance(instance).forget();
            }
            Event::Away { instance, is_away } => {
                self.excuses.ledger_failed = true;
                self.instance(instance).way.is_away(is_away);
            }
            Event::Evict => {
                self.excuses.evicted |= self.common.shelf.lock().unwrap().evict(self.common.rules);
            }
            Event::Lose => {
                self.excuses.ledger_lost = true;
                *self.common.shelf.lock().unwrap() = Shelf::new();
            }
            Event::Step { instance, seconds } => {
                self.excuses.ahead |= 0 < seconds;
                self.instance(instance).wall.step(seconds);
            }
            Event::Another { instance } => self.instance(instance).way.write_another(),
        }
        self.go_on().await
    }

    fn instance(&mut self, instance: usize) -> &mut Instance {
        let instance = instance % self.instances.len();
        &mut self.instances[instance]
    }

    async fn answer(&mut self, instance: usize, state: &State, answer: Answer, lost: bool) {
        match (&state.asks, answer) {
            (Asks::Seat, Answer::First) => drop(self.told.seats.insert("12A")),
            (Asks::Seat, Answer::Second) => drop(self.told.seats.insert("1F")),
            (Asks::Sure(_), Answer::First) => drop(self.told.sures.insert(true)),
            (Asks::Sure(_), Answer::Second) => drop(self.told.sures.insert(false)),
            (_, Answer::Decline) => self.told.declined += 1,
            (_, Answer::Unfit) => self.told.unfit += 1,
            (_, Answer::Missing) => self.told.missing += 1,
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
        // Stalled, as far as a lease is concerned: it is renewed in time only where nobody is held up for long.
        self.excuses.stalled |= LEASE / 3 <= time && self.common.points.hold_anybody();
        self.excuses.passed += time;
        advance(time).await;
    }

    fn kill(&mut self, instance: usize) {
        self.excuses.killed = true;
        let process = self.instance(instance).process;
        self.requests.retain(|request| request.process != process);
        self.instance(instance).kill();
        let wall = self.instance(instance).wall.clone();
        let successor = Instance::start(&self.common, self.processes, wall);
        self.processes += 1;
        *self.instance(instance) = successor;
    }

    /// Lets everything run that can, and hears what is said.
    async fn go_on(&mut self) -> Result<(), Violation> {
        // Whoever can run runs before this goes on; then the timers are looked at, and those run whom they woke.
        yield_now().await;
        yield_now().await;
        for instance in 0..self.instances.len() {
            while let Some((id, response)) = self.instances[instance].receive() {
                if let Some(index) = self.requests.iter().position(|request| request.id == id) {
                    let Request { lost, .. } = self.requests.remove(index);
                    let reply = Reply::read(&response)?;
                    self.check(&reply)?;
                    self.last = Some(reply.clone());
                    self.hear(reply, lost);
                }
            }
        }
        let deeds = self.common.deeds.lock().unwrap();
        match &deeds.begun[..] {
            [_, _, ..] => Err(format!("`after` began twice: {deeds:?}")),
            _ if 1 < deeds.before => Err(format!("`before` ran twice: {deeds:?}")),
            _ if 1 < deeds.charged => Err(format!("the step began twice: {deeds:?}")),
            _ => Ok(()),
        }
    }

    /// Whoever asks is told the same, and it is what was answered.
    fn check(&mut self, reply: &Reply) -> Result<(), Violation> {
        match reply {
            Reply::Asks(State { asks: Asks::Sure(seat), .. }) => return self.is_seat(seat),
            Reply::Done(_) | Reply::Failed(_) => {}
            _ => return Ok(()),
        }
        let result = self.told.result.get_or_insert_with(|| reply.clone());
        if result != reply {
            return Err(format!("two results are told: {result:?} and {reply:?}"));
        }
        match reply {
            Reply::Done(text) => self.is_done(text),
            Reply::Failed(text) if self.told.excuses(text) => Ok(()),
            // A question has its time, be its state sealed again or not.
            Reply::Failed(text) if text.starts_with("no answer within") && self.excuses.late() => Ok(()),
            Reply::Failed(text) if text.starts_with("the step `charge` was begun before") && self.excuses.trouble() => {
                Ok(())
            }
            _ => Err(format!("nothing has led to this: {reply:?}")),
        }
    }

    fn is_done(&mut self, text: &str) -> Result<(), Violation> {
        let mut words = text.split(' ');
        let (Some(seat), Some(sure)) = (words.next(), words.next()) else { return Err(format!("a result: {text}")) };
        let begun = self.common.deeds.lock().unwrap().begun.clone();
        if self.common.kind == Kind::Book && begun != [format!("{seat} {sure}")] {
            return Err(format!("the result is {text}, and `after` began with {begun:?}"));
        }
        if !sure.parse().is_ok_and(|sure| self.told.sures.contains(&sure)) {
            return Err(format!("nobody answered what the result says: {text}"));
        }
        self.is_seat(seat)
    }

    fn is_seat(&mut self, seat: &str) -> Result<(), Violation> {
        let first = self.told.seat.get_or_insert_with(|| seat.to_owned());
        if first != seat {
            return Err(format!("two seats are taken: {first} and {seat}"));
        }
        if self.told.seats.contains(seat) { Ok(()) } else { Err(format!("nobody wanted the seat {seat}")) }
    }

    /// What reaches the client it comes back with.
    fn hear(&mut self, reply: Reply, lost: bool) {
        if let Reply::Asks(state) = reply
            && !lost
        {
            self.states.retain(|known| *known != state);
            self.states.push(state);
        }
    }
}

impl Excuses {
    /// Whether something may have begun of which nobody has heard again.
    fn trouble(&self) -> bool {
        self.killed || self.stalled || self.ledger_failed || self.ahead
    }

    /// Whether a state may be past its time.
    fn late(&self) -> bool {
        self.ahead || FUTURE_KEPT <= self.passed
    }
}

impl Told {
    /// Whether a call may have failed with this.
    fn excuses(&self, failure: &str) -> bool {
        match failure {
            "the user declined" => 1 <= self.declined,
            // The reason follows. It is asked again once.
            _ if failure.starts_with("the answer does not fit") => 2 <= self.unfit,
            "the client came back without an answer" => 3 <= self.missing,
            _ => false,
        }
    }
}
