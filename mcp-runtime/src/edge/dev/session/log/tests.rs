use super::*;
use crate::edge::dev::{
    session::api::message::Direction,
    target::{ServerInstance, TransportKind},
};

fn message<'a>(text: &'a str, call: Option<&str>) -> NewMessage<'a> {
    NewMessage {
        direction: if text.contains("method") { Direction::Sent } else { Direction::Received },
        transport: TransportKind::Stdio,
        instance: ServerInstance::First,
        text,
        kind: None,
        call: call.map(Into::into),
        round: call.map(|_| 1),
    }
}

fn numbers(page: &MessagePage) -> Vec<u64> {
    page.messages.iter().map(|message| message.n).collect()
}

#[test]
fn all_parts_of_a_query_must_hold() {
    let log = MessageLog::default();
    log.push(message(r#"{"id":1,"method":"tools/call","params":{"name":"book"}}"#, Some("c1")));
    log.push(message(r#"{"id":1,"result":{"content":"book"}}"#, Some("c1")));
    log.push(message(r#"{"id":2,"method":"tools/call","params":{"name":"find"}}"#, Some("c2")));
    log.push(message(r#"{"id":2,"error":{"code":1}}"#, Some("c2")));
    let find = |query: MessageQuery| numbers(&log.query(&query));
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(find(MessageQuery::default()), [1, 2, 3, 4]);
    assert_eq!(find(MessageQuery { text: text("book"), ..Default::default() }), [1, 2]);
    assert_eq!(find(MessageQuery { method: text("tools/call"), ..Default::default() }), [1, 3]);
    assert_eq!(find(MessageQuery { method: text("error"), ..Default::default() }), [4]);
    assert_eq!(find(MessageQuery { call: text("c2"), ..Default::default() }), [3, 4]);
    let sent = Some(Direction::Sent);
    assert_eq!(find(MessageQuery { text: text("book"), direction: sent, ..Default::default() }), [1]);
    assert_eq!(find(MessageQuery { text: text("book"), call: text("c2"), ..Default::default() }), [0u64; 0]);
    assert_eq!(log.get(1).unwrap().summary.request.as_deref(), Some("1"));
    assert_eq!(log.first_of("c2").unwrap().summary.n, 3);
}

#[test]
fn a_query_finds_messages_that_came_after_the_same_query_before() {
    let log = MessageLog::default();
    let query = MessageQuery { text: Some("even".to_owned()), count: Some(2), ..Default::default() };
    for number in 0..10 {
        log.push(message(if number % 2 == 0 { r#"{"a":"even"}"# } else { r#"{"a":"odd"}"# }, None));
        assert_eq!(log.query(&query).matching, number / 2 + 1);
    }
    assert_eq!(numbers(&log.query(&query)), [7, 9]);
    assert_eq!(numbers(&log.query(&MessageQuery { from: Some(1), ..query.clone() })), [3, 5]);
    let around = log.query(&MessageQuery { around: Some(5), ..query });
    assert!(numbers(&around).contains(&5), "{around:?}");
}

#[test]
fn a_text_that_is_too_long_is_not_kept() {
    let log = MessageLog::default();
    let long = format!(r#"{{"method":"{}é"}}"#, "x".repeat(2 * 1024 * 1024));
    let n = log.push(message(&long, None));
    let kept = log.get(n).unwrap();
    assert_eq!((kept.text, kept.summary.length), (None, long.len()));
    assert!(long.starts_with(&kept.summary.preview) && !kept.summary.preview.is_empty());
}

#[test]
fn headers_count_as_bytes_and_the_oldest_messages_are_dropped() {
    let log = MessageLog::with_limit(10_000);
    for _ in 0..100 {
        let n = log.push(message(r#"{"id":1}"#, None));
        log.set_request(n, "http://127.0.0.1/mcp", vec![("name".to_owned(), "v".repeat(300))]);
    }
    let (total, dropped) = log.totals();
    assert!((10..20).contains(&total), "{total}");
    assert_eq!(total as u64 + dropped, 100);
    assert!(log.get(1).is_none() && log.get(100).is_some());
    let page = log.query(&MessageQuery { text: Some("id".to_owned()), ..Default::default() });
    assert_eq!(page.matching, total);
    assert_eq!(numbers(&page).last(), Some(&100));
}

#[test]
fn a_hundred_thousand_messages_are_searched_once_and_bounded() {
    let log = MessageLog::default();
    let filler = "lorem ipsum dolor sit amet ".repeat(8);
    for number in 0..100_000 {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"a":"{filler}"}}}}"#);
        log.push(message(&text, Some(if number % 1000 == 0 { "rare" } else { "usual" })));
    }
    assert_eq!(log.totals(), (100_000, 0));
    assert!(log.state.lock().bytes <= MOST_BYTES);
    let query = |text: &str, from| MessageQuery { text: Some(text.to_owned()), from, ..Default::default() };
    let first = log.query(&query("\"id\":7777", None));
    assert_eq!(first.matching, 11, "7777, and 77770 to 77779");
    log.query(&query("ipsum", None));
    for from in (0..100_000).step_by(1000) {
        assert_eq!(log.query(&query("ipsum", Some(from))).messages.len(), 100);
    }
    // The index is there, so no text is searched again.
    assert_eq!(log.state.lock().indexes.last().unwrap().compared, 100_000);
    let rare =
        MessageQuery { call: Some("rare".to_owned()), around: Some(50_001), count: Some(3), ..Default::default() };
    assert_eq!(numbers(&log.query(&rare)), [49_001, 50_001, 51_001]);
}
