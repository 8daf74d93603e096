//! The tools that every measured server has, written with `rmcp`.

use std::{sync::Arc, time::Duration};

use rmcp::{
    ServerHandler,
    handler::server::{
        router::tool::ToolRouter,
        tool::{InputResponses, RequestState},
        wrapper::Parameters,
    },
    model::{
        CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams, ElicitationSchema,
        ErrorData, InputRequest, InputRequests, InputRequiredResult,
    },
    tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::names::with_99_names;

/// The server. `rmcp` clones it for every session, and over HTTP for every request, so all clones share one router.
#[derive(Clone)]
pub(crate) struct Bench {
    tool_router: Arc<ToolRouter<Self>>,
}

impl Bench {
    /// Creates a server with the tools that the command line names.
    pub(crate) fn serving(tools: Option<&str>) -> Self {
        let mut tool_router = Self::echo_router();
        match tools {
            Some("100") => tool_router.merge(Self::find_router()),
            Some("asking") => tool_router.merge(Self::confirm_router()),
            _ => {}
        }
        Self::with(tool_router)
    }

    pub(crate) fn with(tool_router: ToolRouter<Self>) -> Self {
        Self { tool_router: Arc::new(tool_router) }
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Bench {}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Echo {
    /// The text to give back.
    pub(crate) text: String,
}

#[tool_router(router = echo_router)]
impl Bench {
    /// Give the text back.
    #[tool]
    async fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Nap {
    /// How long.
    milliseconds: u64,
}

#[tool_router(router = confirm_router)]
impl Bench {
    /// Wait.
    #[tool]
    async fn nap(&self, Parameters(Nap { milliseconds }): Parameters<Nap>) -> String {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        "rested".to_owned()
    }

    /// Give the text back if the user is sure.
    #[tool]
    async fn confirm(
        &self,
        Parameters(Echo { text }): Parameters<Echo>,
        RequestState(state): RequestState,
        InputResponses(responses): InputResponses,
    ) -> Result<CallToolResponse, ErrorData> {
        if state.as_deref() != Some("sure") {
            let requested_schema = ElicitationSchema::builder().required_bool("sure").build_unchecked();
            let message = format!("Give {text} back?");
            let form = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
            let asked = InputRequest::Elicitation(ElicitRequest::new(form));
            let questions = InputRequests::from([("sure".to_owned(), asked)]);
            return Ok(InputRequiredResult::new(Some(questions), Some("sure".to_owned())).into());
        }
        let response = responses.as_ref().and_then(|responses| responses.get("sure"));
        match response.and_then(|response| response["content"]["sure"].as_bool()) {
            Some(true) => Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into()),
            _ => Err(ErrorData::invalid_params("the user is not sure", None)),
        }
    }
}

macro_rules! find_tools {
    ($($name:ident)*) => {
        // A type of parameters for each tool, as tools of different parameters have.
        $(
            mod $name {
                #[derive(serde::Deserialize, schemars::JsonSchema)]
                pub(super) struct Find {
                    /// What to look for: words, or a regular expression between slashes.
                    pub(super) query: String,
                    /// The folder to look in, relative to the root.
                    pub(super) folder: Option<String>,
                    /// How many matches to give back at most.
                    pub(super) limit: u32,
                }
            }
        )*

        #[tool_router(router = find_router)]
        impl Bench {
            $(
                /// Find places that match a query, in the order of how well they match.
                #[tool]
                async fn $name(&self, Parameters(find): Parameters<$name::Find>) -> String {
                    let $name::Find { query, folder, limit } = find;
                    format!("{query} in {folder:?}, {limit}")
                }
            )*
        }
    };
}

with_99_names!(find_tools);
