//! A scripted model of the server, and its replies.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use mcp_runtime::{
    sample::{
        ProviderAbilities, ProviderError, Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest,
        ToolUse,
    },
    testing::Reply,
};
use serde_json::{Value, json};

/// A reply, independent of the format.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    Text(&'static str),
    Value(Value),
    Call(&'static str, Value),
    Whole(Sampled),
}

/// A provider that returns these replies in order.
#[derive(Clone, Default)]
pub(crate) struct Model(Arc<Inner>);

#[derive(Default)]
struct Inner {
    abilities: ProviderAbilities,
    says: Mutex<VecDeque<Say>>,
    asked: Mutex<Vec<SamplingRequest>>,
}

impl Say {
    /// Returns the reply of a client's model.
    pub(crate) fn reply(&self) -> Reply {
        match self.clone() {
            Self::Text(text) => Reply::sampled(text),
            Self::Value(value) => Reply::sampled_value(value),
            Self::Call(name, input) => Reply::sampled_tool(name, input),
            Self::Whole(reply) => Reply::sampled_as(reply),
        }
    }

    /// Returns the reply of a provider to this request.
    fn answer(self, request: &SamplingRequest) -> Sampled {
        let text = |text: String| vec![SamplingContent::Text(text)];
        let call = |name: &str, input: Value| {
            let input = input.as_object().expect("the input is an object").clone();
            vec![SamplingContent::ToolUse(ToolUse::new("1", name, input))]
        };
        let content = match self {
            Self::Whole(reply) => return reply,
            Self::Text(words) => text(words.to_owned()),
            Self::Value(value) if request.tools.is_empty() => text(value.to_string()),
            Self::Value(value) => call(&request.tools[0].name, value),
            Self::Call(name, input) if !request.tools.is_empty() => call(name, input),
            Self::Call(name, input) => {
                let called = json!({ "tool": name, "input": input });
                text(if request.schema.is_some() { json!({ "call": called }) } else { called }.to_string())
            }
        };
        Sampled::new(content, "own")
    }
}

impl Model {
    pub(crate) fn new(abilities: ProviderAbilities, says: impl IntoIterator<Item = Say>) -> Self {
        let says = Mutex::new(says.into_iter().collect());
        Self(Arc::new(Inner { abilities, says, asked: Mutex::default() }))
    }

    /// Returns the requests so far.
    pub(crate) fn asked(&self) -> Vec<SamplingRequest> {
        self.0.asked.lock().unwrap().clone()
    }
}

impl SamplingProvider for Model {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            self.0.asked.lock().unwrap().push(request.clone());
            let say = self.0.says.lock().unwrap().pop_front();
            say.map(|say| say.answer(request)).ok_or_else(|| ProviderError::new("it has nothing more to say"))
        })
    }

    fn abilities(&self) -> ProviderAbilities {
        self.0.abilities
    }
}
