//! The desk of a shop, with `rmcp`. Its counterpart is `desk.rs`.

use std::{collections::BTreeMap, error::Error, sync::Arc};

use rmcp::{
    ErrorData, Json, RoleServer, ServerHandler, ServiceExt, elicit_safe,
    handler::server::{
        router::{prompt::PromptRouter, tool::ToolRouter},
        tool::InputResponses,
        wrapper::Parameters,
    },
    model::{
        CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationSchema, Implementation, InputRequest, InputRequiredResult, ListResourcesResult,
        PaginatedRequestParams, PromptMessage, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, Resource, ResourceContents, Role, ServerCapabilities, ServerConfig,
    },
    prompt, prompt_handler, prompt_router,
    service::{ElicitationError, RequestContext},
    tool, tool_handler, tool_router,
    transport::stdio,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// ANCHOR: state
#[derive(Clone)]
struct Desk {
    shop: Arc<BTreeMap<&'static str, Article>>,
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

struct Article {
    cents: u32,
    pieces: u32,
}

impl Desk {
    fn find(&self, name: &str) -> Result<&Article, String> {
        self.shop.get(name).ok_or_else(|| format!("there is no article `{name}`"))
    }
}
// ANCHOR_END: state

// ANCHOR: tool
#[derive(Deserialize, JsonSchema)]
struct PriceParams {
    /// The article, such as `tea`.
    article: String,
    /// How many pieces. Default: 1.
    pieces: Option<u32>,
}

#[tool_router]
impl Desk {
    /// Says what articles cost.
    #[tool(annotations(read_only_hint = true))]
    async fn price(&self, Parameters(params): Parameters<PriceParams>) -> Result<String, String> {
        let PriceParams { article, pieces } = params;
        let pieces = pieces.unwrap_or(1);
        let cents = self.find(&article)?.cents * pieces;
        Ok(format!("{pieces} {article}: {cents} cents"))
    }
    // ANCHOR_END: tool

    // ANCHOR: structured
    /// Counts the pieces in stock.
    #[tool(annotations(read_only_hint = true))]
    async fn stock(&self, Parameters(params): Parameters<ArticleParams>) -> Result<Json<Stock>, String> {
        let pieces = self.find(&params.article)?.pieces;
        Ok(Json(Stock { article: params.article, pieces }))
    }
    // ANCHOR_END: structured

    // ANCHOR: form
    /// Orders an article. The user confirms the order.
    #[tool]
    async fn order(
        &self,
        Parameters(params): Parameters<ArticleParams>,
        InputResponses(answers): InputResponses,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let article = params.article;
        let cents = match self.find(&article) {
            Ok(found) => found.cents,
            Err(error) => return Ok(CallToolResult::error(vec![ContentBlock::text(error)]).into()),
        };
        let question = format!("Order {article} for {cents} cents?");
        let answer = if context.protocol_version() < Some(ProtocolVersion::V_2026_07_28) {
            // In a session, the tool waits for the answer.
            match context.peer.elicit::<Confirm>(question).await {
                Ok(confirm) => Ok(confirm),
                Err(ElicitationError::UserDeclined) => Ok(None),
                Err(ElicitationError::UserCancelled) => Err(Cancelled),
                Err(error) => return Err(internal(error)),
            }
        } else {
            // Since 2026-07-28 the tool returns its question, and runs again from its beginning with the answer.
            let Some(answer) = answers.unwrap_or_default().remove("confirm") else {
                return ask(question);
            };
            let answer: ElicitResult = serde_json::from_value(answer).map_err(internal)?;
            match (answer.action, answer.content) {
                (ElicitationAction::Accept, Some(form)) => Ok(Some(serde_json::from_value(form).map_err(internal)?)),
                (ElicitationAction::Cancel, _) => Err(Cancelled),
                _ => Ok(None),
            }
        };
        let text = match answer {
            Ok(Some(Confirm { confirmed: true, note })) => {
                format!("Ordered {article}. Note: {}.", note.as_deref().unwrap_or("none"))
            }
            Ok(_) => "Nothing is ordered.".to_owned(),
            Err(Cancelled) => "The user closed the form.".to_owned(),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
    // ANCHOR_END: form
}

// ANCHOR: structured_types
#[derive(Deserialize, JsonSchema)]
struct ArticleParams {
    /// The article, such as `tea`.
    article: String,
}

/// An article in stock.
#[derive(Serialize, JsonSchema)]
struct Stock {
    article: String,
    pieces: u32,
}
// ANCHOR_END: structured_types

// ANCHOR: form_types
#[derive(Deserialize, JsonSchema)]
struct Confirm {
    /// Whether to send the order.
    confirmed: bool,
    /// A note for the shop.
    note: Option<String>,
}

elicit_safe!(Confirm);

struct Cancelled;

fn ask(question: String) -> Result<CallToolResponse, ErrorData> {
    let params = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question,
        requested_schema: ElicitationSchema::from_type::<Confirm>().map_err(internal)?,
    };
    let request = InputRequest::Elicitation(ElicitRequest::new(params));
    Ok(InputRequiredResult::from_input_requests([("confirm".to_owned(), request)].into()).into())
}

fn internal(error: impl Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
// ANCHOR_END: form_types

// ANCHOR: prompt
#[derive(Deserialize, JsonSchema)]
struct ReminderParams {
    /// Who gets it.
    customer: String,
    /// How it sounds. Default: friendly.
    tone: Option<String>,
}

#[prompt_router]
impl Desk {
    /// Asks for a reminder to a customer.
    #[prompt]
    async fn reminder(&self, Parameters(params): Parameters<ReminderParams>) -> Vec<PromptMessage> {
        let tone = params.tone.as_deref().unwrap_or("friendly");
        vec![PromptMessage::new_text(Role::User, format!("Write a {tone} reminder to {}.", params.customer))]
    }
}
// ANCHOR_END: prompt

// ANCHOR: resource
#[tool_handler(router = self.tool_router)]
#[prompt_handler(router = self.prompt_router)]
impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("desk", "1.0.0"))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let prices = Resource::new("desk://prices", "prices");
        let prices = prices.with_description("The list of prices.").with_mime_type("text/plain");
        Ok(ListResourcesResult::with_all_items(vec![prices]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != "desk://prices" {
            return Err(ErrorData::resource_not_found(format!("there is no resource {}", request.uri), None));
        }
        let lines = self.shop.iter().map(|(name, article)| format!("{name}: {} cents\n", article.cents));
        let text = ResourceContents::text(lines.collect::<String>(), request.uri);
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}
// ANCHOR_END: resource

// ANCHOR: main
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let articles = [("cup", Article { cents: 700, pieces: 3 }), ("tea", Article { cents: 400, pieces: 12 })];
    let desk = Desk {
        shop: Arc::new(articles.into()),
        tool_router: Desk::tool_router(),
        prompt_router: Desk::prompt_router(),
    };
    desk.serve(stdio()).await?.waiting().await?;
    Ok(())
}
// ANCHOR_END: main
