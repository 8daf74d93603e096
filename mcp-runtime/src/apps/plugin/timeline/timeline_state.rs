//! The events of one timeline, and what is dropped when it grows long.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::entry::{EventContent, EventWeight, TimelineEntry};

/// The maximum number of log messages that are kept for a call. The oldest ones are dropped.
const MOST_LOGS: usize = 500;
/// The maximum number of bytes of log messages that are kept for a call.
const MOST_LOG_BYTES: usize = 128 * 1024;
/// The same while the budget of the host is used up.
const FEW_LOG_BYTES: usize = 4 * 1024;

/// Whether followers see an event at once, or after [`show`](super::Timeline::show).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EventVisibility {
    Shown,
    Hidden,
}

pub(crate) struct TimelineState {
    pub(crate) entries: VecDeque<TimelineEntry>,
    /// The id of the next event.
    pub(crate) next: u64,
    /// Events with this id or a larger one are not visible yet. They become visible when they are stored.
    pub(crate) hidden_from: Option<u64>,
    pub(crate) is_over: bool,
    logs: usize,
    pub(crate) log_bytes: usize,
    /// The bytes of all events that are not log messages.
    pub(crate) bytes: usize,
    /// The most bytes of all events that are not log messages.
    most: usize,
    budget: Arc<LogBudget>,
}

/// The bytes of the log messages of all calls of a host. While it is used up, each call keeps only a few of them.
pub(crate) struct LogBudget {
    used: AtomicUsize,
    most: usize,
}

/// An event does not fit in the timeline.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("it has {bytes} bytes, and the timeline of a call has room for {most}")]
pub(crate) struct TooLong {
    pub(crate) bytes: usize,
    pub(crate) most: usize,
}

impl TimelineState {
    pub(crate) fn new(most: usize, budget: Arc<LogBudget>) -> Self {
        Self {
            entries: VecDeque::new(),
            next: 1,
            hidden_from: None,
            is_over: false,
            logs: 0,
            log_bytes: 0,
            bytes: 0,
            most,
            budget,
        }
    }

    /// Appends a new event.
    ///
    /// # Errors
    /// See [`insert`](Self::insert).
    pub(super) fn append(
        &mut self,
        name: &'static str,
        content: EventContent,
        visibility: EventVisibility,
    ) -> Result<(), TooLong> {
        let id = self.next;
        self.insert(TimelineEntry { id, name: name.into(), content })?;
        self.next += 1;
        if visibility == EventVisibility::Hidden {
            self.hidden_from.get_or_insert(id);
        }
        Ok(())
    }

    /// Appends an event with its id, and drops events that are too old.
    ///
    /// # Errors
    /// Returns an error if the event would not fit even if all events were dropped that may be. Nothing is changed then.
    pub(crate) fn insert(&mut self, entry: TimelineEntry) -> Result<(), TooLong> {
        let (length, weight) = (entry.length(), entry.weight());
        match weight {
            EventWeight::Log => {
                self.logs += 1;
                self.log_bytes += length;
                self.budget.used.fetch_add(length, Ordering::Relaxed);
                self.entries.push_back(entry);
                let most = self.budget.for_one_call();
                while self.logs > MOST_LOGS || self.log_bytes > most {
                    self.drop_oldest(|entry| entry.weight() == EventWeight::Log);
                }
                return Ok(());
            }
            EventWeight::Progress => self.drop_oldest(|entry| entry.weight() == EventWeight::Progress),
            _ => {}
        }
        let open = match weight {
            EventWeight::Answer => self.entries.iter().rev().find(|entry| entry.weight() == EventWeight::Elicit),
            _ => None,
        };
        let open = open.map(|elicit| elicit.id);
        let can_go = |entry: &TimelineEntry| match entry.weight() {
            EventWeight::Elicit => Some(entry.id) != open,
            EventWeight::Answer => true,
            _ => false,
        };
        if self.bytes + length > self.most && weight != EventWeight::End {
            let stay = self.entries.iter().filter(|entry| entry.weight() != EventWeight::Log && !can_go(entry));
            if stay.map(TimelineEntry::length).sum::<usize>() + length > self.most {
                return Err(TooLong { bytes: length, most: self.most });
            }
            while self.bytes + length > self.most {
                self.drop_oldest(can_go);
            }
        }
        self.bytes += length;
        self.entries.push_back(entry);
        Ok(())
    }

    /// Returns the events that followers see, with ids above `after`.
    pub(crate) fn visible_after(&self, after: u64) -> impl DoubleEndedIterator<Item = &TimelineEntry> {
        let start = self.entries.partition_point(|entry| entry.id <= after);
        let end = self
            .hidden_from
            .map_or(self.entries.len(), |hidden| self.entries.partition_point(|entry| entry.id < hidden));
        self.entries.range(start.min(end)..end)
    }

    pub(crate) fn replace_first(&mut self, text: Arc<str>) {
        if let Some(first) = self.entries.front_mut() {
            self.bytes = self.bytes - first.length() + text.len();
            first.content = EventContent::Text(text);
        }
    }

    fn drop_oldest(&mut self, can_go: impl Fn(&TimelineEntry) -> bool) {
        let oldest = self.entries.iter().position(can_go);
        let Some(entry) = oldest.and_then(|index| self.entries.remove(index)) else { return };
        let length = entry.length();
        if entry.weight() == EventWeight::Log {
            self.logs -= 1;
            self.log_bytes -= length;
            self.budget.used.fetch_sub(length, Ordering::Relaxed);
        } else {
            self.bytes -= length;
        }
    }
}

impl Drop for TimelineState {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.log_bytes, Ordering::Relaxed);
    }
}

impl LogBudget {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { used: AtomicUsize::new(0), most })
    }

    fn for_one_call(&self) -> usize {
        if self.used.load(Ordering::Relaxed) > self.most { FEW_LOG_BYTES } else { MOST_LOG_BYTES }
    }
}
