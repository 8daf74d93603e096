//! Notices about changes.

use serde_json::{Map, Value, json};

/// A notice that a server sends to its subscribers: a list has changed, or the content of a resource has changed.
/// Subscribe with [`Client::subscribed`](crate::testing::Client::subscribed).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Notice {
    /// The list of tools has changed.
    Tools,
    /// The list of prompts has changed.
    Prompts,
    /// The list of resources or the list of templates has changed.
    Resources,
    /// The resource with this URI has new content.
    Updated(String),
}

impl Notice {
    /// Reads a notification. Returns `None` if it is not a notice.
    pub(crate) fn read(method: &str, params: &Value) -> Option<Self> {
        Some(match method {
            "notifications/tools/list_changed" => Self::Tools,
            "notifications/prompts/list_changed" => Self::Prompts,
            "notifications/resources/list_changed" => Self::Resources,
            "notifications/resources/updated" => Self::Updated(params["uri"].as_str()?.to_owned()),
            _ => return None,
        })
    }

    /// Returns the name of a capability, and the name of one of its members. A server declares with this member that it
    /// sends this kind of notice.
    pub(crate) fn capability(&self) -> (&'static str, &'static str) {
        match self {
            Self::Tools => ("tools", "listChanged"),
            Self::Prompts => ("prompts", "listChanged"),
            Self::Resources => ("resources", "listChanged"),
            Self::Updated(_) => ("resources", "subscribe"),
        }
    }

    /// Returns the `SubscriptionFilter` object that asks for these notices.
    pub(crate) fn filter(wanted: &[Self]) -> Value {
        let mut filter = Map::new();
        let mut uris = Vec::new();
        for notice in wanted {
            match notice {
                Self::Updated(uri) => uris.push(uri),
                list => _ = filter.insert(list.list_member(), true.into()),
            }
        }
        if !uris.is_empty() {
            filter.insert("resourceSubscriptions".into(), json!(uris));
        }
        filter.into()
    }

    /// Returns whether the server has accepted to send this notice. `accepted` is the server's `SubscriptionFilter`.
    pub(crate) fn is_in(&self, accepted: &Value) -> bool {
        match self {
            Self::Updated(uri) => {
                accepted["resourceSubscriptions"].as_array().is_some_and(|uris| uris.contains(&json!(uri)))
            }
            _ => accepted[self.list_member()] == true,
        }
    }

    /// Returns the member of a `SubscriptionFilter` that asks for changes of the list, such as `toolsListChanged`.
    fn list_member(&self) -> String {
        format!("{}ListChanged", self.capability().0)
    }
}
