//! What the service gets.

use mcp_runtime::{Server, openapi, testing::Client};
use serde_json::json;
use wiremock::ResponseTemplate;

use super::{KEY, api, called, colors, part, requests, server, service};

#[tokio::test]
async fn parameters_are_written_in_their_styles() {
    let server = server(part()).await;
    let arguments = json!({
        "tag": ["a b", "c&d"], "ids": [1, 2], "filter": { "size": 3 }, "X-Trace": "t-1",
    });
    let (failed, text) = called(api(&server.uri()), "find_parts", arguments).await;
    assert!(!failed, "{text}");
    let request = requests(&server).await.remove(0);
    assert_eq!(request.url.path(), "/v1/parts");
    assert_eq!(request.url.query(), Some("tag=a%20b&tag=c%26d&ids=1,2&filter%5Bsize%5D=3"));
    assert_eq!(
        (&request.headers["x-trace"], &request.headers["x-key"]),
        (&"t-1".parse().unwrap(), &KEY.parse().unwrap())
    );
    assert_eq!(request.headers["accept"], "application/json");
}

#[tokio::test]
async fn a_comma_in_an_item_is_not_a_separator() {
    let server = server(ResponseTemplate::new(204)).await;
    let arguments = json!({ "names": ["blue", "a,b"], "mix": { "R": "100", "G": "a=b" }, "like": ["a,b", "c"] });
    let (failed, text) = called(colors(&server.uri()), "find_colors", arguments).await;
    assert!(!failed, "{text}");
    let arguments = json!({ "names": ["blue"], "mix": { "R": "1" }, "like": [] });
    let (failed, text) = called(colors(&server.uri()), "find_colors", arguments).await;
    assert!(!failed, "{text}");
    let requests = requests(&server).await;
    assert_eq!(requests[0].url.path(), "/colors/blue,a%2Cb/R=100,G=a%3Db");
    assert_eq!(requests[0].url.query(), Some("like=a%2Cb,c"));
    assert_eq!((requests[1].url.path(), requests[1].url.query()), ("/colors/blue/R=1", None));
}

#[tokio::test]
async fn null_is_not_a_part_of_a_path() {
    let server = server(ResponseTemplate::new(204)).await;
    let (failed, text) = called(colors(&server.uri()), "delete_color", json!({ "id": null })).await;
    assert!(failed && text.contains("`id` is null, which cannot be a part of a path"), "{text}");
    assert!(requests(&server).await.is_empty());
}

#[tokio::test]
async fn a_path_argument_stays_inside_of_its_segment() {
    let server = server(part()).await;
    called(api(&server.uri()), "get_part", json!({ "name": "../a/b?c" })).await;
    assert_eq!(requests(&server).await[0].url.path(), "/v1/parts/..%2Fa%2Fb%3Fc");
    for name in ["", ".", ".."] {
        let (failed, text) = called(api(&server.uri()), "get_part", json!({ "name": name })).await;
        assert!(failed && text.contains("which cannot be a part of a path"), "{text}");
    }
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn a_header_argument_cannot_begin_another_header() {
    let server = server(part()).await;
    let (failed, text) = called(api(&server.uri()), "find_parts", json!({ "X-Trace": "a\r\nX-Key: b" })).await;
    assert!(failed && text.contains("characters that a header cannot have"), "{text}");
    assert_eq!(requests(&server).await.len(), 0);
}

#[tokio::test]
async fn bodies_are_json_or_forms() {
    let server = server(part()).await;
    called(api(&server.uri()), "add_part", json!({ "name": "nut", "size": 2 })).await;
    called(api(&server.uri()), "change_part", json!({ "name": "nut", "size": 2, "colors": ["a", "b"] })).await;
    called(api(&server.uri()), "change_part", json!({ "name": "nut" })).await;
    let requests = requests(&server).await;
    assert_eq!(requests[0].body_json::<serde_json::Value>().unwrap(), json!({ "name": "nut", "size": 2 }));
    assert_eq!(requests[1].method, "PATCH");
    assert_eq!(requests[1].body, b"colors=a&colors=b&size=2");
    assert_eq!(requests[1].headers["content-type"], "application/x-www-form-urlencoded");
    assert!(requests[2].body.is_empty() && !requests[2].headers.contains_key("content-type"));
}

#[tokio::test]
async fn arguments_are_checked_before_a_request() {
    let server = server(part()).await;
    for (tool, arguments) in [
        ("add_part", json!({ "size": 2 })),
        ("add_part", json!({ "name": "nut", "size": "large" })),
        ("add_part", json!({ "name": "nut", "sise": 2 })),
    ] {
        let (failed, text) = called(api(&server.uri()), tool, arguments).await;
        assert!(failed && text.starts_with("invalid arguments"), "{text}");
    }
    assert_eq!(requests(&server).await.len(), 0);
}

#[tokio::test]
async fn each_kind_of_credential_is_sent() {
    for (scheme, secret, header, sent) in [
        ("token", "abc", "authorization", "Bearer abc"),
        ("login", "me:pw", "authorization", "Basic bWU6cHc="),
        ("key", "abc", "x-key", "abc"),
    ] {
        let server = server(part()).await;
        let api = openapi!("api.json").base_url(server.uri()).credential(scheme, secret.to_owned());
        called(api, "find_parts", json!({})).await;
        assert_eq!(requests(&server).await[0].headers[header], sent, "{scheme}");
    }
    let server = server(part()).await;
    let api = openapi!("api.json").base_url(server.uri()).credential("query_key", "a&b".to_owned());
    called(api, "find_parts", json!({})).await;
    assert_eq!(requests(&server).await[0].url.query(), Some("key=a%26b"));
}

#[tokio::test]
async fn a_password_can_have_characters_that_a_header_cannot_have() {
    let server = server(part()).await;
    let api = openapi!("api.json").base_url(server.uri()).credential("login", "ann:pass wörd".to_owned());
    called(api, "find_parts", json!({})).await;
    let api = openapi!("api.json").base_url(server.uri()).credential("query_key", "two wörds".to_owned());
    called(api, "find_parts", json!({})).await;
    let requests = requests(&server).await;
    assert_eq!(requests[0].headers["authorization"], "Basic YW5uOnBhc3Mgd8O2cmQ=");
    assert_eq!(requests[1].url.query(), Some("key=two%20w%C3%B6rds"));
}

#[tokio::test]
async fn an_argument_cannot_send_another_credential() {
    let server = server(ResponseTemplate::new(204)).await;
    for arguments in [json!({ "more": { "api_key": "mine" } }), json!({}), json!({ "more": { "a b": "c" } })] {
        let api = colors(&server.uri()).credential("query_key", KEY.to_owned());
        let (failed, text) = called(api, "search", arguments).await;
        assert!(!failed, "{text}");
    }
    let requests = requests(&server).await;
    let queries: Vec<_> = requests.iter().map(|request| request.url.query().unwrap()).collect();
    let own = format!("api_key={KEY}");
    assert_eq!(queries, [&own, &own, &format!("a%20b=c&{own}")]);
}

#[tokio::test]
async fn optional_security_sends_a_credential_that_is_set() {
    let server = server(ResponseTemplate::new(401)).await;
    let arguments = json!({ "names": ["blue"], "mix": { "R": "1" } });
    called(colors(&server.uri()).credential("key", KEY.to_owned()), "find_colors", arguments.clone()).await;
    let (failed, text) = called(colors(&server.uri()), "find_colors", arguments).await;
    assert!(failed && text.ends_with("which only the operator of this server can correct: `COLORS_KEY`"), "{text}");
    let requests = requests(&server).await;
    assert_eq!(requests[0].headers["x-key"], KEY);
    assert!(!requests[1].headers.contains_key("x-key"));
}

#[tokio::test]
async fn an_operation_without_security_gets_no_credential() {
    let server = server(part()).await;
    called(api(&server.uri()), "get_part", json!({ "name": "bolt" })).await;
    assert!(!requests(&server).await[0].headers.contains_key("x-key"));
}

#[tokio::test]
async fn a_text_that_the_document_describes_is_the_result() {
    let server = server(ResponseTemplate::new(200).set_body_raw("a,b\n1,2", "text/csv")).await;
    assert_eq!(called(api(&server.uri()), "get_report", json!({})).await, (false, "a,b\n1,2".to_owned()));
}

#[tokio::test]
async fn tools_have_hints_and_schemas() {
    let mut client = Client::modern(&service(api("http://127.0.0.1:9")));
    let tools = client.tools().await;
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap().clone();
    assert_eq!(tool("get_part")["annotations"]["readOnlyHint"], true);
    assert_eq!(tool("add_part")["annotations"].get("destructiveHint"), None);
    assert_eq!(tool("add_part")["inputSchema"]["required"], json!(["name"]));
    assert_eq!(tool("add_part")["outputSchema"]["properties"]["size"]["type"], "integer");
    assert_eq!(tool("get_report").get("outputSchema"), None);
}

#[test]
fn build_names_what_the_operator_must_correct() {
    let problems = |api| Server::new("parts", "1.0.0").tools(api).build().unwrap_err().to_string();
    let error = problems(openapi!("api.json"));
    assert!(error.contains("the document of `Parts` has no URL of a server that is whole"), "{error}");
    assert_eq!(error.matches("has no URL").count(), 1, "{error}");
    let error = problems(openapi!("api.json").base_url("ftp://h"));
    assert!(error.contains("is not `http` or `https`"), "{error}");
    let error = problems(api("http://h").credential("keys", "k".to_owned()));
    assert!(error.contains("use no security scheme `keys`, only `key`, `query_key`, `login`, `token`"), "{error}");
    let error = problems(api("http://h").credential("key", "two words".to_owned()));
    assert!(error.contains("the credential `key` contains spaces") && !error.contains("two words"), "{error}");
    let error = problems(api("http://h").credential("login", "secret".to_owned()));
    assert!(error.contains("the credential `login` has no `:`; write it as `user:password`"), "{error}");
    assert!(!error.contains("secret"), "{error}");
}
