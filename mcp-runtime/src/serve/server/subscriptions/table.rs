//! The table that tells which clients get notices about which topics.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use tokio::runtime::Handle;

use super::{subscriber::Subscriber, topic::Topic};
use crate::{
    base::owned::{Amount, AmountLimits, OwnedEntries},
    engine::call::{MessageSink, Owner},
    wire::protocol::error::RpcError,
};

/// How many resources the subscriptions of one client, and those of all clients, can name together, and the bytes of
/// their URIs.
const LIMITS: AmountLimits = AmountLimits {
    each: Amount { number: 10_000, bytes: 1024 * 1024 },
    all: Amount { number: 100_000, bytes: 16 * 1024 * 1024 },
};

/// A subscription counts as this many resources, in addition to those that it names.
pub(super) const SUBSCRIPTION: usize = 4;

/// The subscribers of each topic, and the topics that have changed.
pub(super) struct SubscriptionTable {
    topics: HashMap<Topic, TopicSubscribers>,
    /// The resources in `topics` whose URIs have a query, by the URIs without it. Such a resource changes with the one
    /// without the query, as the parts of a file change with the file.
    parts: HashMap<Box<str>, HashSet<Arc<str>>>,
    /// The topics that have changed since the last delivery.
    pub(super) changed: HashSet<Topic>,
    /// Whether a tokio task that delivers notices was started and has not ended.
    pub(super) is_delivering: bool,
    /// Whether the server is shutting down.
    pub(super) is_over: bool,
    /// The subscribers that a request of `subscriptions/listen` made, and the sessions that name resources.
    pub(super) held: OwnedEntries<ClientKey, Arc<Subscriber>>,
    last_number: u64,
}

#[derive(Default)]
struct TopicSubscribers {
    /// How often the topic has changed while it had subscribers.
    version: u64,
    /// The subscribers by number, each with the last version that it knows.
    subscribers: HashMap<u64, (Arc<Subscriber>, u64)>,
}

/// Identifies a client, to count its subscriptions.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum ClientKey {
    Owner(Owner),
    /// A client without an owner, by the address of its sink.
    Connection(usize),
}

impl Default for SubscriptionTable {
    fn default() -> Self {
        Self {
            topics: HashMap::new(),
            parts: HashMap::new(),
            changed: HashSet::new(),
            is_delivering: false,
            is_over: false,
            held: OwnedEntries::new(LIMITS),
            last_number: 0,
        }
    }
}

impl SubscriptionTable {
    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Adds a subscriber to a topic. The subscriber gets a notice for each change from now on.
    pub(super) fn subscribe(&mut self, subscriber: &Arc<Subscriber>, topic: Topic) {
        if let Some((whole, part)) = topic.as_part() {
            self.parts.entry(whole.into()).or_default().insert(Arc::clone(part));
        }
        let of_topic = self.topics.entry(topic).or_default();
        let version = of_topic.version;
        of_topic.subscribers.entry(subscriber.number).or_insert_with(|| (Arc::clone(subscriber), version));
    }

    /// Returns the URIs of the resources that have subscribers.
    #[cfg(feature = "remote")]
    pub(super) fn resources(&self) -> impl Iterator<Item = &Arc<str>> {
        self.topics.keys().filter_map(|topic| match topic {
            Topic::Resource(uri) => Some(uri),
            Topic::List(_) => None,
        })
    }

    pub(super) fn unsubscribe(&mut self, subscriber: &Subscriber, topic: &Topic) {
        let Some(of_topic) = self.topics.get_mut(topic) else { return };
        of_topic.subscribers.remove(&subscriber.number);
        if of_topic.subscribers.is_empty() {
            self.topics.remove(topic);
            self.forget_part(topic);
        }
    }

    fn forget_part(&mut self, topic: &Topic) {
        let Some((whole, part)) = topic.as_part() else { return };
        if let Some(parts) = self.parts.get_mut(whole) {
            parts.remove(part);
            if parts.is_empty() {
                self.parts.remove(whole);
            }
        }
    }

    /// Counts a new subscription against the limits. `most` is the maximum number of subscriptions of one client.
    /// Returns the place of the subscription.
    ///
    /// # Errors
    /// Returns an error if the server is shutting down, or if the client, or all clients together, have too many
    /// subscriptions.
    pub(super) fn begin_listening(
        &mut self,
        client: &ClientKey,
        subscriber: &Arc<Subscriber>,
        amount: Amount,
        most: usize,
    ) -> Result<u64, RpcError> {
        if self.is_over {
            return Err(RpcError::stopping());
        }
        if self.held.of(client).filter(|other| other.is_listening()).count() >= most {
            return Err(RpcError::too_many(&format!(
                "you have reached your limit of {most} subscriptions; end one, or name several kinds of \
                 notifications in one request"
            )));
        }
        self.make_room(client, amount)?;
        Ok(self.held.insert(client.clone(), amount, Arc::clone(subscriber)))
    }

    /// Counts what a session watches: `all`, of which `more` is new. Returns its place, which is `place` if it has one.
    ///
    /// # Errors
    /// Returns an error if the client, or all clients together, watch too much.
    pub(super) fn watch_more(
        &mut self,
        client: &ClientKey,
        subscriber: &Arc<Subscriber>,
        place: Option<u64>,
        [all, more]: [Amount; 2],
    ) -> Result<u64, RpcError> {
        self.make_room(client, if place.is_some() { more } else { all })?;
        match place {
            Some(place) => {
                self.held.resize(place, all);
                Ok(place)
            }
            None => Ok(self.held.insert(client.clone(), all, Arc::clone(subscriber))),
        }
    }

    /// Checks the limits for `more`. If all clients together have too much, ends the oldest requests of
    /// `subscriptions/listen` of the client that has most. The subscriptions of sessions stay, because a session is not
    /// told that one has ended.
    fn make_room(&mut self, client: &ClientKey, more: Amount) -> Result<(), RpcError> {
        if self.held.excess_of(client, more).is_some() {
            let Amount { number, bytes } = LIMITS.each;
            return Err(RpcError::too_many(&format!(
                "your subscriptions would exceed your limit of {number} resources and {bytes} bytes of URIs (each \
                 subscription counts as {SUBSCRIPTION} resources in addition); end one, or unsubscribe from resources"
            )));
        }
        let ended = self.held.make_room(client, more, |subscriber| subscriber.is_listening());
        let ended = ended.map_err(|_| RpcError::overloaded("the server has reached its limit of subscriptions"))?;
        ended.iter().for_each(|subscriber| subscriber.end());
        Ok(())
    }

    pub(super) fn listening(&self) -> impl Iterator<Item = &Arc<Subscriber>> {
        self.held.values().filter(|subscriber| subscriber.is_listening())
    }

    /// Records a change of the topic, and of its parts if it is a resource. Returns the tokio runtime of one of the
    /// subscribers, or `None` if there is no subscriber.
    pub(super) fn change(&mut self, topic: &Topic) -> Option<Handle> {
        let parts = match topic {
            Topic::Resource(uri) => self.parts.get(&**uri),
            _ => None,
        };
        let parts: Vec<_> = parts.into_iter().flatten().map(|uri| Topic::Resource(Arc::clone(uri))).collect();
        let runtime = self.change_one(topic);
        parts.iter().fold(runtime, |runtime, part| self.change_one(part).or(runtime))
    }

    fn change_one(&mut self, topic: &Topic) -> Option<Handle> {
        let of_topic = self.topics.get_mut(topic)?;
        of_topic.version += 1;
        self.changed.insert(topic.clone());
        of_topic.subscribers.values().next().map(|(subscriber, _)| subscriber.runtime.clone())
    }

    /// Returns the subscribers that must get a notice, each with the topic of the notice.
    pub(super) fn take_due(&mut self) -> Vec<(Arc<Subscriber>, Topic)> {
        let mut due = Vec::new();
        for topic in std::mem::take(&mut self.changed) {
            let Some(of_topic) = self.topics.get_mut(&topic) else { continue };
            for (subscriber, known) in of_topic.subscribers.values_mut().filter(|(_, known)| *known < of_topic.version)
            {
                *known = of_topic.version;
                due.push((Arc::clone(subscriber), topic.clone()));
            }
        }
        due
    }
}

impl ClientKey {
    pub(super) fn new(owner: Option<&Owner>, sink: &Arc<dyn MessageSink>) -> Self {
        match owner {
            Some(owner) => Self::Owner(owner.clone()),
            None => Self::Connection(Arc::as_ptr(sink).cast::<()>() as usize),
        }
    }
}
