//! Another server goes on with a call in a task.

use std::time::Duration;

use mcp_runtime::{
    Revision, in_every_mode,
    remote::{Remote, RemoteError},
    testing::Client,
};
use serde_json::{Value, json};

use super::{
    planner,
    studio::{Color, Frame},
    text,
};
use crate::support::remote_servers::{Kind, Started};

const KINDS: [Kind; 2] = [Kind::Service, Kind::Http];

fn forward(tool: &str, arguments: &Value) -> Value {
    json!({ "tool": tool, "arguments": arguments })
}

#[tokio::test]
async fn a_call_that_became_a_task_waits_for_its_result() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        // The task takes longer than a request may.
        let remote = studio.remote.clone().timeout(Duration::from_secs(2));
        let painted = remote.call("paint", json!({ "millis": 2500 })).await.unwrap();
        assert_eq!(text(&painted), "painted", "{kind:?}");
        let service = planner(&remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_06_18] {
            let mut client = Client::new(&service, revision);
            let reply = client.call("forward", forward("paint", &json!({ "millis": 2500 }))).await;
            assert_eq!(reply.text(), "painted", "{kind:?} {revision}");
            let told: Vec<_> = reply.progress().iter().map(|report| (report.total, report.message.clone())).collect();
            assert_eq!(told, [(None, Some("painting".to_owned()))], "{kind:?} {revision}");
        }
        assert_eq!(studio.done.take(), ["paint", "paint", "paint"], "{kind:?}");
        if kind == Kind::Http {
            assert_eq!(studio.requests.count("tools/call"), 3);
            assert!(studio.requests.count("tasks/get") > 3);
        }
    }
}

#[tokio::test]
async fn a_tool_that_needs_tasks_can_be_called() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let result = studio.remote.call("varnish", json!({})).await.unwrap();
        assert!(result.is_error() && text(&result) == "the varnish is empty", "{kind:?}");
        let listed = studio.remote.tools().await.unwrap();
        assert!(listed.iter().any(|tool| tool["name"] == "varnish"), "{kind:?}");
    }
}

#[tokio::test]
async fn the_questions_of_a_task_are_those_of_the_call() {
    for kind in KINDS {
        in_every_mode!(async |mode| {
            let studio = Started::studio(kind).await;
            let mut client = mode.client(|| planner(&studio.remote));
            let [red, oak] = ["red", "oak"].map(str::to_owned);
            let reply = client
                .call("forward", forward("mix", &json!({})))
                .accept(Color { name: red })
                .accept(Frame { name: oak })
                .await;
            assert_eq!(reply.text(), "red and oak", "{kind:?}");
            assert_eq!(reply.asked()[0].key(), "studio/mix/color", "{kind:?}");
            // A call that was rebuilt has followed the same task.
            assert_eq!(studio.done.take(), ["mix red oak"], "{kind:?}");
        });
    }
}

#[tokio::test]
async fn a_task_without_a_client_that_can_be_asked_is_told_so() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let error = studio.remote.call("mix", json!({})).await.unwrap_err();
        assert!(matches!(&error, RemoteError::Refused { error, .. } if error.code == -32021), "{kind:?}: {error}");
    }
}

#[tokio::test]
async fn a_task_is_cancelled_with_its_call() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let service = planner(&studio.remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_11_25] {
            let mut client = Client::new(&service, revision);
            let call = client.call("forward", forward("dry", &json!({}))).cancel_on_progress();
            assert!(call.await.is_cancelled(), "{kind:?} {revision}");
            studio.done.until("cancelled").await;
            assert_eq!(studio.done.take(), ["dry", "cancelled"], "{kind:?} {revision}");
        }
        // A call that is no part of another one.
        let call = studio.remote.call("dry", json!({})).into_future();
        assert!(tokio::time::timeout(Duration::from_millis(500), call).await.is_err());
        studio.done.until("cancelled").await;
    }
}

#[tokio::test]
async fn an_error_of_the_protocol_that_ends_a_task_is_that_of_the_call() {
    for kind in KINDS {
        let studio = Started::studio(kind).await;
        let error = studio.remote.call("spill", json!({})).await.unwrap_err();
        let is_refused = matches!(&error, RemoteError::Refused { error, method, .. }
            if error.code == -32603 && method == "tools/call");
        assert!(is_refused && error.to_string().contains("could not be serialized"), "{kind:?}: {error}");
    }
}

#[tokio::test]
async fn a_long_result_is_read_again_when_the_call_is_rebuilt() {
    for kind in KINDS {
        in_every_mode!(async |mode| {
            let studio = Started::studio(kind).await;
            let mut client = mode.client(|| planner(&studio.remote));
            let reply = client.call("forward", forward("large", &json!({}))).await;
            assert_eq!(reply.text().len(), 100_000, "{kind:?}");
        });
    }
}

/// Servers in processes that answer with whatever is written here.
#[cfg(unix)]
mod scripted {
    use std::process::Command;

    use super::*;
    use crate::support::directory::Directory;

    /// Answers each `tasks/get` with the next line of its arguments, and the last one again and again.
    const SERVER: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/^{"jsonrpc":"2.0","id":\([0-9]*\).*/\1/p')
    reply() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
    case $line in
        *server/discover*)
            reply '"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":60000,"cacheScope":"public"}' ;;
        *'"method":"tools/call"'*)
            case $line in
                *'"io.modelcontextprotocol/tasks":{}'*) reply '"result":{"resultType":"task","taskId":"t1","status":"working","createdAt":"2026-11-22T10:00:00Z","lastUpdatedAt":"2026-11-22T10:00:00Z","ttlMs":null,"pollIntervalMs":1}' ;;
                *) reply '"error":{"code":-32021,"message":"the extension is not declared"}' ;;
            esac ;;
        *'"method":"tasks/get"'*)
            reply "$1"
            [ $# -gt 1 ] && shift ;;
        *'"id":'*) reply '"result":{"resultType":"complete","tools":[]}' ;;
    esac
done
"#;

    /// Calls a tool that becomes a task of a server that answers like this.
    async fn called(answers: &[&str]) -> Result<String, RemoteError> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SERVER, "sh"]).args(answers);
        let remote = Remote::stdio(&command).named("sh").timeout(Duration::from_secs(9));
        remote.call("work", json!({})).await.map(|result| text(&result).to_owned())
    }

    const WORKING: &str = r#""result":{"resultType":"complete","taskId":"t1","status":"working"}"#;
    const DONE: &str = r#""result":{"resultType":"complete","taskId":"t1","status":"completed","result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}"#;

    #[tokio::test]
    async fn a_server_is_asked_until_the_task_has_ended() {
        assert_eq!(called(&[WORKING, WORKING, DONE]).await.unwrap(), "done");
        // The server is busy for a moment.
        let busy = r#""error":{"code":-32603,"message":"busy","data":{"retryAfterMs":10}}"#;
        assert_eq!(called(&[WORKING, busy, DONE]).await.unwrap(), "done");
    }

    #[tokio::test]
    async fn a_task_without_a_result_says_why() {
        let ended = |members: &str| format!(r#""result":{{"resultType":"complete","taskId":"t1",{members}}}"#);
        let unknown = r#""error":{"code":-32602,"message":"Unknown task: t1"}"#.to_owned();
        let busy = r#""error":{"code":-32603,"message":"busy","data":{"retryAfterMs":10000}}"#.to_owned();
        for (answer, said) in [
            (unknown, "it has expired, or refuses `tasks/get`: Unknown task: t1 (code -32602)"),
            (busy, "it cannot be followed any more"),
            (ended(r#""status":"cancelled""#), "which has no result: it was cancelled"),
            (ended(r#""status":"failed","statusMessage":"out of paint""#), "which has no result: out of paint"),
            (ended(r#""status":"completed""#), "the status `completed` is unknown or has no result"),
            (ended(r#""status":"asleep""#), "the status `asleep` is unknown or has no result"),
            (ended(r#""status":7"#), "has answered `tasks/get` wrongly"),
        ] {
            let error = called(&[WORKING, &answer]).await.unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
            assert!(error.may_have_run(), "{error}");
        }
        let failed = ended(r#""status":"failed","error":{"code":-32603,"message":"out of paint"}"#);
        let error = called(&[WORKING, &failed]).await.unwrap_err();
        assert_eq!(error.to_string(), "the server `sh` refuses `tools/call`: out of paint (code -32603)");
    }

    /// Reports progress, and answers with a task only after a while. Writes the cancellation of the task to the file of its
    /// first argument.
    const LATE: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/^{"jsonrpc":"2.0","id":\([0-9]*\).*/\1/p')
    reply() { printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":%s}}\n' "$id" "$1"; }
    case $line in
        *server/discover*)
            reply '"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":60000,"cacheScope":"public"' ;;
        *'"method":"tools/call"'*)
            printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}\n' "$id"
            sleep 0.3
            reply '"task","taskId":"t1","status":"working","ttlMs":null' ;;
        *'"method":"tasks/cancel"'*)
            echo "$line" >> "$1"
            reply '"complete"' ;;
        *'"id":'*) reply '"complete","tools":[]' ;;
    esac
done
"#;

    #[tokio::test]
    async fn a_task_that_comes_after_the_end_of_its_session_call_is_cancelled() {
        let folder = Directory::new("late-tasks");
        let file = folder.path().join("cancelled");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", LATE, "sh"]).arg(&file);
        let service = planner(&Remote::stdio(&command)).build().unwrap();
        let mut client = Client::new(&service, Revision::V2025_11_25);
        let call = client.call("forward", forward("work", &json!({}))).cancel_on_progress();
        assert!(call.await.is_cancelled());
        let told = async {
            while !std::fs::read_to_string(&file).unwrap_or_default().contains(r#""taskId":"t1""#) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), told).await.unwrap();
    }
}
