//! Tests a real process: the bytes on its standard input and output, its end, and its behavior when a client
//! disconnects.

use std::time::{Duration, Instant};

use mcp_runtime::Revision;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, process::Command, time::sleep};

use crate::protocol::{
    client::Client,
    wire::{PATIENCE, PROBE, Process, Wire},
};

async fn open(revision: Revision) -> Client {
    Client::new(Wire::process(), revision).ready().await
}

fn process(client: &mut Client) -> &mut Process {
    match &mut client.wire {
        Wire::Process(process) => process,
        Wire::Memory(_) => panic!("not a process"),
    }
}

#[tokio::test]
async fn a_process_serves_every_revision() {
    for revision in Revision::ALL {
        let mut client = open(revision).await;
        client.works().await;
        assert_eq!(
            client.call("echo", json!({ "text": "\u{2028}é\n\u{0}" })).await["content"][0]["text"],
            "\u{2028}é\n\u{0}"
        );
        assert!(client.failed_call("panic_later", json!({})).await.contains("panic_later"));
        let id = client.begin_call("nap", json!({ "milliseconds": 20 }), json!({ "progressToken": 1 })).await;
        client.response(&id).await;
        client.works().await;
        assert!(client.close().await.is_empty());
    }
}

#[tokio::test]
async fn rejects_invalid_utf8() {
    let mut client = open(Revision::V2025_11_25).await;
    for bytes in [
        b"\xff\n".as_slice(),
        b"\x80{}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}\n",
        b"\xed\xa0\x80\n",
        b"\xc0\xaf\n",
        b"\x00\n",
    ] {
        process(&mut client).send(bytes).await;
        let response = client.next_response().await;
        assert_eq!(response["error"]["code"], -32700, "{bytes:?}");
        assert!(response.get("id").is_none());
    }
    client.works().await;
}

#[tokio::test]
async fn skips_a_byte_order_mark_before_the_first_message() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(Wire::process(), revision);
        process(&mut client).send(b"\xef\xbb\xbf").await;
        let mut client = client.ready().await;
        client.works().await;
        // Later it is an error, as in any other place.
        process(&mut client).send(b"\xef\xbb\xbf{}\n").await;
        assert_eq!(client.next_response().await["error"]["code"], -32700);
        client.works().await;
        assert!(client.close().await.is_empty());
    }
}

#[tokio::test]
async fn the_error_for_a_message_that_is_too_long_has_its_id() {
    let mut client = open(Revision::V2025_11_25).await;
    let long = "x".repeat(9 << 20);
    let before = format!(r#"{{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{{"name":"{long}"}}}}"#);
    let after =
        format!(r#"{{"params":{{"id":3,"text":"{long}\\\""}},"method":"tools/call","id":7.0,"jsonrpc":"2.0"}}"#);
    for (message, id) in [(before, json!("a")), (after, json!(7))] {
        client.expect(&id, &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call" }).to_string());
        process(&mut client).send(format!("{message}\n").as_bytes()).await;
        let response = client.response(&id).await;
        assert_eq!(response["error"]["code"], -32600, "{response}");
    }
    client.works().await;
    // At the end of the input, the message may lack its line feed.
    process(&mut client).send(format!(r#"{{"method":"x","id":8,"x":"{long}"}}"#).as_bytes()).await;
    client.expect(&json!(8), r#"{"jsonrpc":"2.0","id":8,"method":"x"}"#);
    process(&mut client).input = None;
    assert_eq!(client.response(&json!(8)).await["error"]["code"], -32600);
}

#[tokio::test]
async fn accepts_lines_in_pieces_batches_or_with_carriage_returns() {
    let mut client = open(Revision::V2025_11_25).await;
    let ping = |id: u32| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string();
    for id in 100..103 {
        client.expect(&json!(id), &ping(id));
    }
    let all = format!("{}\r\n\n\r\n  {}\n{}\n", ping(100), ping(101), ping(102));
    let (first, second) = all.split_at(30);
    process(&mut client).send(first.as_bytes()).await;
    sleep(Duration::from_millis(30)).await;
    process(&mut client).send(second.as_bytes()).await;
    for id in 100..103 {
        client.response(&json!(id)).await;
    }
    client.works().await;
}

#[tokio::test]
async fn rejects_a_long_line_and_reads_the_next() {
    // The limit of the process is 64 KiB.
    let mut client = open(Revision::V2026_07_28).await;
    for size in [64 * 1024 + 1, 1 << 20, 20 << 20] {
        let mut line = vec![b'x'; size];
        line.push(b'\n');
        process(&mut client).send(&line).await;
        let response = client.next_response().await;
        assert_eq!(response["error"]["code"], -32600);
        assert!(response["error"]["message"].as_str().unwrap().contains("65536"), "{response}");
        client.works().await;
    }
}

#[tokio::test]
async fn the_last_line_needs_no_line_feed() {
    let mut client = open(Revision::V2025_11_25).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 9, "method": "ping" }).to_string();
    client.expect(&json!(9), &ping);
    process(&mut client).send(ping.as_bytes()).await;
    let rest = client.close().await;
    assert_eq!(rest, [json!({ "jsonrpc": "2.0", "id": 9, "result": {} })]);
}

#[tokio::test]
async fn writes_replies_after_the_end_of_input_and_exits_with_success() {
    for revision in Revision::ALL {
        let process = Process::start(Command::new(PROBE).arg("patient"));
        let mut client = Client::new(Wire::Process(process), revision).ready().await;
        for _ in 0..50 {
            client.begin("tools/call", json!({ "name": "nap", "arguments": { "milliseconds": 100 } })).await;
        }
        // `close` looks at the exit code, and waits for less than the time that calls have to end.
        let rest = client.close().await;
        assert_eq!(rest.len(), 50);
    }
}

#[tokio::test]
async fn exits_with_success_after_an_empty_input() {
    let client = Client::new(Wire::process(), Revision::V2026_07_28);
    assert!(client.close().await.is_empty());
}

#[tokio::test]
async fn exits_when_its_output_is_closed() {
    let mut process = Process::start(&mut Command::new(PROBE));
    process.stop_reading();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string() + "\n";
    // Input stays open: what fails is the writing.
    let mut input = process.input.take().unwrap();
    let start = Instant::now();
    while process.child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "the process goes on");
        // The pipe breaks when the process ends.
        drop(input.write_all(ping.as_bytes()).await);
        sleep(Duration::from_millis(5)).await;
    }
    assert!(process.child.wait().await.unwrap().success());
}

#[tokio::test]
async fn moves_a_blocking_tool_to_other_threads() {
    let mut client = open(Revision::V2025_11_25).await;
    // A few calls show that the tool blocks.
    for _ in 0..3 {
        client.call("block", json!({ "milliseconds": 30 })).await;
    }
    let slow = client.begin_call("block", json!({ "milliseconds": 10_000 }), json!({})).await;
    // The client accepts no reply of another call before this one.
    client.call("echo", json!({ "text": "x" })).await;
    client.response(&slow).await;
}

#[tokio::test]
async fn a_process_under_load_answers_everything_once() {
    let mut client = open(Revision::V2026_07_28).await;
    let large = "x".repeat(50_000);
    for round in 0..200 {
        let (tool, arguments) = match round % 3 {
            0 => ("echo", json!({ "text": large })),
            1 => ("nap", json!({ "milliseconds": round % 7 })),
            _ => ("add", json!({ "a": round })),
        };
        client.begin("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        // A client that reads now and then.
        if round % 20 == 19 {
            for _ in 0..20 {
                let response: Value = client.next_response().await;
                assert!(response["result"]["content"].is_array());
            }
        }
    }
    client.works().await;
}
