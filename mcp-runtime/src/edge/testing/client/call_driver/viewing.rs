//! Opens the view of a tool.

use serde_json::{Value, json};

use super::course::Course;
use crate::{
    edge::testing::{
        observed::shown_view::{ShownView, ViewParts},
        script::request::Misfit,
    },
    serve::client::{ClientRequest, RoundInput},
    wire::protocol::view::{RESOURCE_URI, UI},
};

impl Course<'_> {
    /// Opens the view of a tool. Fails with everything that would stop a host.
    pub(crate) async fn view(&mut self, name: &str) -> Result<ShownView, Misfit> {
        let tools = self.list("tools/list", "tools").await?;
        let Some(tool) = tools.iter().find(|tool| tool["name"] == name) else {
            return Err(format!("the server lists no tool `{name}`").into());
        };
        let Some(uri) = tool["_meta"][UI][RESOURCE_URI].as_str() else {
            let revision = self.settings.profile.revision;
            let advice = match revision.has_structured_content() {
                true => "write `#[mcp_tool(view = …)]`",
                false => "views need `_meta`, which tools have since 2025-06-18",
            };
            return Err(format!("the tool `{name}` has no view in {revision}; {advice}").into());
        };
        let capabilities = match self.settings.profile.revision.is_modern() {
            true => self.request_in_session("server/discover", json!({})).await?["capabilities"].take(),
            false => self.connection.server_capabilities.clone(),
        };
        let resources = self.list("resources/list", "resources").await?;
        let listed = resources.iter().find(|resource| resource["uri"] == uri).unwrap_or(&Value::Null);
        let read = self.round(&ClientRequest::Resource { uri: uri.to_owned() }, &RoundInput::default()).await?;
        let read = read.map_err(|error| format!("the view `{uri}` cannot be read: {}", error.message))?;
        let parts = ViewParts { capabilities: &capabilities, tool, listed, read: &read };
        ShownView::open(&parts).map_err(|faults| {
            format!("hosts cannot show the view of the tool `{name}`:\n  - {}", faults.join("\n  - ")).into()
        })
    }
}
