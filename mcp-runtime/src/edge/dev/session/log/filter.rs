//! Which messages of the log match a query.

use std::collections::VecDeque;

use memchr::memmem::Finder;

use super::entry::LogEntry;
use crate::edge::dev::session::api::message::{Direction, MessageQuery};

/// What all messages of an answer have in common.
#[derive(Clone, PartialEq)]
pub(super) struct MessageFilter {
    text: Option<String>,
    direction: Option<Direction>,
    method: Option<String>,
    call: Option<String>,
}

/// The numbers of all messages that match a filter.
pub(super) struct FilterIndex {
    pub(super) filter: MessageFilter,
    matches: VecDeque<u64>,
    /// The number of the first message that was not compared yet.
    next: u64,
    /// How many messages were compared.
    #[cfg(test)]
    pub(super) compared: usize,
}

impl MessageFilter {
    pub(super) fn of(query: &MessageQuery) -> Self {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Self {
            text: given(&query.text),
            direction: query.direction,
            method: given(&query.method),
            call: given(&query.call),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let Self { text, direction, method, call } = self;
        text.is_none() && direction.is_none() && method.is_none() && call.is_none()
    }
}

impl FilterIndex {
    pub(super) fn new(filter: MessageFilter) -> Self {
        Self {
            filter,
            matches: VecDeque::new(),
            next: 0,
            #[cfg(test)]
            compared: 0,
        }
    }

    /// Compares the messages that were not compared yet. `first` is the number of the first one of `entries`.
    pub(super) fn update(&mut self, first: u64, entries: &VecDeque<LogEntry>) {
        while self.matches.front().is_some_and(|n| *n < first) {
            self.matches.pop_front();
        }
        let MessageFilter { text, direction, method, call } = &self.filter;
        let text = text.as_deref().map(Finder::new);
        let start = self.next.max(first);
        for (n, entry) in (start..).zip(entries.range((start - first) as usize..)) {
            let matches = direction.is_none_or(|direction| entry.direction == direction)
                && method.as_deref().is_none_or(|method| entry.kind == method)
                && call.as_deref().is_none_or(|call| entry.call.as_deref() == Some(call))
                && text.as_ref().is_none_or(|text| text.find(entry.text.as_bytes()).is_some());
            if matches {
                self.matches.push_back(n);
            }
            #[cfg(test)]
            {
                self.compared += 1;
            }
        }
        self.next = first + entries.len() as u64;
    }

    pub(super) fn len(&self) -> usize {
        self.matches.len()
    }

    pub(super) fn n_at(&self, at: usize) -> u64 {
        self.matches[at]
    }

    /// Returns the position of the first matching message with this number or a later one.
    pub(super) fn position(&self, n: u64) -> usize {
        self.matches.partition_point(|match_| *match_ < n)
    }
}
