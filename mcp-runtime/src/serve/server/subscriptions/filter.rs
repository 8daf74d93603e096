//! The topics of one subscription.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{table::SUBSCRIPTION, topic::Topic};
use crate::{base::owned::Amount, engine::call::operation::Operation, wire::protocol::error::RpcError};

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
    /// The number of resources, and the bytes of their URIs.
    resources: Amount,
    /// The ids of tasks.
    pub(super) tasks: Vec<String>,
}

#[derive(Deserialize)]
struct ListenParams {
    notifications: SubscriptionFilter,
}

/// The `SubscriptionFilter` object of the protocol.
#[derive(Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase", expecting = "an object")]
struct SubscriptionFilter {
    #[serde(skip_serializing_if = "Option::is_none")]
    tools_list_changed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompts_list_changed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources_list_changed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_subscriptions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
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
            (Operation::CallTool, wanted.tools_list_changed),
            (Operation::GetPrompt, wanted.prompts_list_changed),
            (Operation::ReadResource, wanted.resources_list_changed),
        ];
        let lists = lists.into_iter().filter(|(_, wanted)| *wanted == Some(true)).map(|(kind, _)| Topic::List(kind));
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
            let resources = Amount { number: self.resources.number + 1, bytes: self.resources.bytes + uri.len() };
            if resources.number > MOST_RESOURCES || resources.bytes > MOST_BYTES {
                return Err(RpcError::invalid_params(format!(
                    "a subscription can name at most {MOST_RESOURCES} resources, whose URIs have at most {MOST_BYTES} \
                     bytes together"
                )));
            }
            self.resources = resources;
        }
        Ok(self.topics.insert(topic))
    }

    /// Removes a topic, and returns whether it was there.
    pub(super) fn remove(&mut self, topic: &Topic) -> bool {
        let was_there = self.topics.remove(topic);
        if let (true, Topic::Resource(uri)) = (was_there, topic) {
            self.resources.number -= 1;
            self.resources.bytes -= uri.len();
        }
        was_there
    }

    /// Returns what the subscription counts, without its id.
    pub(super) fn amount(&self) -> Amount {
        Amount { number: SUBSCRIPTION + self.resources.number, ..self.resources }
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
        let list = |kind| self.topics.contains(&Topic::List(kind)).then_some(true);
        let mut uris: Vec<_> = self.resources().map(str::to_owned).collect();
        uris.sort_unstable();
        json!(SubscriptionFilter {
            tools_list_changed: list(Operation::CallTool),
            prompts_list_changed: list(Operation::GetPrompt),
            resources_list_changed: list(Operation::ReadResource),
            resource_subscriptions: (!uris.is_empty()).then_some(uris),
            task_ids: (!self.tasks.is_empty()).then(|| self.tasks.clone()),
        })
    }
}
