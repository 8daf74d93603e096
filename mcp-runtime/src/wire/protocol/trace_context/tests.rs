use proptest::prelude::*;

use super::*;
use crate::wire::protocol::message::Message;

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Returns the context of a request with this `_meta` and these headers.
fn with_headers(meta: &str, headers: &[(&str, &[u8])]) -> Option<TraceContext> {
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{meta}}}}}"#);
    let Message::Request { params, .. } = Message::read(&text).unwrap() else { panic!("not a request") };
    TraceContext::of(&params.meta, |name| {
        headers.iter().filter(|(field, _)| *field == name).map(|(_, value)| *value).collect()
    })
}

/// Returns the context of a request with this `_meta`.
fn of_message(meta: &str) -> Option<TraceContext> {
    with_headers(meta, &[])
}

#[test]
fn returns_the_parts_of_the_context() {
    let context = of_message(&format!(r#"{{"traceparent":"{PARENT}","tracestate":"a=1, b@c=2","baggage":"k=v"}}"#));
    let context = context.unwrap();
    assert_eq!(context.traceparent(), PARENT);
    assert_eq!(context.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(context.parent_id(), "00f067aa0ba902b7");
    assert_eq!((context.tracestate(), context.baggage()), (Some("a=1, b@c=2"), Some("k=v")));
    assert!(context.is_sampled());
    let unsampled = of_message(&format!(r#"{{"traceparent":"{}00"}}"#, &PARENT[..53])).unwrap();
    assert!(!unsampled.is_sampled());
}

#[test]
fn ignores_an_invalid_traceparent() {
    let with = |at: usize, with: &str| format!("{}{with}{}", &PARENT[..at], &PARENT[at + with.len()..]);
    for wrong in [
        String::new(),
        "00".to_owned(),
        PARENT[..54].to_owned(),
        format!("{PARENT}-"),
        format!("{PARENT}-more"),
        format!(" {PARENT}"),
        with(0, "ff"),
        with(0, "0g"),
        with(2, "_"),
        with(3, "4BF"),
        with(3, &"0".repeat(32)),
        with(36, &"0".repeat(16)),
        with(53, "0x"),
        with(3, "ä"),
        format!("cc{}more", &PARENT[2..]),
        format!("cc{}-{}", &PARENT[2..], "m".repeat(512)),
        format!("cc{}-a b", &PARENT[2..]),
    ] {
        assert!(!is_traceparent(&wrong), "{wrong}");
        assert_eq!(of_message(&serde_json::json!({ "traceparent": wrong }).to_string()), None);
    }
    assert!(is_traceparent(&format!("cc{}", &PARENT[2..])));
    assert!(is_traceparent(&format!("cc{}-more", &PARENT[2..])));
    for no_text in ["1", "null", "{}", "[]"] {
        assert_eq!(of_message(&format!(r#"{{"traceparent":{no_text}}}"#)), None);
    }
}

#[test]
fn drops_an_invalid_tracestate_and_keeps_the_trace() {
    let many = (0..33).map(|n| format!("k{n}=v")).collect::<Vec<_>>().join(",");
    for wrong in
        ["", ",", "a", "a=", "=1", "A=1", "a=1,a=2", "a=b=c", "a=\n", "a b=1", "@a=1", "a@=1", "1a=1", "a@1=1", &many]
    {
        assert!(!is_tracestate(wrong), "{wrong:?}");
        let meta = serde_json::json!({ "traceparent": PARENT, "tracestate": wrong, "baggage": "k=\r\nInjected: 1" });
        let context = of_message(&meta.to_string()).unwrap();
        assert_eq!((context.tracestate(), context.baggage()), (None, None));
    }
    for right in
        ["a=1", "a=1,,b=2", "\ta=1 , b=2", "fw529a3039@dt=FfAB;x:y", "a_-*/=a b", "0t@s=1", &many[..many.len() - 6]]
    {
        assert!(is_tracestate(right), "{right:?}");
    }
}

#[test]
fn a_valid_meta_takes_precedence_over_the_headers() {
    let other = "00-11111111111111111111111111111111-2222222222222222-00";
    let parent = ("traceparent", other.as_bytes());
    let headers = [parent, ("tracestate", b"a=1"), ("tracestate", b"b=2")];
    let context = with_headers(&format!(r#"{{"traceparent":"{PARENT}"}}"#), &headers).unwrap();
    assert_eq!((context.traceparent(), context.tracestate()), (PARENT, None));
    for meta in ["{}", r#"{"traceparent":"bad","tracestate":"c=3"}"#] {
        let context = with_headers(meta, &headers).unwrap();
        assert_eq!((context.traceparent(), context.tracestate()), (other, Some("a=1,b=2")));
    }
    assert_eq!(with_headers("{}", &[parent, ("traceparent", PARENT.as_bytes())]), None);
    let no_text = with_headers("{}", &[parent, ("tracestate", b"a=1"), ("tracestate", b"\xff=2")]).unwrap();
    assert_eq!(no_text.tracestate(), None);
}

proptest! {
    #[test]
    fn never_panics_on_any_text(parent in "\\PC{0,80}", state in "\\PC{0,80}", baggage in "\\PC{0,40}") {
        if let Some(context) = TraceContext::new(&parent, Some(state), Some(baggage), true) {
            prop_assert_eq!(context.trace_id().len(), 32);
        }
    }

    #[test]
    fn never_panics_on_a_nearly_valid_traceparent(at in 0_usize..55, with in "[0-9a-f\u{e4}-]") {
        let mut text: Vec<char> = PARENT.chars().collect();
        text[at] = with.chars().next().unwrap();
        let text: String = text.into_iter().collect();
        if let Some(context) = TraceContext::new(&text, None, None, true) {
            prop_assert!(context.trace_id().bytes().all(|byte| byte.is_ascii_hexdigit()));
        }
    }
}
