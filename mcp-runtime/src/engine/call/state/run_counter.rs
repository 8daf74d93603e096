//! Counts the runs of code that must run once.

use std::{collections::BTreeMap, fmt};

use crate::base::mutex::Mutex;

/// The number of runs of each phase or step, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunCounts(BTreeMap<String, usize>);

/// Counts the runs of phases and steps in all calls of a server. The module `testing` reads the counts.
#[derive(Debug, Default)]
pub(crate) struct RunCounter(Mutex<RunCounts>);

impl RunCounter {
    /// Counts a run of a phase or step.
    pub(crate) fn note(&self, name: String) {
        *self.0.lock().0.entry(name).or_default() += 1;
    }

    pub(crate) fn take(&self) -> RunCounts {
        std::mem::take(&mut *self.0.lock())
    }
}

impl RunCounts {
    #[cfg(all(test, feature = "dev"))]
    pub(crate) fn counted(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(name, runs)| (&**name, *runs))
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (name, runs) in other.0 {
            *self.0.entry(name).or_default() += runs;
        }
    }

    /// Returns the name of a phase or step that ran more than once, if there is one.
    pub(crate) fn repeated(&self) -> Option<&str> {
        self.0.iter().find_map(|(name, runs)| (*runs > 1).then_some(&**name))
    }
}

impl fmt::Display for RunCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (index, (name, runs)) in self.0.iter().enumerate() {
            let times = if *runs == 1 { "once".to_owned() } else { format!("{runs} times") };
            write!(f, "{}{name} {times}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
