//! Renamed tools, and tools that wrap other tools.

use mcp_runtime::{
    Call, Result, Server, Service, Tool,
    call::CallFuture,
    prelude::*,
    testing::{Client, Mode, in_every_mode},
    tool::{Arguments, ArgumentsError, ToolDefinition},
};
use serde_json::json;

/// The tools of a library.
mod git {
    use mcp_runtime::{Tool, prelude::*};

    /// Shows what was committed.
    #[mcp_tool(read_only)]
    async fn log(ctx: &Ctx) -> &'static str {
        ctx.log(Level::Info, "looking");
        "initial commit"
    }

    /// Shows what is not committed.
    #[mcp_tool(read_only)]
    async fn status() -> &'static str {
        "clean"
    }

    pub(super) fn tools() -> Vec<Box<dyn Tool>> {
        tools![log, status]
    }
}

#[elicits]
#[derive(Debug)]
enum Asks {
    Sure { sure: bool },
}

/// A tool that greets with the given words.
struct Greet(&'static str);

/// Greets somebody who is sure.
#[handoff]
impl Greet {
    async fn before(&self, name: String) -> String {
        format!("{}, {name}", self.0)
    }

    async fn client(ctx: &Ctx<Asks>, greeting: &String) -> Result<bool> {
        Ok(ctx.elicit::<Sure>(format!("{greeting}?")).strict().await?.sure)
    }

    async fn after(&self, ctx: &PhaseCtx, greeting: String, sure: bool) -> String {
        ctx.log(Level::Info, "greeting");
        format!("{greeting}{}", if sure { "!" } else { "." })
    }
}

/// Forwards calls to the wrapped tool.
struct Wrapper<T> {
    tool: T,
    tells: bool,
}

impl<T: Tool> Tool for Wrapper<T> {
    fn definition(&self) -> ToolDefinition {
        self.tool.definition()
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.tool.call(call, arguments)
    }

    fn wrapped(&self) -> Option<&dyn Tool> {
        self.tells.then_some(&self.tool)
    }
}

fn names(service: &Service) -> Vec<String> {
    let manifest = service.manifest();
    let tools = manifest["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn problem(server: Server) -> String {
    server.build().unwrap_err().to_string()
}

#[tokio::test]
async fn adds_a_prefix_to_the_tools_of_a_library() {
    let server = Server::new("s", "1").tools(git::tools().prefix("git_")).tools(git::tools().rename("log", "history"));
    let service = server.build().unwrap();
    assert_eq!(names(&service), ["git_log", "git_status", "history", "status"]);
    let mut client = Client::modern(&service);
    let outcome = client.call("git_log", ()).await;
    assert_eq!(outcome.text(), "initial commit");
    assert_eq!(outcome.logs()[0].logger.as_deref(), Some("git_log"));
    assert_eq!(client.call("history", ()).await.text(), "initial commit");
    assert!(client.call("log", ()).await.error().is_some(), "its own name is not there");
}

#[test]
fn a_prefix_applies_to_a_renamed_tool() {
    let tools = git::tools().rename("log", "history").prefix("git.").prefix("my-");
    assert_eq!(names(&Server::new("s", "1").tools(tools).build().unwrap()), ["my-git.history", "my-git.status"]);
}

#[test]
fn checks_new_names_like_others() {
    let spaced = problem(Server::new("s", "1").tools(git::tools().prefix("git log: ")));
    assert!(spaced.contains("tool `git log: status`: a name can have only ASCII letters"), "{spaced}");
    let twice = problem(Server::new("s", "1").tools(git::tools().rename("log", "status")));
    assert!(twice.contains("tool `status`: two tools have this name"), "{twice}");
    let unknown = problem(Server::new("s", "1").tools(git::tools().rename("blame", "who")));
    assert_eq!(
        unknown,
        "the server cannot be built: the list has no tool named `blame`, so it cannot be renamed to `who`; the \
         list has `log`, `status`"
    );
}

#[tokio::test]
async fn a_handoff_keeps_its_value_and_its_state_under_another_name() {
    in_every_mode(async |mode: &Mode| {
        let server = || {
            let list: Vec<Box<dyn Tool>> = vec![Box::new(Greet("Hi"))];
            let listed = list.prefix("short_");
            Server::new("s", "1").tool(Greet("Hello").with_name("hello")).tools(listed)
        };
        let mut client = mode.client(server);
        for (tool, told) in [("hello", "Hello, Ann!"), ("short_greet", "Hi, Ann!")] {
            let outcome = client.call(tool, json!({ "name": "Ann" })).accept(Sure { sure: true }).await;
            assert_eq!(outcome.text(), told, "{}", mode.name());
            assert!(outcome.logs().iter().all(|log| log.logger.as_deref() == Some(tool)), "{:?}", outcome.logs());
        }
    })
    .await;
}

#[tokio::test]
async fn a_wrapped_handoff_resumes() {
    in_every_mode(async |mode: &Mode| {
        let wrapped = || Wrapper { tool: Wrapper { tool: Greet("Hello"), tells: true }, tells: true };
        let mut client = mode.client(|| Server::new("s", "1").tool(wrapped()));
        let outcome = client.call("greet", json!({ "name": "Ann" })).accept(Sure { sure: false }).await;
        assert_eq!(outcome.text(), "Hello, Ann.");
    })
    .await;
}

#[test]
fn build_rejects_a_wrapped_handoff_that_could_not_resume() {
    let told = problem(Server::new("s", "1").tool(Wrapper { tool: Greet("Hello"), tells: false }));
    assert!(told.contains("tool `greet`: it wraps the handoff `suite::renamed::Greet`"), "{told}");
    assert!(told.contains("so its `Tool::wrapped` must return this handoff"), "{told}");
}
