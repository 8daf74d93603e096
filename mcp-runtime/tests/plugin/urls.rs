//! Tools that ask the user to open a page, with and without a handler; and handlers of tools in lists.

use std::sync::{Arc, Mutex};

use mcp_runtime::{
    Elicited, Result, Tool,
    elicit::{ElicitRequest, ElicitUrlRequest},
    plugin::{Plugin, PluginHost, StartError},
    prelude::*,
};
use serde_json::json;

use crate::plugin::support::{accept, question};

#[elicits]
enum Account {
    Confirm { confirmed: bool },
}

#[elicits]
enum Other {
    Name { name: String },
}

/// Connects an account: shows a form, and then a page.
#[mcp_tool(requires(elicitation_url))]
async fn connect(ctx: &Ctx<Account>) -> Result<String> {
    let Confirm { confirmed } = ctx.elicit::<Confirm>("Connect?").strict().await?;
    let page = ctx.elicit_url("sign_in", "https://example.com/sign-in?id=1", "Sign in").await;
    Ok(match page {
        Ok(_) => format!("connected: {confirmed}"),
        Err(error) => format!("not connected: {error}"),
    })
}

/// Leaves pages to the timeline.
struct FormsOnly;

impl AccountHandler for FormsOnly {
    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Accept(Confirm { confirmed: true })
    }
}

/// Opens pages itself.
struct Browser {
    answer: Elicited<()>,
    opened: Arc<Mutex<Vec<String>>>,
}

impl AccountHandler for Browser {
    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Accept(Confirm { confirmed: false })
    }

    async fn elicit_url(&self, request: ElicitUrlRequest<'_>) -> Elicited<()> {
        assert_eq!((request.tool_name(), request.key(), request.seq()), ("connect", "sign_in", 2));
        assert_eq!((request.message(), request.arguments().get()), ("Sign in", "{}"));
        assert!(request.handoff().is_none() && !request.call_id().is_empty());
        self.opened.lock().unwrap().push(request.url().to_owned());
        self.answer
    }
}

struct NameOnly;

impl OtherHandler for NameOnly {
    async fn name(&self, _: ElicitRequest<'_, Name>) -> Elicited<Name> {
        Elicited::Cancel
    }
}

fn server() -> Server {
    Server::new("accounts", "1.0.0")
}

#[tokio::test]
async fn a_handler_opens_the_page() {
    for (answer, told) in [
        (Elicited::Accept(()), "connected: false"),
        (Elicited::Decline, "not connected: the user declined"),
        (Elicited::Cancel, "not connected: the user cancelled"),
    ] {
        let opened = Arc::default();
        let browser = Browser { answer, opened: Arc::clone(&opened) };
        let tool = Plugin::new(connect {}).on_elicit(browser).start(server()).await.unwrap();
        assert_eq!(tool.call(json!({})).await.unwrap().outcome().await.text(), told);
        assert_eq!(*opened.lock().unwrap(), ["https://example.com/sign-in?id=1"]);
    }
}

#[tokio::test]
async fn a_page_stays_on_the_timeline_if_the_handler_has_no_method_for_it() {
    let tool = Plugin::new(connect {}).on_elicit(FormsOnly).start(server()).await.unwrap();
    let call = tool.call(json!({})).await.unwrap();
    let asked = question(&call, 2).await;
    assert_eq!(asked.url.as_deref(), Some("https://example.com/sign-in?id=1"));
    call.answer_json(2, accept(json!({}))).await.unwrap();
    assert_eq!(call.outcome().await.text(), "connected: true");
}

#[tokio::test]
async fn a_renamed_tool_takes_a_handler() {
    let renamed = Plugin::new(Tool::with_name(connect {}, "sign_in")).on_elicit(FormsOnly);
    let tool = renamed.start(server()).await.unwrap();
    assert_eq!(tool.name(), "sign_in");
    let call = tool.call(json!({})).await.unwrap();
    question(&call, 2).await;
    call.answer_json(2, Elicited::Decline).await.unwrap();
    assert_eq!(call.outcome().await.text(), "not connected: the user declined");
}

#[tokio::test]
async fn a_tool_of_a_list_takes_a_handler() {
    let server = server().tools(tools![connect].prefix("account_"));
    let host = PluginHost::builder(server).on_elicit::<Account, _>("account_connect", FormsOnly).start().await;
    let call = host.unwrap().call("account_connect", json!({})).await.unwrap();
    question(&call, 2).await;
    call.answer_json(2, accept(json!({}))).await.unwrap();
    assert_eq!(call.outcome().await.text(), "connected: true");
}

#[tokio::test]
async fn start_fails_if_a_handler_does_not_fit_its_tool() {
    let builder = || PluginHost::builder(server().tools(tools![connect]));
    let other = builder().on_elicit::<Other, _>("connect", NameOnly).start().await.unwrap_err();
    assert!(matches!(other, StartError::Handler(_)));
    assert_eq!(other.to_string(), "the handler of `connect` does not answer the form `confirm`");
    let unknown = builder().on_elicit::<Account, _>("conect", FormsOnly).start().await.unwrap_err();
    let expected = "a handler is set for the tool `conect`, but the server has no such tool; did you mean `connect`?";
    assert_eq!(unknown.to_string(), expected);
}
