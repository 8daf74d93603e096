//! The log of all messages between the page's client, or a host, and the server. It is bounded in bytes: the oldest
//! messages are dropped first.

mod entry;
mod filter;
#[cfg(test)]
mod tests;

use std::{collections::VecDeque, sync::Arc};

use tokio::sync::Notify;

pub(crate) use self::entry::NewMessage;
use self::{
    entry::LogEntry,
    filter::{FilterIndex, MessageFilter},
};
use super::api::message::{MessagePage, MessageQuery, MessageSummary, WireMessage};
use crate::base::mutex::Mutex;

/// How many bytes all messages can take together.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// How many filters have an index.
const MOST_INDEXES: usize = 8;

/// The number of messages of a page, if the query names none, and the largest number.
const PAGE: usize = 100;
const LARGEST_PAGE: usize = 500;

pub(crate) struct MessageLog {
    state: Mutex<LogState>,
    /// Notified when a message was added.
    pub(crate) changed: Notify,
}

struct LogState {
    /// The number of the first message that is kept. Numbers begin with 1.
    first: u64,
    entries: VecDeque<LogEntry>,
    bytes: usize,
    most_bytes: usize,
    /// The indexes of the filters that were last used, the latest one last. So a page that scrolls, or follows new
    /// messages, does not search all texts again.
    indexes: Vec<FilterIndex>,
}

impl Default for MessageLog {
    fn default() -> Self {
        Self::with_limit(MOST_BYTES)
    }
}

impl MessageLog {
    fn with_limit(most_bytes: usize) -> Self {
        let state = LogState { first: 1, entries: VecDeque::new(), bytes: 0, most_bytes, indexes: Vec::new() };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Adds a message. Returns its number.
    pub(crate) fn push(&self, message: NewMessage<'_>) -> u64 {
        self.push_entry(LogEntry::new(message))
    }

    /// Adds a message between a host and the server. Returns its number.
    pub(crate) fn push_of_host(&self, host: &Arc<str>, message: NewMessage<'_>) -> u64 {
        self.push_entry(LogEntry::new(message).of_host(host))
    }

    fn push_entry(&self, entry: LogEntry) -> u64 {
        let mut state = self.state.lock();
        let n = state.end();
        state.add(entry);
        drop(state);
        self.changed.notify_waiters();
        n
    }

    /// Adds a message of an earlier session. The first one decides the numbers.
    pub(crate) fn restore(&self, message: WireMessage) {
        let mut state = self.state.lock();
        if state.entries.is_empty() && state.first == 1 {
            state.first = message.summary.n.max(1);
        }
        state.add(LogEntry::restored(message));
    }

    /// Adds what HTTP says about a message: its URL and headers.
    pub(crate) fn set_request(&self, n: u64, url: &str, headers: Vec<(String, String)>) {
        self.change(n, |entry| {
            entry.url = Some(url.into());
            entry.headers = headers.into();
        });
    }

    /// Adds the status and the headers of the response with this message.
    pub(crate) fn set_response(&self, n: u64, status: u16, headers: Vec<(String, String)>) {
        self.change(n, |entry| {
            entry.status = Some(status);
            entry.headers = headers.into();
        });
    }

    fn change(&self, n: u64, change: impl FnOnce(&mut LogEntry)) {
        let mut state = self.state.lock();
        let Some(at) = state.position(n) else { return };
        let entry = &mut state.entries[at];
        let before = entry.bytes();
        change(entry);
        let after = entry.bytes();
        state.bytes = state.bytes + after - before;
        state.drop_oldest();
    }

    /// Returns how many messages are kept, and how many earlier ones were dropped.
    pub(crate) fn totals(&self) -> (usize, u64) {
        let state = self.state.lock();
        (state.entries.len(), state.first - 1)
    }

    /// Returns the message with this number, if it is kept.
    pub(crate) fn get(&self, n: u64) -> Option<WireMessage> {
        let state = self.state.lock();
        Some(state.entries[state.position(n)?].whole(n))
    }

    /// Returns the first `count` kept messages from this number on.
    pub(crate) fn from(&self, n: u64, count: usize) -> Vec<WireMessage> {
        let state = self.state.lock();
        let start = n.max(state.first);
        (start..state.end()).take(count).map(|n| state.entries[(n - state.first) as usize].whole(n)).collect()
    }

    /// Returns the first kept messages with a number above this one.
    pub(crate) fn after(&self, n: u64) -> Vec<MessageSummary> {
        let state = self.state.lock();
        let start = (n + 1).max(state.first);
        (start..state.end()).take(LARGEST_PAGE).map(|n| state.entries[(n - state.first) as usize].summary(n)).collect()
    }

    /// Returns the first request of a call that was sent.
    pub(crate) fn first_of(&self, call: &str) -> Option<WireMessage> {
        let query = MessageQuery {
            call: Some(call.to_owned()),
            direction: Some(super::api::message::Direction::Sent),
            from: Some(0),
            count: Some(1),
            ..MessageQuery::default()
        };
        self.get(self.query(&query).messages.first()?.n)
    }

    /// Returns a part of the log.
    pub(crate) fn query(&self, query: &MessageQuery) -> MessagePage {
        let mut state = self.state.lock();
        let count = query.count.unwrap_or(PAGE).clamp(1, LARGEST_PAGE);
        let filter = MessageFilter::of(query);
        let found = (!filter.is_empty()).then(|| state.index(filter));
        let matching = found.map_or(state.entries.len(), |index| state.indexes[index].len());
        let n_at = |at: usize| found.map_or(state.first + at as u64, |index| state.indexes[index].n_at(at));
        let last = matching.saturating_sub(count);
        let from = match (query.from, query.around) {
            (_, Some(n)) => {
                let at = match found {
                    Some(index) => state.indexes[index].position(n),
                    None => n.saturating_sub(state.first) as usize,
                };
                at.saturating_sub(count / 2).min(last)
            }
            (Some(from), None) => from.min(matching),
            (None, None) => last,
        };
        let messages = (from..matching.min(from + count)).map(|at| {
            let n = n_at(at);
            state.entries[(n - state.first) as usize].summary(n)
        });
        let messages = messages.collect();
        MessagePage { total: state.entries.len(), dropped: state.first - 1, matching, from, messages }
    }
}

impl LogState {
    /// Returns the number of the next message.
    fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    fn position(&self, n: u64) -> Option<usize> {
        let at = usize::try_from(n.checked_sub(self.first)?).ok()?;
        (at < self.entries.len()).then_some(at)
    }

    fn add(&mut self, entry: LogEntry) {
        self.bytes += entry.bytes();
        self.entries.push_back(entry);
        self.drop_oldest();
    }

    fn drop_oldest(&mut self) {
        while self.bytes > self.most_bytes
            && let Some(entry) = self.entries.pop_front()
        {
            self.bytes -= entry.bytes();
            self.first += 1;
        }
    }

    /// Returns the place of the index of this filter, which contains all messages.
    fn index(&mut self, filter: MessageFilter) -> usize {
        let known = self.indexes.iter().position(|index| index.filter == filter);
        let mut index = match known {
            Some(at) => self.indexes.remove(at),
            None => FilterIndex::new(filter),
        };
        index.update(self.first, &self.entries);
        if self.indexes.len() == MOST_INDEXES {
            self.indexes.remove(0);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }
}

/// Shares a log between the parts of a session.
pub(crate) type SharedLog = Arc<MessageLog>;
