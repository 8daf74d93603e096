//! A call that another call makes. It has no record of its own: its questions and steps are those of its caller.

use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use super::{Call, call_target::CallTarget};

/// How many calls can be inside each other, without the outermost.
pub(crate) const MOST_LEVELS: u32 = 8;

/// A call within a call. Its state is that of the outermost call, which the client made.
pub(crate) struct NestedCall {
    pub(crate) tool: Arc<dyn CallTarget>,
    /// The names of the calls from the outermost to this one, such as `plan_trip#2/book_flight`. The keys of its
    /// questions and steps begin with it.
    path: Box<str>,
    level: u32,
    /// The steps that run now, with those of the calls inside this one.
    pub(crate) steps: RunningSteps,
    /// Whether an earlier round has begun this call, and the server runs it again.
    pub(crate) is_resumed: bool,
    /// Whether the caller has dropped this call. A step that has begun still runs to its end.
    is_dropped: AtomicBool,
}

impl NestedCall {
    /// Records that the caller has dropped this call.
    pub(crate) fn set_dropped(&self) {
        self.is_dropped.store(true, Ordering::Relaxed);
    }

    /// Whether the caller has dropped this call.
    pub(crate) fn is_dropped(&self) -> bool {
        self.is_dropped.load(Ordering::Relaxed)
    }

    /// Whether this call, or one around it, was dropped, and none of its steps runs any more.
    pub(crate) fn is_over(&self) -> bool {
        self.is_dropped() && !self.steps.is_running() || self.steps.outer.as_ref().is_some_and(|outer| outer.is_over())
    }
}

/// How many steps of a nested call run now.
pub(crate) struct RunningSteps {
    count: AtomicUsize,
    /// The steps of the call around it.
    outer: Option<Arc<NestedCall>>,
}

impl RunningSteps {
    pub(crate) fn enter(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.outer.iter().for_each(|outer| outer.steps.enter());
    }

    pub(crate) fn leave(&self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
        self.outer.iter().for_each(|outer| outer.steps.leave());
    }

    pub(crate) fn is_running(&self) -> bool {
        self.count.load(Ordering::Relaxed) > 0
    }
}

impl Call {
    /// Creates a call of `tool` within this call. Returns `None` if too many calls are inside each other.
    pub(crate) fn nest(&self, tool: Arc<dyn CallTarget>) -> Option<Self> {
        let level = self.level() + 1;
        if level > MOST_LEVELS {
            return None;
        }
        let path = self.0.conversation.reserve_as("call", &self.key(tool.name())).into();
        let is_resumed = self.0.conversation.is_replaying();
        let steps = RunningSteps { count: AtomicUsize::new(0), outer: self.1.clone() };
        let nested = NestedCall { tool, path, level, steps, is_resumed, is_dropped: AtomicBool::new(false) };
        Some(Self(Arc::clone(&self.0), Some(Arc::new(nested))))
    }

    /// Returns the key of a question, a step or a call of this call: its name, behind the path of a nested call.
    pub(crate) fn key<'n>(&self, name: impl Into<Cow<'n, str>>) -> Cow<'n, str> {
        match &self.1 {
            Some(nested) => format!("{}/{}", nested.path, name.into()).into(),
            None => name.into(),
        }
    }

    /// Returns the nested call, or `None` if the client made this call.
    pub(crate) fn nested(&self) -> Option<&NestedCall> {
        self.1.as_deref()
    }

    /// Returns how many calls are around this one.
    pub(crate) fn level(&self) -> u32 {
        self.1.as_ref().map_or(0, |nested| nested.level)
    }

    /// Returns the called tool, or the called item of another method, such as a prompt.
    pub(crate) fn target(&self) -> &Arc<dyn CallTarget> {
        self.1.as_ref().map_or(&self.0.tool, |nested| &nested.tool)
    }

    /// Returns whether the phases and steps of the call are allowed to run twice; by default they run once.
    pub(crate) fn may_run_again(&self) -> bool {
        self.target().may_run_again()
    }
}
