//! Settings of a server that an application builds.

use mcp_runtime::{prelude::*, settings::Secret};
use serde_json::json;

const SECRET: &str = "s3cr3t-94f1";

#[derive(Debug, Settings)]
#[setting(prefix = "MCPTEST_FIRST")]
struct First {
    /// How many results there are.
    #[setting(default = 20)]
    limit: u8,
}

#[derive(Debug, Settings)]
#[allow(dead_code, reason = "`Debug` shows them")]
#[setting(prefix = "MCPTEST_SECOND")]
struct Second {
    /// The token of the service.
    token: Secret<String>,
    /// Who searches.
    user: String,
}

/// The same names as those of [`First`].
#[derive(Settings)]
#[allow(dead_code, reason = "it is never read")]
#[setting(prefix = "MCPTEST_FIRST")]
struct Again {
    /// How many errors there are.
    #[setting(rename = "errors", env = "MCPTEST_FIRST_LIMIT")]
    limit: u8,
}

struct Doubled(u32);

/// Shows the settings.
#[mcp_tool(read_only)]
async fn show(first: &First, doubled: &Doubled) -> String {
    format!("{} {}", first.limit, doubled.0)
}

/// Shows the secret ones.
#[mcp_tool(read_only)]
async fn show_second(second: &Second) -> String {
    format!("{second:?}")
}

fn doubled(first: &First) -> Result<Doubled, String> {
    Ok(Doubled(u32::from(first.limit) * 2))
}

fn problems(server: Server) -> Vec<String> {
    server.build().unwrap_err().problems().to_vec()
}

#[tokio::test]
async fn settings_are_states_and_make_states() {
    let server = Server::new("s", "1").settings::<First>().state_from(doubled).tools(tools![show]);
    let service = server.build().unwrap();
    let mut client = mcp_runtime::testing::Client::new(&service, mcp_runtime::Revision::LATEST);
    assert_eq!(client.call("show", json!({})).await.text(), "20 40");
    let names: Vec<_> = service.setting_definitions().iter().map(|setting| setting.name()).collect();
    assert_eq!(names, ["limit"]);
    assert_eq!(
        service.manifest()["settings"],
        json!([{
            "name": "limit", "description": "How many results there are.", "kind": "number", "min": 0, "max": 255,
            "default": 20, "env": "MCPTEST_FIRST_LIMIT", "flag": "limit",
        }])
    );
}

#[test]
fn a_server_without_settings_publishes_none() {
    let service = Server::new("s", "1").build().unwrap();
    assert!(service.setting_definitions().is_empty());
    assert!(service.manifest().get("settings").is_none());
}

/// A program without options names none.
#[test]
fn one_error_lists_all_that_is_missing_and_no_state_besides() {
    let server = Server::new("s", "1").settings::<Second>().tools(tools![show_second]);
    assert_eq!(
        problems(server),
        [
            "the setting `token` (The token of the service) is missing; set the variable `MCPTEST_SECOND_TOKEN`, \
             `MCPTEST_SECOND_TOKEN_FILE` with the path of a file that contains it or `token` in the file of `MCP_CONFIG`",
            "the setting `user` (Who searches) is missing; set the variable `MCPTEST_SECOND_USER` or `user` in the file of \
             `MCP_CONFIG`",
        ]
    );
}

#[test]
fn two_structs_of_settings_share_no_names() {
    assert_eq!(
        problems(Server::new("s", "1").settings::<First>().settings::<Again>())[0],
        "two settings have the variable `MCPTEST_FIRST_LIMIT`; write `#[setting(env = \"…\")]` on one"
    );
    let twice = problems(Server::new("s", "1").settings::<First>().settings::<First>());
    assert!(twice.iter().any(|problem| problem.starts_with("two settings have the name `limit`")), "{twice:?}");
}

#[test]
fn a_state_is_made_only_from_declared_settings() {
    let server = Server::new("s", "1").state_from(doubled).settings::<First>().tools(tools![show]);
    let problems = problems(server);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("First`, which the server does not have; add `.settings::<"), "{problems:?}");
}

/// With `mcp_runtime::Result`, as in tools.
#[test]
fn an_error_of_a_function_that_makes_a_state_names_its_sources() {
    fn open(_: &First) -> mcp_runtime::Result<Doubled> {
        Err(std::fs::read("/no/such/file").map(|_| ()).unwrap_err().into())
    }
    let server = Server::new("s", "1").settings::<First>().state_from(open).tools(tools![show]);
    let problems = problems(server);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("cannot make the state `"), "{problems:?}");
    assert!(
        problems[0].ends_with("Doubled` from the settings: No such file or directory (os error 2)"),
        "{problems:?}"
    );
}

#[tokio::test]
async fn a_test_gives_the_values_as_a_state() {
    let second = Second { token: Secret::new(SECRET.to_owned()), user: "ann".to_owned() };
    let service = Server::new("s", "1").state(second).tools(tools![show_second]).build().unwrap();
    let mut client = mcp_runtime::testing::Client::new(&service, mcp_runtime::Revision::LATEST);
    assert_eq!(client.call("show_second", json!({})).await.text(), "Second { token: ***, user: \"ann\" }");
}
