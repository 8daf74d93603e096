//! A call, its questions and their answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::to_raw_value};

use super::{event::CallEvent, fault::DevFault};
use crate::{
    edge::dev::target::ClientSetup,
    serve::client::{ClientRequest, Question},
};

/// What a call asks of the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum CallRequest {
    Tool {
        name: String,
        #[serde(default)]
        arguments: Map<String, Value>,
    },
    Prompt {
        name: String,
        #[serde(default)]
        arguments: Map<String, Value>,
    },
    Resource {
        uri: String,
    },
}

/// A call of a tool, prompt or resource, in all its rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DevCall {
    pub(crate) id: String,
    pub(crate) request: CallRequest,
    pub(crate) setup: ClientSetup,
    pub(crate) status: DevCallStatus,
    /// Milliseconds since 1970.
    pub(crate) started_at: u64,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) took: Option<u64>,
    pub(crate) rounds: u32,
    /// The questions that wait for an answer.
    pub(crate) questions: Vec<DevQuestion>,
    /// What is armed for the next request or reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) armed: Option<DevFault>,
    pub(crate) last_event: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) events: Option<Vec<CallEvent>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DevCallStatus {
    Working,
    InputRequired,
    Finished,
    Failed,
    Cancelled,
}

/// A question that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum DevQuestion {
    Form(Box<UserQuestion>),
    Url(Box<UserQuestion>),
    Sampling { seq: u32, key: String, params: Value },
    Roots { seq: u32, key: String },
}

/// What a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum QuestionKind {
    Form,
    Url,
    Sampling,
    Roots,
}

/// A question to the user, with the members that questions of plugins have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct UserQuestion {
    pub(crate) seq: u32,
    pub(crate) key: String,
    /// `form` or `url`.
    pub(crate) mode: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) form: Option<String>,
    pub(crate) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) handoff: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) view: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rejected: Option<String>,
}

/// An answer of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub(crate) enum AnyAnswer {
    Accept {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Map<String, Value>>,
    },
    Decline,
    Cancel,
    /// The reply of a model, as a text or as a `CreateMessageResult`.
    Reply {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<Map<String, Value>>,
    },
    /// The model of the environment replies.
    Model,
    Roots {
        roots: Vec<GivenRoot>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GivenRoot {
    pub(crate) uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
}

/// Who gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DevAnswerer {
    Hand,
    /// The answer was prepared before the call.
    Prepared,
    /// The answer is a part of a fault.
    Script,
    Model,
}

impl CallRequest {
    /// Returns the request that a client sends.
    pub(crate) fn to_client(&self) -> ClientRequest {
        let written = |arguments: &Map<String, Value>| to_raw_value(arguments).ok();
        match self {
            Self::Tool { name, arguments } => ClientRequest::Tool { name: name.clone(), arguments: written(arguments) },
            Self::Prompt { name, arguments } => {
                ClientRequest::Prompt { name: name.clone(), arguments: written(arguments) }
            }
            Self::Resource { uri } => ClientRequest::Resource { uri: uri.clone() },
        }
    }

    /// Returns what the call is about: the name of the tool or prompt, or the URI.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Tool { name, .. } | Self::Prompt { name, .. } => name,
            Self::Resource { uri } => uri,
        }
    }
}

impl DevCallStatus {
    /// Returns `true` until the call ends.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Self::Working | Self::InputRequired)
    }
}

impl QuestionKind {
    pub(crate) const ALL: [Self; 4] = [Self::Form, Self::Url, Self::Sampling, Self::Roots];
}

impl DevQuestion {
    /// Creates the question with this number as the page shows it.
    pub(crate) fn new(seq: u32, question: &Question) -> Self {
        let Question { key, method, params } = question;
        let key = key.clone();
        match &**method {
            "sampling/createMessage" => Self::Sampling { seq, key, params: params.clone() },
            "roots/list" => Self::Roots { seq, key },
            _ => {
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let (meta, url) = (&params["_meta"], question.page());
                let user = Box::new(UserQuestion {
                    seq,
                    key,
                    mode: if url.is_some() { "url" } else { "form" }.to_owned(),
                    form: text(&meta["mcp-runtime/form"]),
                    message: text(&params["message"]).unwrap_or_default(),
                    schema: params.get("requestedSchema").cloned(),
                    url: url.map(str::to_owned),
                    handoff: None,
                    view: text(&meta["ui"]["resourceUri"]),
                    rejected: text(&meta["mcp-runtime/rejected"]),
                });
                if url.is_some() { Self::Url(user) } else { Self::Form(user) }
            }
        }
    }

    pub(crate) fn kind(&self) -> QuestionKind {
        match self {
            Self::Form(_) => QuestionKind::Form,
            Self::Url(_) => QuestionKind::Url,
            Self::Sampling { .. } => QuestionKind::Sampling,
            Self::Roots { .. } => QuestionKind::Roots,
        }
    }

    pub(crate) fn seq(&self) -> u32 {
        match self {
            Self::Form(user) | Self::Url(user) => user.seq,
            Self::Sampling { seq, .. } | Self::Roots { seq, .. } => *seq,
        }
    }

    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Form(user) | Self::Url(user) => &user.key,
            Self::Sampling { key, .. } | Self::Roots { key, .. } => key,
        }
    }

    /// Returns the name by which the command line knows the question: the key without the numbers that a repeated question
    /// has. The questions of a session have no keys.
    pub(crate) fn name(&self, is_modern: bool) -> Option<&str> {
        match self {
            _ if is_modern => self.key().split(['#', '/']).next(),
            Self::Form(user) => user.form.as_deref(),
            Self::Url(_) => Some("elicit_url"),
            Self::Sampling { .. } => Some("sample"),
            Self::Roots { .. } => None,
        }
    }

    /// Returns whether this is another question again. In a session each question has its own key, so a form whose answer
    /// was refused is known by its schema and by the reason, which follows the message or stands beside it.
    pub(crate) fn is_again(&self, other: &Self) -> bool {
        let is_refused = match (self, other) {
            (Self::Form(form), Self::Form(other)) if form.schema == other.schema => {
                let has_reason = |rest: &str| rest.starts_with("\n\n");
                form.rejected.is_some() || form.message.strip_prefix(&other.message).is_some_and(has_reason)
            }
            _ => false,
        };
        is_refused || self.key() == other.key()
    }

    /// Returns whether both questions ask the same, whatever their numbers are.
    pub(crate) fn asks_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Form(one), Self::Form(other)) => (&one.message, &one.schema) == (&other.message, &other.schema),
            (Self::Url(one), Self::Url(other)) => one.message == other.message,
            (Self::Sampling { params: one, .. }, Self::Sampling { params: other, .. }) => one == other,
            (Self::Roots { .. }, Self::Roots { .. }) => true,
            _ => false,
        }
    }
}
