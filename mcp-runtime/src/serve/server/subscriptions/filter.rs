//! The topics of one subscription.

use std::{collections::HashSet, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{table::SUBSCRIPTION, topic::Topic};
use crate::{base::owned::Amount, wire::protocol::error::RpcError};

/// How many resources one subscription can name.
const MOST_RESOURCES: usize = 1000;

/// How many tasks one subscription can name.
const MOST_TASKS: usize = 100;

/// How many bytes the URIs of one subscription can have together.
const MOST_BYTES: usize = 64 * 1024;

/// The topics of one subscription. Their number and their size are limited.
#[derive(Default)]
pub(super) struct Filter {
    topics: HashSet<Topic>,
    resources: usize,
    bytes: usize,
    /// The ids of tasks.
    pub(super) tasks: Vec<String>,
}

#[derive(Deserialize)]
struct ListenParams {
    notifications: WantedNotifications,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", expecting = "an object")]
struct WantedNotifications {
    tools_list_changed: Option<bool>,
    prompts_list_changed: Option<bool>,
    resources_list_changed: Option<bool>,
    resource_subscriptions: Option<Vec<String>>,
    task_ids: Option<Vec<String>>,
}

impl Filter {
    /// Reads the params of `subscriptions/listen`. The filter contains only topics for which `can_change` returns
    /// `true`: lists that can change, and resources if clients can subscribe to them.
    ///
    /// # Errors
    /// Returns an error if the params are malformed, or if they name too many resources or tasks.
    pub(super) fn read(params: &str, can_change: impl Fn(&Topic) -> bool) -> Result<Self, RpcError> {
        let params = if params.is_empty() { "{}" } else { params };
        let ListenParams { notifications: wanted } = serde_json::from_str(params).map_err(|error| {
            RpcError::invalid_params(format!(
                "`notifications` must be an object with `toolsListChanged`, `promptsListChanged`, \
                 `resourcesListChanged` (true or false) and `resourceSubscriptions` (a list of URIs): {error}"
            ))
        })?;
        let tasks = wanted.task_ids.unwrap_or_default();
        if tasks.len() > MOST_TASKS {
            return Err(RpcError::invalid_params(format!("a subscription can name at most {MOST_TASKS} tasks")));
        }
        let mut filter = Self { tasks, ..Self::default() };
        let lists = [
            (Topic::Tools, wanted.tools_list_changed),
            (Topic::Prompts, wanted.prompts_list_changed),
            (Topic::Resources, wanted.resources_list_changed),
        ];
        let lists = lists.into_iter().filter(|(_, wanted)| *wanted == Some(true)).map(|(topic, _)| topic);
        let resources = wanted.resource_subscriptions.unwrap_or_default();
        let resources = resources.into_iter().map(|uri| Topic::Resource(uri.into()));
        for topic in lists.chain(resources).filter(|topic| can_change(topic)) {
            filter.add(topic)?;
        }
        Ok(filter)
    }

    /// Adds a topic, and returns whether it is new.
    ///
    /// # Errors
    /// Returns an error if the subscription names too many resources.
    pub(super) fn add(&mut self, topic: Topic) -> Result<bool, RpcError> {
        if self.topics.contains(&topic) {
            return Ok(false);
        }
        if let Topic::Resource(uri) = &topic {
            let (resources, bytes) = (self.resources + 1, self.bytes + uri.len());
            if resources > MOST_RESOURCES || bytes > MOST_BYTES {
                return Err(RpcError::invalid_params(format!(
                    "a subscription can name at most {MOST_RESOURCES} resources, whose URIs have at most {MOST_BYTES} \
                     bytes together"
                )));
            }
            (self.resources, self.bytes) = (resources, bytes);
        }
        Ok(self.topics.insert(topic))
    }

    /// Removes a topic, and returns whether it was there.
    pub(super) fn remove(&mut self, topic: &Topic) -> bool {
        let was_there = self.topics.remove(topic);
        if let (true, Topic::Resource(uri)) = (was_there, topic) {
            self.resources -= 1;
            self.bytes -= uri.len();
        }
        was_there
    }

    /// Returns what the subscription counts, without its id.
    pub(super) fn amount(&self) -> Amount {
        Amount { number: SUBSCRIPTION + self.resources, bytes: self.bytes }
    }

    pub(super) fn topics(&self) -> impl Iterator<Item = &Topic> {
        self.topics.iter()
    }

    /// Returns the URIs of the resources.
    pub(super) fn resources(&self) -> impl Iterator<Item = &str> {
        self.topics.iter().filter_map(|topic| match topic {
            Topic::Resource(uri) => Some(&**uri),
            _ => None,
        })
    }

    /// Returns the `SubscriptionFilter` object of the protocol.
    pub(super) fn to_json(&self) -> Value {
        let mut filter = Map::new();
        let mut uris: Vec<&Arc<str>> = Vec::new();
        for topic in &self.topics {
            match topic {
                Topic::Tools => _ = filter.insert("toolsListChanged".into(), true.into()),
                Topic::Prompts => _ = filter.insert("promptsListChanged".into(), true.into()),
                Topic::Resources => _ = filter.insert("resourcesListChanged".into(), true.into()),
                Topic::Resource(uri) => uris.push(uri),
            }
        }
        if !uris.is_empty() {
            uris.sort_unstable();
            filter.insert("resourceSubscriptions".into(), json!(uris.iter().map(|uri| &***uri).collect::<Vec<_>>()));
        }
        if !self.tasks.is_empty() {
            filter.insert("taskIds".into(), json!(self.tasks));
        }
        filter.into()
    }
}
