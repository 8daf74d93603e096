//! Compares the calls of a test in one mode with the calls of the same test in the first mode.

use std::{any::Any, fmt::Debug, panic::Location, sync::Arc};

use super::difference::{Alike, Difference};
use crate::{
    base::mutex::Mutex,
    edge::testing::{
        compare,
        observed::outcome::Outcome,
        script::request::{Misfit, ScriptedRequest},
    },
    engine::call::run_counter::RunCounts,
    wire::protocol::capability::Capabilities,
};

/// A test in one mode. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Trial(Arc<Comparison>);

struct Comparison {
    mode: String,
    /// Whether the server replays calls in this mode.
    replays: bool,
    notes: Mutex<Notes>,
    /// The same test in the first mode. `None` if this is the first mode.
    first: Option<Trial>,
}

#[derive(Default)]
struct Notes {
    /// The calls, in the order in which they began. A call that is running or was dropped is `None`.
    calls: Vec<Option<Called>>,
    values: Vec<Compared>,
}

/// A call that has ended.
pub(crate) struct Called {
    pub(crate) request: ScriptedRequest,
    pub(crate) outcome: Outcome,
    /// Why the test fails, whatever the other modes do.
    pub(crate) misfit: Option<Misfit>,
    pub(crate) runs: RunCounts,
    pub(crate) replayable: bool,
    pub(crate) requires: Capabilities,
}

/// A value that the test compares.
struct Compared {
    name: String,
    shown: String,
    value: Box<dyn Any + Send>,
}

impl Trial {
    pub(crate) fn new(mode: String, replays: bool, first: Option<Self>) -> Self {
        Self(Arc::new(Comparison { mode, replays, notes: Mutex::default(), first }))
    }

    pub(crate) fn mode(&self) -> &str {
        &self.0.mode
    }

    /// Records that a call begins. Returns its index.
    pub(crate) fn begin_call(&self) -> usize {
        let mut notes = self.0.notes.lock();
        notes.calls.push(None);
        notes.calls.len() - 1
    }

    /// Records that a call has ended. Fails if the call differs from the same call in the first mode. The test panics
    /// with the error as its message.
    pub(crate) fn end_call(&self, place: usize, called: Called) -> Result<(), String> {
        let differs = self.differs(place, &called);
        self.0.notes.lock().calls[place] = Some(called);
        differs.map_or(Ok(()), Err)
    }

    /// Compares a value with the value in the first mode. If the values differ, the test panics with the error as its
    /// message.
    pub(crate) fn compare<T: PartialEq + Debug + Send + 'static>(
        &self,
        name: &str,
        value: T,
        at: &Location<'_>,
    ) -> Result<(), String> {
        let shown = format!("{value:?}");
        let of_name = |notes: &Notes| notes.values.iter().filter(|value| value.name == name).count();
        let place = of_name(&self.0.notes.lock());
        let differs = self.0.first.as_ref().and_then(|first| {
            let notes = first.0.notes.lock();
            let same = notes.values.iter().filter(|value| value.name == name).nth(place);
            let Some(same) = same else {
                let (here, there) = (self.mode(), first.mode());
                return Some(format!("`{name}` ({at}) is compared in the mode `{here}`, but not in `{there}`"));
            };
            if same.value.downcast_ref() == Some(&value) {
                return None;
            }
            let difference = Difference::new("", &same.shown, &shown).shown([first.mode(), self.mode()]);
            let call = notes.calls.len().checked_sub(1);
            drop(notes);
            let advice = self.advice();
            Some(format!("`{name}` ({at}) differs between modes\n{difference}\n{advice}{}", self.transcripts(call)))
        });
        self.0.notes.lock().values.push(Compared { name: name.to_owned(), shown, value: Box::new(value) });
        differs.map_or(Ok(()), Err)
    }

    /// Ends the test in this mode. Fails if the number of calls or of compared values differs from the first mode. The
    /// test then panics with the error as its message.
    pub(crate) fn end(&self) -> Result<(), String> {
        let Some(first) = &self.0.first else { return Ok(()) };
        let counts = |trial: &Self| {
            let notes = trial.0.notes.lock();
            format!("{} calls, {} values compared", notes.calls.len(), notes.values.len())
        };
        let (there, here) = (counts(first), counts(self));
        if there == here {
            return Ok(());
        }
        let difference = Difference::new("", &there, &here).shown([first.mode(), self.mode()]);
        Err(format!("the number of calls or compared values differs between modes\n{difference}"))
    }

    pub(crate) fn has_no_calls(&self) -> bool {
        self.0.notes.lock().calls.is_empty()
    }

    /// Whether the closure `is` returns true for all calls that have ended.
    pub(crate) fn all_calls(&self, is: impl FnMut(&Called) -> bool) -> bool {
        self.0.notes.lock().calls.iter().flatten().all(is)
    }

    fn differs(&self, place: usize, called: &Called) -> Option<String> {
        let (ScriptedRequest { target, at, .. }, mode) = (&called.request, self.mode());
        if let Some(name) = called.runs.repeated() {
            let runs = &called.runs;
            return Some(format!("{name} ran more than once in the {target} ({at}) in the mode `{mode}`: {runs}"));
        }
        // Other misfits are reported separately.
        let comparable = matches!(&called.misfit, None | Some(Misfit::Script(_)));
        let trial = self.0.first.as_ref().filter(|_| comparable)?;
        let notes = trial.0.notes.lock();
        let Some(Some(first)) = notes.calls.get(place) else {
            let there = trial.mode();
            return Some(format!("the {target} ({at}) is made in the mode `{mode}`, but not in `{there}`"));
        };
        let difference = first.difference(called)?;
        drop(notes);
        let shown = difference.shown([trial.mode(), mode]);
        let advice = self.advice();
        let said = said([(trial.mode(), &transcript(trial, place)), (mode, &called.outcome.transcript.in_brief())]);
        Some(format!("the {target} ({at}) differs between modes in {}\n{shown}\n{advice}{said}", difference.what))
    }

    fn advice(&self) -> &'static str {
        if self.0.replays { AGAIN } else { OTHERWISE }
    }

    /// Returns the transcripts of a call in this mode and in the first mode.
    fn transcripts(&self, call: Option<usize>) -> String {
        let (Some(first), Some(call)) = (&self.0.first, call) else { return String::new() };
        said([(first.mode(), &transcript(first, call)), (self.mode(), &transcript(self, call))])
    }
}

/// Advice for a difference in a mode with replays.
const AGAIN: &str = "code outside `before`, `after` and `ctx.step(…)` runs again in a replay, so it must depend only \
     on the arguments, the handoff and the answers; get other values from `ctx.now()`, `ctx.random()` or `ctx.step(…)`";

/// Advice for a difference in a mode without replays.
const OTHERWISE: &str = "a clock, a random number and the order of a `HashMap` differ in every call, and the client's \
     revision differs between modes; if that is intended, mark the call with `.varies()`, and compare the rest with \
     `mode.same(…)`";

fn said(modes: [(&str, &str); 2]) -> String {
    modes.map(|(mode, said)| format!("\n\nmessages in the mode `{mode}`:\n{}", said.trim_end())).concat()
}

fn transcript(trial: &Trial, call: usize) -> String {
    let notes = trial.0.notes.lock();
    notes
        .calls
        .get(call)
        .and_then(Option::as_ref)
        .map(|called| called.outcome.transcript.in_brief())
        .unwrap_or_default()
}

impl Called {
    /// Returns how the same call differs in another mode.
    fn difference(&self, other: &Self) -> Option<Difference> {
        let (target, other_target) = (&self.request.target, &other.request.target);
        if target.registered() != other_target.registered() {
            return Some(Difference::new("what is requested", target, other_target));
        }
        if let found @ Some(_) = self.difference_of_questions(other) {
            return found;
        }
        // A call that ended too early is reported separately.
        if self.misfit.is_some() || other.misfit.is_some() {
            return None;
        }
        if self.runs != other.runs {
            return Some(Difference::new("what ran", &self.runs, &other.runs));
        }
        if self.request.varies {
            return None;
        }
        let [first, second] = [&self.outcome, &other.outcome];
        compare::answers(&first.answer, &second.answer, [first.revision, second.revision])
    }

    fn difference_of_questions(&self, other: &Self) -> Option<Difference> {
        let alike = Alike::between(self.outcome.revision, other.outcome.revision);
        let compared = |first, second| compare::questions(first, second, alike).filter(|_| !self.request.varies);
        let mut more: Vec<_> = other.outcome.asked.iter().collect();
        let mut missing = Vec::new();
        for asked in &self.outcome.asked {
            let Some(index) = more.iter().position(|other| other.key() == asked.key()) else {
                missing.push(asked);
                continue;
            };
            if let found @ Some(_) = compared(asked, more.remove(index)) {
                return found;
            }
        }
        let whether = |key: &str| format!("whether the question `{key}` is asked");
        if let Some(more) = more.first() {
            let before = self.outcome.asked.iter().filter(|asked| asked.key() == more.key());
            let found = before.filter_map(|asked| compared(asked, more)).next();
            return found.or_else(|| {
                Some(Difference::new(whether(more.key()), &"it is not asked, or asked fewer times", &more))
            });
        }
        let missing = missing.first()?;
        Some(Difference::new(whether(missing.key()), &missing, &"it is not asked"))
    }
}
