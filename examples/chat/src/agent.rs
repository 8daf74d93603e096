//! The assistant: asks the model, calls the tools that it wants, and gives it their results.
//!
//! What it does next follows from the entries of the conversation alone, so that it can go on after a restart.

use std::{io, sync::Arc};

use mcp_runtime::{
    plugin::PluginCall,
    sample::{Messages, Sampled, SamplingContent, SamplingRequest, ToolUse},
};

use crate::{
    Chat,
    conversation::Conversation,
    item::{Item, ItemKind, WantedCall},
};

/// How often the model is asked for one message of the user.
const TURNS: usize = 8;

const PART: &str = "You are a helpful assistant. Call a tool if it can do what the user wants. The tools ask the user \
                    themselves for what they need. When a tool has done its work, tell the user the outcome briefly.";

/// Works until the assistant has answered.
pub(crate) fn spawn(chat: Chat, conversation: Arc<Conversation>) {
    tokio::spawn(async move {
        let stopped = conversation.stopped.notified();
        tokio::pin!(stopped);
        stopped.as_mut().enable();
        let worked = if conversation.is_stopped() {
            Ok(())
        } else {
            tokio::select! {
                worked = work(&chat, &conversation) => worked,
                () = stopped => Ok(()),
            }
        };
        if let Err(error) = end(&chat, &conversation, worked).await
            // A conversation that was cleared gets no further entries.
            && error.kind() != io::ErrorKind::NotFound
        {
            eprintln!("a conversation cannot be stored: {error}");
        }
    });
}

/// Tells the user that the assistant is done.
async fn end(chat: &Chat, conversation: &Arc<Conversation>, worked: io::Result<()>) -> io::Result<()> {
    if let Err(error) = worked {
        if error.kind() != io::ErrorKind::FileTooLarge {
            return Err(error);
        }
        let message = format!("{error}: begin a new one");
        conversation.push(ItemKind::Error { message }).await?;
    }
    if conversation.is_stopped() {
        chat.host().open_calls_as(&*conversation.user).iter().for_each(PluginCall::cancel);
    }
    conversation.push(ItemKind::Done).await
}

async fn work(chat: &Chat, conversation: &Arc<Conversation>) -> io::Result<()> {
    loop {
        let items = conversation.after(0);
        let turn = Turn::of(&items);
        if turn.has_open_calls() {
            call(chat, conversation, &turn).await?;
            continue;
        }
        if turn.is_answered || turn.asked >= TURNS {
            return Ok(());
        }
        let mut request = SamplingRequest::new(messages(&items), 2048);
        request.system_prompt = Some(PART.to_owned());
        request.tools = chat.host().sampling_tools();
        match chat.assistant.provider.sample(&request).await {
            Ok(reply) => conversation.push(wanted(&reply, items.len())).await?,
            Err(error) => {
                conversation.push(ItemKind::Error { message: cut(error.to_string()) }).await?;
                return Ok(());
            }
        }
    }
}

/// What happened since the user's last message.
#[derive(Default)]
struct Turn<'a> {
    /// How often the model has answered.
    asked: usize,
    /// Whether the model has answered without a call.
    is_answered: bool,
    calls: &'a [WantedCall],
    /// The calls that have begun, and their results.
    begun: Vec<&'a str>,
    results: Vec<&'a str>,
}

impl<'a> Turn<'a> {
    fn of(items: &'a [Arc<Item>]) -> Self {
        let mut turn = Self::default();
        for item in items {
            match &item.kind {
                ItemKind::User { .. } => turn = Self::default(),
                ItemKind::Assistant { calls, .. } => {
                    turn = Self { asked: turn.asked + 1, is_answered: calls.is_empty(), calls, ..Self::default() };
                }
                ItemKind::Call { wanted, .. } => turn.begun.push(wanted),
                ItemKind::Result { wanted, .. } => turn.results.push(wanted),
                ItemKind::Error { .. } | ItemKind::Done => turn.is_answered = true,
            }
        }
        turn
    }

    fn has_open_calls(&self) -> bool {
        self.calls.iter().any(|call| !self.results.contains(&&*call.id))
    }
}

/// Runs the calls that have no result yet, side by side, until each has one.
async fn call(chat: &Chat, conversation: &Arc<Conversation>, turn: &Turn<'_>) -> io::Result<()> {
    let open = turn.calls.iter().filter(|call| !turn.results.contains(&&*call.id));
    let known = chat.host().sampling_tools();
    let mut begun = Vec::new();
    for wanted in open {
        let WantedCall { id, tool, arguments } = wanted;
        // A model does not get the tools of views, and cannot call them by their names either.
        if chat.host().plugin(tool).is_some() && !known.iter().any(|known| known.name == *tool) {
            let text = format!("there is no tool `{tool}`");
            conversation.push(ItemKind::Result { wanted: id.clone(), text, is_error: true }).await?;
            continue;
        }
        // The key makes a call that had begun before a restart the same call, but not one of an earlier conversation.
        let key = format!("{}-{id}", conversation.began());
        match chat.host().call_once_as(&*conversation.user, &key, tool, arguments).await {
            Ok(call) => {
                if !turn.begun.contains(&&**id) {
                    let (tool, title) = (tool.clone(), chat.title(tool));
                    let item = ItemKind::Call { wanted: id.clone(), call: call.id().into(), tool, title };
                    conversation.push(item).await?;
                }
                begun.push((id.clone(), call));
            }
            Err(error) => {
                let text = error.to_string();
                conversation.push(ItemKind::Result { wanted: id.clone(), text, is_error: true }).await?;
            }
        }
    }
    let mut running = tokio::task::JoinSet::new();
    for (id, call) in begun {
        running.spawn(async move { (id, call.outcome().await) });
    }
    while let Some(ended) = running.join_next().await {
        let Ok((wanted, outcome)) = ended else { continue };
        let (text, is_error) = (cut(outcome.text()), outcome.is_error());
        conversation.push(ItemKind::Result { wanted, text, is_error }).await?;
    }
    Ok(())
}

/// Returns the model's reply as an entry. The ids of its calls are made unique in the conversation.
fn wanted(reply: &Sampled, length: usize) -> ItemKind {
    let uses = reply.content.iter().filter_map(SamplingContent::as_tool_use).enumerate();
    let calls = uses.map(|(number, ToolUse { name, input, .. })| WantedCall {
        id: format!("call_{length}_{number}"),
        tool: name.clone(),
        arguments: input.clone(),
    });
    ItemKind::Assistant { text: cut(reply.text.clone()), calls: calls.collect() }
}

/// Cuts a text that is too long for an entry.
fn cut(mut text: String) -> String {
    const LONGEST: usize = 64 * 1024;
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        text.truncate(end);
        text.push_str("… (cut)");
    }
    text
}

/// Returns the conversation as the model gets it.
fn messages(items: &[Arc<Item>]) -> Messages {
    let mut messages = Messages::new();
    for (index, item) in items.iter().enumerate() {
        messages = match &item.kind {
            ItemKind::User { text } => messages.user(text.as_str()),
            ItemKind::Assistant { text, calls } if calls.is_empty() => messages.assistant(text.as_str()),
            ItemKind::Assistant { text, calls } => with_results(messages, text, calls, &items[index..]),
            _ => messages,
        };
    }
    messages
}

fn with_results(messages: Messages, text: &str, calls: &[WantedCall], later: &[Arc<Item>]) -> Messages {
    let uses: Vec<_> = calls.iter().map(|call| ToolUse::new(&*call.id, &*call.tool, call.arguments.clone())).collect();
    let results = uses.iter().map(|wanted_use| {
        let result = later.iter().find_map(|item| match &item.kind {
            ItemKind::Result { wanted, text, is_error } if *wanted == wanted_use.id => Some((text.clone(), *is_error)),
            _ => None,
        });
        match result {
            Some((text, false)) => wanted_use.result(text),
            Some((text, true)) => wanted_use.error(text),
            None => wanted_use.error("The user stopped the call."),
        }
    });
    let text = Some(text).filter(|text| !text.is_empty()).map(|text| SamplingContent::Text(text.to_owned()));
    let content = text.into_iter().chain(uses.iter().cloned().map(SamplingContent::ToolUse));
    let reply = Sampled::new(content.collect(), "earlier");
    let results: Vec<_> = results.collect();
    // Each call has exactly one result.
    messages.clone().answered(&reply, results).unwrap_or(messages)
}
