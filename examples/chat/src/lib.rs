//! A chat page with tools: a person chats with a model, and the model calls tools that ask the person.
//!
//! The tools are those of the examples `flights`, `play_ttt` and `code_search`, unchanged. The program runs them itself
//! ([`PluginHost`]): no MCP client is between the tools and the page. The page follows each call and draws its forms in
//! the conversation.
//!
//! - `conversation.rs` keeps the messages of one user in a file, and `events.rs` sends them to the page. `conversations.rs`
//!   finds the conversation of each user, `user.rs` finds the user by a signed cookie.
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
mod keys;
mod newcomers;
mod page;
mod scripted;
mod user;

use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::{Router, http::HeaderName, middleware};
use code_search::SearchSettings;
use flights::FlightDb;
use mcp_runtime::{
    Server,
    http::AllowedHosts,
    plugin::{PluginHost, PluginHostBuilder},
    prelude::*,
    providers::Model,
    sample::{SamplingOrder, SamplingProvider},
    settings::Settings as _,
    store::{KeyRing, SqliteStore},
};

use tokio::{net::TcpListener, sync::Semaphore};

pub use self::scripted::Scripted;
use self::{audit::Audit, conversations::Conversations, user::Signer};

/// The settings of the program.
pub struct Settings {
    /// The folder for the conversations, the calls and the sold tickets.
    pub data: PathBuf,
    /// What the program keeps for its users.
    pub limits: Limits,
    /// The header with the address of the client. Set it only if a proxy always sets this header. Without it, all clients
    /// behind a proxy share the address of the proxy, and so its [new users](Limits::new_users_per_address).
    pub address_header: Option<HeaderName>,
    /// The host names in the address of the page. Default: those of the local machine.
    pub hosts: AllowedHosts,
}

impl Settings {
    /// Returns the settings with the default limits.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self { data: data.into(), limits: Limits::default(), address_header: None, hosts: AllowedHosts::default() }
    }
}

/// What the program keeps for its users.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most users, each with one stored conversation. The one that was idle for the longest time is removed for a new
    /// one. Default: 10,000.
    pub conversations: usize,
    /// The most bytes of one conversation. Default: 1 MiB.
    pub conversation_bytes: usize,
    /// How many new users one address can have in an hour. An IPv6 network of 64 bits counts as one address. Default: 60.
    /// Users of earlier hours stay.
    pub new_users_per_address: usize,
    /// How many pages can follow conversations at once, at most 16 of them one conversation. Default: 1,024.
    pub streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { conversations: 10_000, conversation_bytes: 1024 * 1024, new_users_per_address: 60, streams: 1024 }
    }
}

/// The running program.
#[derive(Clone)]
pub struct Chat {
    host: PluginHost,
    assistant: ChatModel,
    conversations: Arc<Conversations>,
    signer: Signer,
    address_header: Option<HeaderName>,
    /// The places for pages that follow conversations.
    streams: Arc<Semaphore>,
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
        let Settings { data, limits, address_header, hosts } = settings;
        fs::create_dir_all(data.join("conversations"))?;
        let model = match Model::from_env()? {
            Some(model) => ChatModel { name: std::env::var("MCP_MODEL")?.into(), provider: Arc::new(model) },
            None => ChatModel::scripted(),
        };
        // Small models can play a game, but not yet lead a conversation.
        let is_scripted = std::env::var("CHAT_ASSISTANT").is_ok_and(|assistant| assistant == "scripted");
        let assistant = if is_scripted { ChatModel::scripted() } else { model.clone() };
        let host = builder(&data, &model, hosts)?.start().await?;
        let (conversations, busy) = Conversations::open(data.join("conversations"), limits)?;
        let signer = Signer::new(keys::key(&data.join("cookie_key"))?);
        let streams = Arc::new(Semaphore::new(limits.streams));
        let conversations = Arc::new(conversations);
        let chat = Self { host, assistant, conversations, signer, address_header, streams };
        chat.resume(busy).await?;
        Ok(chat)
    }

    /// Returns the page, the conversation and the calls.
    pub fn router(&self) -> Router {
        let identify = middleware::from_fn_with_state(self.clone(), user::identify);
        let own = api::routes(self.clone()).merge(page::routes()).layer(identify.clone());
        // The routes of the host are behind the same guard: no other site reaches them, and all requests have limits.
        own.layer(self.host.server().guard()).nest("/plugins", self.host.router().layer(identify))
    }

    /// Serves the page until Ctrl-C.
    pub async fn serve(&self, listener: TcpListener) {
        let (chat, stopped) = (self.clone(), self.clone());
        self.host.server().serve_app(listener, chat.router(), async move { stopped.stopped().await }).await;
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
    async fn stopped(&self) {
        // An error means that the signal cannot be watched; then the program ends in some other way.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        self.host.end_streams();
        self.conversations.end_streams();
    }

    /// Continues the conversations in which the assistant had not finished.
    async fn resume(&self, busy: Vec<String>) -> io::Result<()> {
        for user in busy {
            let conversation = self.conversations.of(&user).await?;
            if conversation.is_busy() {
                agent::spawn(self.clone(), conversation);
            }
        }
        Ok(())
    }
}

/// Returns the host with the tools. Nothing but the name of `search` differs from their own servers.
fn builder(data: &Path, model: &ChatModel, hosts: AllowedHosts) -> Result<PluginHostBuilder, Box<dyn Error>> {
    let server = Server::new("chat", env!("CARGO_PKG_VERSION"))
        .allowed_hosts(hosts)
        .state(FlightDb::shared(&data.join("tickets"))?)
        .state(SearchSettings::from_env()?.open()?)
        .layer(Audit::open(&data.join("audit.jsonl"))?)
        .tools(tools![code_search::search].prefix("code_"))
        .tools(tools![flights::seat_map, flights::choose_seat])
        .tool(flights::BookFlight)
        .tool(play_ttt::PlayTtt)
        .sampling_provider(Arc::clone(&model.provider))
        .sampling_order(SamplingOrder::ProviderOnly)
        .store(SqliteStore::open(data.join("calls.sqlite"))?)
        .state_keys(KeyRing::new(keys::key(&data.join("key"))?))
        // After a crash, a call goes on when this time is over.
        .lease(Duration::from_secs(2));
    Ok(PluginHost::builder(server))
}
