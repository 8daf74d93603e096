//! Quotas of one client: sessions, and memory for large bodies.

use std::{net::IpAddr, time::Duration};

use mcp_runtime::http::HttpLimits;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{call, server, socket::Served};
use crate::http::shutdown::{Session, answer_to, question, text};

const MIB: usize = 1024 * 1024;

const ONE: [u8; 4] = [127, 0, 0, 1];
const OTHER: [u8; 4] = [127, 0, 0, 2];

async fn open(served: &Served, from: impl Into<IpAddr>) -> (u16, Option<Session>) {
    Session::open_from(from.into(), served.address).await
}

/// Whether the session still exists. This check counts as a use of the session.
async fn is_there(session: &Session) -> bool {
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    session.post(&ping).await.answer().await.status == 200
}

#[tokio::test]
async fn a_full_session_table_evicts_the_never_used_first_and_then_the_longest_idle() {
    let served = Served::of(server(HttpLimits::default().max_sessions(4).max_sessions_per_address(100))).await;
    let mut sessions = Vec::new();
    for _ in 0..4 {
        sessions.push(Session::open(served.address).await);
        sleep(Duration::from_millis(5)).await;
    }
    let [longest, busy, unused, shortest] = &sessions[..] else { unreachable!() };
    assert!(is_there(longest).await);
    let mut call = busy.call("book", json!({})).await;
    let question = question(&mut call).await;
    assert!(is_there(shortest).await);

    let fifth = Session::open(served.address).await;
    assert!(!is_there(unused).await, "it was never used");
    assert!(is_there(&fifth).await);
    sleep(Duration::from_millis(5)).await;
    let sixth = Session::open(served.address).await;
    assert!(is_there(&sixth).await);
    assert!(!is_there(longest).await, "it was idle for longest");
    let seventh = Session::open(served.address).await;
    assert!(is_there(&seventh).await);
    assert!(!is_there(shortest).await);
    // A call that waits for its user is never evicted.
    assert_eq!(busy.post(&answer_to(&question, "1A")).await.answer().await.status, 202);
    assert_eq!(text(&call.next_message().await.unwrap()), "booked 1A");
}

#[tokio::test]
async fn a_session_table_full_of_running_calls_rejects_new_sessions() {
    let served = Served::of(server(HttpLimits::default().max_sessions(2).max_sessions_per_address(100))).await;
    let mut calls = Vec::new();
    for _ in 0..2 {
        let session = Session::open(served.address).await;
        let mut call = session.call("book", json!({})).await;
        let question = question(&mut call).await;
        calls.push((session, call, question));
    }
    assert_eq!(open(&served, ONE).await.0, 503);
    for (session, mut call, question) in calls {
        assert_eq!(session.post(&answer_to(&question, "1A")).await.answer().await.status, 202);
        assert_eq!(text(&call.next_message().await.unwrap()), "booked 1A");
    }
    assert_eq!(open(&served, ONE).await.0, 200, "there is an idle one again");
}

#[tokio::test]
async fn a_session_with_a_listener_is_evicted_last() {
    let served = Served::of(server(HttpLimits::default().max_sessions(2).max_sessions_per_address(100))).await;
    let listened = Session::open(served.address).await;
    let mut stream = listened.listen().await;
    assert_eq!(stream.answer().await.status, 200);
    let used = Session::open(served.address).await;
    assert!(is_there(&used).await);
    let third = Session::open(served.address).await;
    assert!(!is_there(&used).await, "nobody listens to it");
    let mut third_stream = third.listen().await;
    assert_eq!(third_stream.answer().await.status, 200);
    assert!(is_there(&third).await);
    // All have a listener: the one idle for longest is evicted, and its client gets 404.
    Session::open(served.address).await;
    assert_eq!(stream.next_message().await, None);
    assert!(!is_there(&listened).await);
    assert!(is_there(&third).await);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_address_over_its_quota_of_sessions_gets_429_and_takes_none_from_others() {
    let served = Served::of(server(HttpLimits::default().max_sessions(8).max_sessions_per_address(3))).await;
    let (_, other) = open(&served, OTHER).await;
    let mut first = None;
    for _ in 0..3 {
        let (status, session) = open(&served, ONE).await;
        assert_eq!(status, 200);
        first = session;
    }
    for _ in 0..100 {
        assert_eq!(open(&served, ONE).await.0, 429);
    }
    assert!(is_there(&other.unwrap()).await, "though it was never used, and for longest");
    assert_eq!(open(&served, OTHER).await.0, 200);
    first.unwrap().delete().await;
    assert_eq!(open(&served, ONE).await.0, 200, "there is room again");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_address_has_half_of_the_session_table_by_default() {
    let served = Served::of(server(HttpLimits::default().max_sessions(8))).await;
    for number in 0..6 {
        assert_eq!(open(&served, ONE).await.0, if number < 4 { 200 } else { 429 }, "number {number}");
    }
    assert_eq!(open(&served, OTHER).await.0, 200);
}

/// Returns a body that counts as large but is not sent completely.
fn begun_large_body() -> String {
    let (headers, body) = call("nap", &json!({ "milliseconds": 0 }));
    let length = body.len() + 300_000;
    format!("POST /mcp HTTP/1.1\r\n{headers}content-length: {length}\r\n\r\n{body}{}", " ".repeat(100_000))
}

fn large_body() -> String {
    begun_large_body() + &" ".repeat(200_000)
}

#[tokio::test]
async fn slow_large_bodies_are_rejected_while_others_wait() {
    // Room for four.
    let limits = HttpLimits::default().min_body_rate(20_000);
    let served = Served::of(server(limits).max_message_size(64 * MIB)).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        let mut client = served.connect().await;
        client.send(begun_large_body()).await;
        slow.push(client);
    }
    let mut steady = served.connect().await;
    steady.send(begun_large_body()).await;
    sleep(Duration::from_millis(300)).await;

    let begun = Instant::now();
    let mut waiting = served.connect().await;
    let sending = async {
        // 100 KB per second are fast enough.
        for _ in 0..40 {
            steady.send(" ".repeat(5000)).await;
            sleep(Duration::from_millis(50)).await;
        }
        steady.answer().await
    };
    let waited = async {
        waiting.send(large_body()).await;
        (waiting.answer().await, begun.elapsed())
    };
    let (steady, (answer, waited)) = tokio::join!(sending, waited);
    assert_eq!((answer.status, steady.status), (200, 200));
    assert!(waited < Duration::from_secs(10), "it waited for {waited:?}");
    let refused = slow[0].answer().await;
    assert_eq!((refused.status, refused.code()), (408, -32600));
    assert!(refused.body.contains("bytes/s"), "{refused:?}");
}

#[tokio::test]
async fn a_slow_large_body_is_accepted_while_none_waits() {
    let served = Served::of(server(HttpLimits::default()).max_message_size(256 * MIB)).await;
    let mut slow = served.connect().await;
    slow.send(begun_large_body()).await;
    sleep(Duration::from_millis(2500)).await;
    slow.send(" ".repeat(200_000)).await;
    assert_eq!(slow.answer().await.status, 200);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_address_over_its_quota_of_large_bodies_gets_429_and_takes_none_from_others() {
    let limits = HttpLimits::default().max_large_bodies_per_client(2);
    let served = Served::of(server(limits).max_message_size(64 * MIB)).await;
    let mut begun = Vec::new();
    for _ in 0..2 {
        let mut client = served.connect().await;
        client.send(begun_large_body()).await;
        begun.push(client);
    }
    sleep(Duration::from_millis(200)).await;
    let mut over = served.connect().await;
    let _ = over.try_send(large_body()).await;
    let refused = over.answer().await;
    assert_eq!((refused.status, refused.code()), (429, -32603));
    assert!(refused.head.contains("retry-after: 1"), "{refused:?}");

    let mut other = served.connect_from(OTHER.into()).await;
    other.send(large_body()).await;
    assert_eq!(other.answer().await.status, 200);
    for client in &mut begun {
        client.send(" ".repeat(200_000)).await;
        assert_eq!(client.answer().await.status, 200);
    }
    let mut again = served.connect().await;
    again.send(large_body()).await;
    assert_eq!(again.answer().await.status, 200, "there is room again");
}
