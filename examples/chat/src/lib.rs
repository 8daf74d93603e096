//! A chat page with tools: a person chats with a model, and the model calls tools that ask the person.
//!
//! The tools are those of the examples `flights`, `play_ttt` and `code_search`, unchanged. The program runs them itself
//! ([`PluginHost`]): no MCP client is between the tools and the page. The page follows each call and draws its forms in
//! the conversation.
//!
//! - `conversation.rs` keeps the messages of one user in a file, and `events.rs` sends them to the page.
//! - `agent.rs` talks with the model and calls the tools.
//! - `api.rs` has the routes of the conversation; the routes of the calls are [`PluginHost::router`].
//! - `scripted.rs` is the model if `MCP_MODEL` names none.
//! - `web/` has the page. The built page, `web/dist`, is part of the program.
//!
//! Messages and calls survive a restart: the conversations are files, and the calls are in an SQLite ledger beside them.

mod agent;
mod api;
mod audit;
mod conversation;
mod conversations;
mod events;
mod item;
mod page;
mod scripted;
mod user;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::{Router, middleware};
use code_search::Root;
use flights::FlightDb;
use mcp_runtime::{
    IntoTools as _, KeyRing, Server, SqliteLedger,
    plugin::{PluginHost, PluginHostBuilder},
    prelude::*,
    providers::Model,
    sample::{SamplingOrder, SamplingProvider},
};

pub use self::scripted::Scripted;
use self::{audit::Audit, conversations::Conversations};

/// The settings of the program.
pub struct Settings {
    /// The folder for the conversations, the calls and the sold tickets.
    pub data: PathBuf,
}

/// The running program.
#[derive(Clone)]
pub struct Chat {
    host: PluginHost,
    assistant: ChatModel,
    conversations: Arc<Conversations>,
}

/// A model: the assistant that talks with the user, or the one that the tools ask.
#[derive(Clone)]
struct ChatModel {
    name: Arc<str>,
    provider: Arc<dyn SamplingProvider>,
}

impl ChatModel {
    fn scripted() -> Self {
        Self { name: "scripted".into(), provider: Arc::new(Scripted) }
    }
}

impl Chat {
    /// Starts the program. Conversations and calls of an earlier process go on.
    ///
    /// # Errors
    /// Fails if the folder cannot be used, or if the variables for the model are wrong.
    pub async fn start(settings: Settings) -> Result<Self, Box<dyn Error>> {
        let Settings { data } = settings;
        fs::create_dir_all(data.join("conversations"))?;
        let model = match Model::from_env()? {
            Some(model) => ChatModel { name: std::env::var("MCP_MODEL")?.into(), provider: Arc::new(model) },
            None => ChatModel::scripted(),
        };
        // Small models can play a game, but not yet lead a conversation.
        let is_scripted = std::env::var("CHAT_ASSISTANT").is_ok_and(|assistant| assistant == "scripted");
        let assistant = if is_scripted { ChatModel::scripted() } else { model.clone() };
        let host = builder(&data, &model)?.start().await?;
        let conversations = Arc::new(Conversations::open(data.join("conversations"))?);
        let chat = Self { host, assistant, conversations };
        chat.resume();
        Ok(chat)
    }

    /// Returns the page, the conversation and the calls.
    pub fn router(&self) -> Router {
        let plugins = Router::new().nest("/plugins", self.host.router());
        // The page itself sets the cookie, so that its first requests, which run side by side, have it.
        api::routes(self.clone()).merge(plugins).merge(page::routes()).layer(middleware::from_fn(user::identify))
    }

    /// Returns the host of the tools.
    pub fn host(&self) -> &PluginHost {
        &self.host
    }

    /// Returns the display name of a tool.
    fn title(&self, tool: &str) -> Option<String> {
        self.host.plugin(tool)?.title().map(str::to_owned)
    }

    /// Waits for Ctrl-C, and ends the streams, so that the program can end. Calls and answers that are not finished go
    /// on after the next start.
    pub async fn stopped(&self) {
        // An error means that the signal cannot be watched; then the program ends in some other way.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        self.host.end_streams();
        self.conversations.end_streams();
    }

    /// Continues the conversations in which the assistant had not finished.
    fn resume(&self) {
        for conversation in self.conversations.all() {
            if conversation.is_busy() {
                agent::spawn(self.clone(), conversation);
            }
        }
    }
}

/// Returns the host with the three tools. Nothing but the name of `search` differs from their own servers.
fn builder(data: &Path, model: &ChatModel) -> Result<PluginHostBuilder, Box<dyn Error>> {
    let server = Server::new("chat", env!("CARGO_PKG_VERSION"))
        .state(FlightDb::shared(&data.join("tickets"))?)
        .state(Root::from_env()?)
        .layer(Audit::open(&data.join("audit.jsonl"))?)
        .tools(tools![code_search::search].prefix("code_"))
        .tool(flights::BookFlight)
        .tool(play_ttt::PlayTtt)
        .sampling_provider(Arc::clone(&model.provider))
        .sampling_order(SamplingOrder::ProviderOnly)
        .ledger(SqliteLedger::open(data.join("calls.sqlite"))?)
        .state_keys(key(&data.join("key"))?)
        // After a crash, a call goes on when this time is over.
        .lease(Duration::from_secs(2));
    Ok(PluginHost::builder(server))
}

/// Reads the key that seals the calls in the ledger, or creates it. A program on several machines takes it from its
/// configuration instead: see `KeyRing`.
fn key(path: &Path) -> Result<KeyRing, Box<dyn Error>> {
    let mut key = [0; 32];
    match fs::read(path) {
        Ok(stored) => key = stored.try_into().map_err(|_| format!("{} is no key of 32 bytes", path.display()))?,
        Err(_) => {
            getrandom::fill(&mut key)?;
            fs::write(path, key)?;
        }
    }
    Ok(KeyRing::new(key))
}
