//! Servers in processes, which say less about their messages than those behind a URL.

use std::{fs, process::Command, time::Duration};

use mcp_runtime::{Level, remote::Remote, testing::Client};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::gateway;
use crate::support::directory::Directory;

/// A server whose tool `work` logs, and whose tool `wait` does not end. It writes the notifications that it gets to the file
/// of its first argument. With a second argument it speaks only 2026-07-28, and otherwise only 2025-11-25.
const SERVER: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/^{"jsonrpc":"2.0","id":\([0-9]*\).*/\1/p')
    reply() { printf '{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s}}\n' "$id" "$1"; }
    case $line in
        *notifications/cancelled*) echo cancelled >> "$1" ;;
        *server/discover*)
            if [ -n "$2" ]; then
                reply '"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},"ttlMs":60000,"cacheScope":"public"'
            else
                printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id"
            fi ;;
        *'"initialize"'*)
            reply '"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"sh","version":"1"}' ;;
        *tools/list*)
            reply '"tools":[{"name":"work","inputSchema":{"type":"object"}},{"name":"wait","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"public"' ;;
        *'"name":"work"'*)
            printf '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"works"}}\n'
            reply '"content":[{"type":"text","text":"worked"}]' ;;
        *'"name":"wait"'*)
            printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}\n' "$id" ;;
        # Stays open.
        *subscriptions/listen*) ;;
        *logging/setLevel*) reply '"ok":true' ;;
    esac
done
"#;

fn server(arguments: &[&str]) -> Remote {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SERVER, "sh"]).args(arguments);
    Remote::stdio(&command)
}

#[tokio::test]
async fn a_process_is_told_of_a_cancellation() {
    for modern in [None, Some("modern")] {
        let folder = Directory::new("processes");
        let file = folder.path().join("notified");
        let arguments: Vec<_> = [file.to_str(), modern].into_iter().flatten().collect();
        let service = gateway(server(&arguments)).build().unwrap();
        let mut client = Client::modern(&service);
        assert!(client.call("shop_wait", json!({})).cancel_on_progress().await.is_cancelled());
        let told = async {
            while fs::read_to_string(&file).unwrap_or_default() != "cancelled\n" {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(10), told).await.unwrap_or_else(|_| panic!("{modern:?}"));
    }
}

#[tokio::test]
async fn log_messages_of_a_process_reach_the_call_while_the_gateway_listens_to_changes() {
    for modern in [None, Some("modern")] {
        let arguments: Vec<_> = ["/dev/null"].into_iter().chain(modern).collect();
        let service = gateway(server(&arguments)).build().unwrap();
        let mut client = Client::modern(&service).log_level(Level::Info);
        let reply = client.call("shop_work", json!({})).await;
        assert_eq!(reply.text(), "worked", "{modern:?}");
        let logged: Vec<Value> = reply.logs().iter().map(|log| log.data.clone()).collect();
        assert_eq!(logged, [json!("works")], "{modern:?}");
    }
}
