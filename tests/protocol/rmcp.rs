//! `rmcp`, the official Rust SDK, as the client of the examples, over standard input and output and over HTTP, in both eras.

#![expect(deprecated, reason = "logging and sampling are deprecated, and tested nevertheless")]

mod booking;
mod changes;
mod docs;
mod games;
mod signup;
mod ways;

use std::sync::{Arc, Mutex};

use ::rmcp::{
    ClientHandler, ClientLifecycleMode, RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, CallToolResult, ClientConfig, ClientRequest, LoggingLevel,
        LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion, RequestMetaObject,
        SetLevelRequestParams,
    },
    service::{NotificationContext, PeerRequestOptions, ServiceError},
};
use serde_json::{Value, json};

use self::ways::{Connected, Way, connect_as, connect_by, every_way};

/// The notifications that a client received, and the information that it sends about itself.
#[derive(Clone)]
struct Handler {
    config: ClientConfig,
    logs: Arc<Mutex<Vec<LoggingMessageNotificationParam>>>,
    reports: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.reports.lock().unwrap().push(params);
    }

    async fn on_logging_message(&self, params: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        self.logs.lock().unwrap().push(params);
    }
}

async fn connect(program: &str, way: &Way) -> Connected<Handler> {
    let config = ClientConfig::default().with_protocol_version(way.version.clone());
    connect_as(Handler { config, logs: Arc::default(), reports: Arc::default() }, program, way).await
}

fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

async fn call<H: ClientHandler>(client: &Connected<H>, tool: &'static str, arguments: Value) -> CallToolResult {
    client.call_tool(params(tool, arguments)).await.unwrap()
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

#[tokio::test]
async fn lists_and_calls_the_tools_of_the_examples() {
    for way in every_way() {
        let flights = connect("flights", &way).await;
        let tools = flights.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        let shown = ["search_flights", "get_flight", "list_airports", "seat_map"];
        // A client without forms is shown what needs them only where the list is the same for all.
        let all =
            if way.is_legacy() { &names[..] } else { names.strip_suffix(&["choose_seat", "book_flight"]).unwrap() };
        assert_eq!(all, shown);
        let structured = way.version >= ProtocolVersion::V_2025_06_18;
        assert!(tools[..shown.len()].iter().all(|tool| tool.output_schema.is_some() == structured));

        let found = call(&flights, "search_flights", json!({ "destination": "OSL", "limit": 1 })).await;
        let mirror: Value = serde_json::from_str(text(&found)).unwrap();
        assert_eq!(mirror["flights"][0]["destination"], "OSL");
        assert_eq!(found.structured_content, structured.then_some(mirror));

        let wrong = call(&flights, "search_flights", json!({ "destination": "OSL", "limit": 0 })).await;
        assert_eq!(wrong.is_error, Some(true));
        assert!(text(&wrong).contains("`limit`"), "{}", text(&wrong));

        let unknown = flights.call_tool(params("pay_flight", json!({}))).await.unwrap_err();
        let ServiceError::McpError(error) = unknown else { panic!("{unknown}") };
        assert_eq!((error.code.0, &*error.message), (-32602, "Unknown tool: pay_flight"));
        flights.close().await;

        let code_search = connect("code_search", &way).await;
        let names: Vec<_> = code_search.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["search", "find_files", "read_lines", "outline"]);
        let files = call(&code_search, "find_files", json!({ "globs": ["*.rs"] })).await;
        assert!(text(&files).contains("src/lib.rs"));
        let lines = call(&code_search, "read_lines", json!({ "path": "src/lib.rs", "first": 9, "count": 1 })).await;
        assert!(text(&lines).contains("pub struct Reading"));
        let outline = call(&code_search, "outline", json!({ "path": "tools/report.py" })).await;
        assert!(text(&outline).contains("Python"));
        let failed = call(&code_search, "search", json!({ "pattern": "fn (" })).await;
        assert_eq!(failed.is_error, Some(true));
        code_search.close().await;
    }
}

#[tokio::test]
async fn progress_and_logs_arrive() {
    for way in every_way() {
        let client = connect("code_search", &way).await;
        let mut search = params("search", json!({ "pattern": "TODO" }));
        if way.is_legacy() {
            client.set_level(SetLevelRequestParams::new(LoggingLevel::Debug)).await.unwrap();
        } else {
            let mut meta = RequestMetaObject::new();
            meta.set_log_level(LoggingLevel::Debug);
            search.meta = Some(meta);
        }
        // This client asks for progress with every request.
        client.call_tool(search).await.unwrap();
        client.call_tool(params("find_files", json!({}))).await.unwrap();

        let handler = client.service();
        let heard = async {
            while handler.logs.lock().unwrap().is_empty() || handler.reports.lock().unwrap().len() < 2 {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(crate::protocol::wire::PATIENCE, heard).await.expect("logs and progress");
        let logs = handler.logs.lock().unwrap().clone();
        assert_eq!((logs.len(), logs[0].level, logs[0].logger.as_deref()), (1, LoggingLevel::Debug, Some("search")));
        let reports = handler.reports.lock().unwrap().clone();
        assert!(
            reports.iter().all(|report| report.message.is_some() == (way.version != ProtocolVersion::V_2024_11_05))
        );
        client.close().await;
    }
}

#[tokio::test]
async fn a_cancelled_call_is_dropped() {
    for way in every_way() {
        let client = connect("probe", &way).await;
        let hold = ClientRequest::CallToolRequest(CallToolRequest::new(params("hold", json!({}))));
        let request = client.send_cancellable_request(hold, PeerRequestOptions::no_options()).await.unwrap();
        while text(&call(&client, "held", json!({})).await) != "1" {}
        request.cancel(Some("enough".to_owned())).await.unwrap();
        while text(&call(&client, "held", json!({})).await) != "0" {}
        client.close().await;
    }
}

#[tokio::test]
async fn a_probing_client_finds_the_newest_revision() {
    for over_http in [false, true] {
        let handler = Handler { config: ClientConfig::default(), logs: Arc::default(), reports: Arc::default() };
        let lifecycle =
            ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::V_2026_07_28], legacy_version: None };
        let client = connect_by(handler, "hello", over_http, lifecycle).await;
        assert_eq!(client.peer_info().unwrap().protocol_version, ProtocolVersion::V_2026_07_28);
        assert_eq!(text(&call(&client, "greet", json!({ "name": "rmcp" })).await), "Hello, rmcp!");
        client.close().await;
    }
}
