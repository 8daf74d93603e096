//! The table that tells which clients get notices about which topics.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use tokio::runtime::Handle;

use super::{subscriber::Subscriber, topic::Topic};
use crate::{
    call::{Outlet, owner::Owner},
    protocol::error::RpcError,
};

/// How many subscriptions one client can have at once.
pub(super) const MOST_SUBSCRIPTIONS: usize = 256;

/// The subscribers of each topic, and the topics that have changed.
#[derive(Default)]
pub(super) struct SubscriptionTable {
    topics: HashMap<Topic, TopicSubscribers>,
    /// The topics that have changed since the last delivery.
    changed: Vec<Topic>,
    /// Whether a tokio task that delivers notices was started and has not ended.
    pub(super) is_delivering: bool,
    /// The subscribers that a request of `subscriptions/listen` made, by number.
    listening: HashMap<u64, Arc<Subscriber>>,
    /// How many subscriptions each client has.
    clients: HashMap<ClientKey, usize>,
    last_number: u64,
}

#[derive(Default)]
struct TopicSubscribers {
    /// How often the topic has changed while it had subscribers.
    version: u64,
    /// Whether the topic is in the list of changed topics.
    is_changed: bool,
    /// The subscribers by number, each with the last version that it knows.
    subscribers: HashMap<u64, (Arc<Subscriber>, u64)>,
}

/// Identifies a client, to count its subscriptions.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum ClientKey {
    Owner(Owner),
    /// A client without an owner, by the address of its outlet.
    Connection(usize),
}

impl SubscriptionTable {
    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Adds a subscriber to a topic. The subscriber gets a notice for each change from now on.
    pub(super) fn subscribe(&mut self, subscriber: &Arc<Subscriber>, topic: Topic) {
        let of_topic = self.topics.entry(topic).or_default();
        let version = of_topic.version;
        of_topic.subscribers.entry(subscriber.number).or_insert_with(|| (Arc::clone(subscriber), version));
    }

    pub(super) fn unsubscribe(&mut self, subscriber: &Subscriber, topic: &Topic) {
        let Some(of_topic) = self.topics.get_mut(topic) else { return };
        of_topic.subscribers.remove(&subscriber.number);
        if of_topic.subscribers.is_empty() {
            self.topics.remove(topic);
        }
    }

    /// Counts a new subscription against the limit of its client, and adds the subscriber.
    ///
    /// # Errors
    /// Returns an error if the client has too many subscriptions.
    pub(super) fn begin_listening(&mut self, client: &ClientKey, subscriber: &Arc<Subscriber>) -> Result<(), RpcError> {
        let count = self.clients.entry(client.clone()).or_default();
        if *count >= MOST_SUBSCRIPTIONS {
            return Err(RpcError::too_many(&format!(
                "you have reached your limit of {MOST_SUBSCRIPTIONS} subscriptions; end one, or name several kinds of \
                 notifications in one request"
            )));
        }
        *count += 1;
        self.listening.insert(subscriber.number, Arc::clone(subscriber));
        Ok(())
    }

    pub(super) fn end_listening(&mut self, client: &ClientKey, subscriber: &Subscriber) {
        self.listening.remove(&subscriber.number);
        if let Entry::Occupied(mut count) = self.clients.entry(client.clone()) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }

    pub(super) fn listening(&self) -> impl Iterator<Item = &Arc<Subscriber>> {
        self.listening.values()
    }

    /// Records a change of the topic. Returns the tokio runtime of one of the topic's subscribers, or `None` if the
    /// topic has no subscriber.
    pub(super) fn change(&mut self, topic: &Topic) -> Option<Handle> {
        let of_topic = self.topics.get_mut(topic)?;
        of_topic.version += 1;
        if !std::mem::replace(&mut of_topic.is_changed, true) {
            self.changed.push(topic.clone());
        }
        of_topic.subscribers.values().next().map(|(subscriber, _)| subscriber.runtime.clone())
    }

    /// Returns the subscribers that must get a notice, each with the topic of the notice.
    pub(super) fn take_due(&mut self) -> Vec<(Arc<Subscriber>, Topic)> {
        let mut due = Vec::new();
        for topic in std::mem::take(&mut self.changed) {
            let Some(of_topic) = self.topics.get_mut(&topic) else { continue };
            of_topic.is_changed = false;
            for (subscriber, known) in of_topic.subscribers.values_mut().filter(|(_, known)| *known < of_topic.version)
            {
                *known = of_topic.version;
                due.push((Arc::clone(subscriber), topic.clone()));
            }
        }
        due
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }
}

impl ClientKey {
    pub(super) fn new(owner: Option<&Owner>, outlet: &Arc<dyn Outlet>) -> Self {
        match owner {
            Some(owner) => Self::Owner(owner.clone()),
            None => Self::Connection(Arc::as_ptr(outlet).cast::<()>() as usize),
        }
    }
}
