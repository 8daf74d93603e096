//! The requests of a client: calls, prompts, completions, reads and lists.

use std::panic::Location;

use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    Client, call_driver,
    scripted::{ScriptedCompletion, call::ScriptedCall},
};
use crate::{
    edge::testing::{
        observed::shown_view::ShownView,
        script::request::{self, ScriptedRequest},
    },
    serve::client::{ClientRequest, CompletedArgument},
};

impl Client {
    /// Calls a tool. `arguments` can be `json!({ "to": "LIS" })` or a struct, or `()` if the tool has no arguments.
    ///
    /// # Panics
    /// Panics if `arguments` is not serialized to an object or to `null`.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: impl Serialize) -> ScriptedCall<'_> {
        let target = ClientRequest::Tool { name: tool.to_owned(), arguments: written(arguments) };
        ScriptedCall::new(self, ScriptedRequest::new(target, Location::caller()))
    }

    /// Gets a prompt. `arguments` is a value as in [`call`](Self::call), but each member must be a text. The
    /// [`Outcome`] has the [messages](crate::testing::Outcome::messages). If the prompt fails, the outcome has an
    /// [error](crate::testing::Outcome::error) instead.
    ///
    /// [`Outcome`]: crate::testing::Outcome
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{Result, prelude::*, testing::Client};
    /// use serde_json::json;
    ///
    /// #[elicits]
    /// enum Letter {
    ///     Topic { topic: String },
    /// }
    ///
    /// /// Asks for a letter about a topic that the user names.
    /// #[mcp_prompt]
    /// async fn letter(ctx: &Ctx<Letter>, to: String) -> Result<String> {
    ///     let Topic { topic } = ctx.elicit::<Topic>("About what?").strict().await?;
    ///     Ok(format!("Write to {to} about {topic}."))
    /// }
    ///
    /// let service = Server::new("letters", "1.0.0").prompts(prompts![letter]).build().unwrap();
    /// let mut client = Client::modern(&service);
    /// let letter = client.prompt("letter", json!({ "to": "Ada" })).accept(Topic { topic: "engines".into() }).await;
    /// assert_eq!(letter.messages().len(), 1);
    /// assert_eq!(letter.messages()[0].text(), "Write to Ada about engines.");
    ///
    /// let failed = client.prompt("letter", ()).await;
    /// assert_eq!(failed.error().unwrap().code, -32602);
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if `arguments` is not serialized to an object or to `null`.
    #[track_caller]
    pub fn prompt(&mut self, name: &str, arguments: impl Serialize) -> ScriptedCall<'_> {
        let target = ClientRequest::Prompt { name: name.to_owned(), arguments: written(arguments) };
        ScriptedCall::new(self, ScriptedRequest::new(target, Location::caller()))
    }

    /// Completes an argument of a prompt. `typed` is the text that the user has typed. The [`Outcome`] has the
    /// [values](crate::testing::Outcome::completion).
    ///
    /// [`Outcome`]: crate::testing::Outcome
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{complete::CompletionRequest, prelude::*, testing::Client};
    ///
    /// async fn dishes(request: CompletionRequest) -> Vec<&'static str> {
    ///     match request.argument("meal") {
    ///         Some("breakfast") => vec!["pancakes", "porridge"],
    ///         _ => vec!["pasta", "pizza", "rice"],
    ///     }
    /// }
    ///
    /// /// Asks for a recipe.
    /// #[mcp_prompt]
    /// async fn recipe(meal: String, #[complete(dishes)] dish: String) -> String {
    ///     format!("How do I cook {dish} for {meal}?")
    /// }
    ///
    /// let service = Server::new("recipes", "1.0.0").prompts(prompts![recipe]).build().unwrap();
    /// let mut client = Client::modern(&service);
    /// let completed = client.complete("recipe", "dish", "p").await;
    /// assert_eq!(completed.completion().values, ["pasta", "pizza"]);
    ///
    /// let completed = client.complete("recipe", "dish", "pan").filled("meal", "breakfast").await;
    /// assert_eq!(completed.completion().values, ["pancakes"]);
    /// assert_eq!(completed.completion().total, Some(1));
    /// # }
    /// ```
    #[track_caller]
    pub fn complete(&mut self, prompt: &str, argument: &str, typed: &str) -> ScriptedCompletion<'_> {
        let argument = CompletedArgument::new(prompt, false, argument, typed);
        ScriptedCompletion::new(self, argument, Location::caller())
    }

    /// Completes a variable of a template of resources, such as `docs://pages/{name}`. See
    /// [`complete`](Self::complete).
    #[track_caller]
    pub fn complete_template(&mut self, template: &str, variable: &str, typed: &str) -> ScriptedCompletion<'_> {
        let argument = CompletedArgument::new(template, true, variable, typed);
        ScriptedCompletion::new(self, argument, Location::caller())
    }

    /// Reads a resource. The [`Outcome`] has the [contents](crate::testing::Outcome::contents). If the resource does
    /// not exist, the outcome has an [error](crate::testing::Outcome::error), whose code depends on the revision.
    ///
    /// [`Outcome`]: crate::testing::Outcome
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{
    ///     Call, Server,
    ///     resource::{ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceContents, ResourceDefinition, ResourceNotFound},
    ///     testing::Client,
    ///     tool::ArgumentsError,
    /// };
    ///
    /// struct Pages;
    ///
    /// impl Resource for Pages {
    ///     fn definition(&self) -> ResourceDefinition {
    ///         ResourceDefinition::new("docs://pages/{name}", "page", "A page of the manual.")
    ///     }
    ///
    ///     fn read(&self, _: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
    ///         let text = (request.variable("name") == Some("start")).then_some("# Start");
    ///         Ok(Box::pin(async move {
    ///             Ok(ReadResourceResult::new([ResourceContents::text(text.ok_or(ResourceNotFound)?)]))
    ///         }))
    ///     }
    /// }
    ///
    /// let service = Server::new("manual", "1.0.0").resource(Pages).build().unwrap();
    /// let mut client = Client::modern(&service);
    /// let page = client.read("docs://pages/start").await;
    /// assert_eq!(page.text(), "# Start");
    /// assert_eq!(page.contents()[0].uri, "docs://pages/start");
    /// assert!(client.read("docs://pages/end").await.is_not_found());
    /// # }
    /// ```
    #[track_caller]
    pub fn read(&mut self, uri: &str) -> ScriptedCall<'_> {
        ScriptedCall::new(
            self,
            ScriptedRequest::new(ClientRequest::Resource { uri: uri.to_owned() }, Location::caller()),
        )
    }

    /// Returns the tools that the server lists for this client, from all pages.
    ///
    /// # Panics
    /// Panics if the server returns an error instead of the list.
    pub async fn tools(&mut self) -> Vec<Value> {
        self.list("tools/list", "tools").await
    }

    /// Returns the prompts that the server lists for this client, from all pages.
    ///
    /// # Panics
    /// Panics if the server returns an error instead of the list.
    pub async fn prompts(&mut self) -> Vec<Value> {
        self.list("prompts/list", "prompts").await
    }

    /// Returns the resources that the server lists for this client, from all pages.
    ///
    /// # Panics
    /// Panics if the server returns an error instead of the list.
    pub async fn resources(&mut self) -> Vec<Value> {
        self.list("resources/list", "resources").await
    }

    /// Returns the templates of resources that the server lists for this client, from all pages.
    ///
    /// # Panics
    /// Panics if the server returns an error instead of the list.
    pub async fn templates(&mut self) -> Vec<Value> {
        self.list("resources/templates/list", "resourceTemplates").await
    }

    /// Opens the view of a tool as a host does: finds its URI in the list of tools, reads the page, and checks everything
    /// that hosts need.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use mcp_runtime::{prelude::*, testing::Client, view::{View, ViewDefinition}};
    ///
    /// struct Clock;
    ///
    /// impl View for Clock {
    ///     const DEFINITION: &'static ViewDefinition =
    ///         &ViewDefinition::new("ui://clock/face", "face", "<!doctype html><title>Clock</title>");
    /// }
    ///
    /// /// Tells the time.
    /// #[mcp_tool(view = Clock, read_only)]
    /// async fn now() -> Json<u64> {
    ///     Json(0)
    /// }
    ///
    /// let service = Server::new("clock", "1.0.0").tools(tools![now]).build().unwrap();
    /// let view = Client::modern(&service).view("now").await;
    /// assert_eq!(view.uri(), "ui://clock/face");
    /// assert!(view.html().contains("Clock"));
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if hosts cannot show the view, with all reasons: the extension is not declared, the page cannot be read, has
    /// another MIME type or is not a document, or one of the keys in `_meta` is invalid.
    pub async fn view(&mut self, tool: &str) -> ShownView {
        call_driver::with_course(self, async |course| course.view(tool).await).await
    }

    async fn list(&mut self, method: &'static str, member: &str) -> Vec<Value> {
        call_driver::with_course(self, async |course| course.list(method, member).await).await
    }
}

/// Writes the arguments of a call. Returns `None` if there are none.
#[track_caller]
fn written(arguments: impl Serialize) -> Option<Box<RawValue>> {
    request::object("the arguments of a call", arguments).and_then(|arguments| to_raw_value(&arguments).ok())
}
