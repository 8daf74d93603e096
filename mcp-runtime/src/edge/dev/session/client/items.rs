//! What a client can use of the server: all pages of all lists that the server declares.

use serde_json::{Value, json};

use super::{
    connection::{DevConnection, MessageOwner},
    pool::ClientPool,
    profile::profile,
};
use crate::{
    edge::dev::{session::api::state::Items, target::ClientSetup},
    serve::client::{ClientProfile, ClientRequest, ListPages, RoundInput},
    wire::{protocol::text::estimated_tokens, schema::example},
};

impl ClientPool {
    /// Lists what this client can use.
    ///
    /// # Errors
    /// Fails if the server cannot be reached, or a list fails.
    pub(crate) async fn items(&self, setup: &ClientSetup) -> Result<Items, String> {
        let profile = profile(setup)?;
        let mut connection = self.take(setup, MessageOwner::default()).await?;
        let server = match connection.opened.clone() {
            Some(opened) => opened,
            None => self.ask(&mut connection, &profile, "server/discover", json!({})).await?,
        };
        let capabilities = &server["capabilities"];
        let mut lists = Lists { pool: self, connection: &mut connection, profile: &profile };
        let mut items = Items {
            server_info: [&server["serverInfo"], &server["_meta"]["io.modelcontextprotocol/serverInfo"]]
                .into_iter()
                .find(|info| info.is_object())
                .cloned(),
            instructions: server["instructions"].as_str().map(str::to_owned),
            ..Items::default()
        };
        if capabilities.get("tools").is_some() {
            items.tools = lists.all("tools/list", "tools").await?;
        }
        if capabilities.get("prompts").is_some() {
            items.prompts = lists.all("prompts/list", "prompts").await?;
        }
        if capabilities.get("resources").is_some() {
            items.resources = lists.all("resources/list", "resources").await?;
            items.resource_templates = lists.all("resources/templates/list", "resourceTemplates").await?;
        }
        if declares_skills(capabilities) {
            items.skills = lists.all("skills/list", "skills").await?;
        }
        for tool in &mut items.tools {
            items.tokens += measure(tool);
        }
        self.put(setup, connection);
        self.watch(setup, &profile, capabilities);
        Ok(items)
    }
}

fn declares_skills(capabilities: &Value) -> bool {
    let extensions = capabilities["extensions"].as_object();
    extensions.is_some_and(|extensions| extensions.keys().any(|name| name.ends_with("/skills")))
}

/// Adds the size and an example to a tool. Returns its size in tokens.
fn measure(tool: &mut Value) -> usize {
    let text = |member: &str| tool[member].as_str().map_or(0, str::len);
    let tokens = estimated_tokens(text("name") + text("description") + tool["inputSchema"].to_string().len());
    let example = example::arguments(&tool["inputSchema"]);
    if let Some(members) = tool.as_object_mut() {
        members.insert("tokens".to_owned(), tokens.into());
        members.extend(example.map(|example| ("example".to_owned(), example)));
    }
    tokens
}

struct Lists<'a> {
    pool: &'a ClientPool,
    connection: &'a mut DevConnection,
    profile: &'a ClientProfile,
}

impl Lists<'_> {
    /// Returns all items of a list. `member` is the member of a page that contains the items.
    async fn all(&mut self, method: &'static str, member: &'static str) -> Result<Vec<Value>, String> {
        let mut pages = ListPages::new(method, member);
        loop {
            let (id, request) = (self.pool.next_id(), ClientRequest::List { method, cursor: pages.cursor.take() });
            let input = RoundInput::default();
            let page = self.connection.request(id, &self.profile.round(id, &request, &input), method).await?;
            if let Some(items) = pages.add(page)? {
                return Ok(items);
            }
        }
    }
}
