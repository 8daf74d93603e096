use std::time::{Duration, Instant};

use proptest::{
    collection::{btree_map, vec},
    prelude::{BoxedStrategy, Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof},
    sample::select,
    test_runner::TestRunner,
};
use serde_json::Value;

use super::{EXTRA_SCANS, MAX_CANDIDATES, SCANS_PER_BYTE, candidates, search};

/// Checks the texts found and their order.
#[test]
fn finds_json_in_order() {
    for (text, found) in [
        // The whole text, of any kind.
        (r#"{"a":1}"#, &[r#"{"a":1}"#] as &[_]),
        ("\u{feff}\u{a0} [1, 2]\r\n", &["[1, 2]"]),
        (" 42\n", &["42"]),
        (r#""{\"a\":1} [2]""#, &[r#""{\"a\":1} [2]""#]),
        ("null", &["null"]),
        // Fences.
        ("```json\n{\"a\":1}\n```", &[r#"{"a":1}"#]),
        ("Here:\r\n```json\r\n{\"a\":1}\r\n```\r\nDone.", &[r#"{"a":1}"#]),
        ("~~~\n[1]\n~~~\n", &["[1]"]),
        ("```\n42\n```", &["42"]),
        ("```\n\"x {1} [2]\"\n```", &[r#""x {1} [2]""#]),
        ("````\n```\n{}\n```\n````", &["{}"]),
        ("```json\n{\"a\":1}", &[r#"{"a":1}"#]),
        ("```json {\"a\":1}\n```", &[r#"{"a":1}"#]),
        ("{\"p\":1}\n```js\nlet x = {\"f\":1};\n```\n{\"q\":1}", &[r#"{"f":1}"#, r#"{"p":1}"#, r#"{"q":1}"#]),
        ("one\n```\n{\"a\":1}\n```\ntwo\n```\n[2]\n```", &[r#"{"a":1}"#, "[2]"]),
        ("- a list:\n  ```json\n  {\"a\":1}\n  ```", &[r#"{"a":1}"#]),
        ("inline ```json {\"a\":1}``` too", &[r#"{"a":1}"#]),
        ("```json {\"a\":1} ```\n{\"b\":2}", &[r#"{"a":1}"#, r#"{"b":2}"#]),
        // Prose.
        (r#"It's {"a":"}{\"[`"} and then [1,[2]]."#, &[r#"{"a":"}{\"[`"}"#, "[1,[2]]"]),
        (r#"{placeholder} 'quoted' "{" {"a":1}"#, &[r#"{"a":1}"#]),
        (r#"[see {"a":1}]"#, &[r#"{"a":1}"#]),
        (r#"{'a': {"b":1}}"#, &[r#"{"b":1}"#]),
        ("the answer is 42", &[]),
        ("", &[]),
        // A text is JSON or not; there is no partial match.
        (r#"{"a":1,}"#, &[]),
        ("[1e999]", &[]),
        (r#"["\ud800"]"#, &[]),
        ("{\u{a0}}", &[]),
        // Parts of JSON that is cut off do not count.
        (r#"Sure: {"a":{"b":1},"c":[2],"d":"tr"#, &[]),
        ("```json\n{\"a\":{\"b\":1}\n```\n{\"c\":2}", &[r#"{"c":2}"#]),
        // Thoughts come last.
        ("<think>{\"a\":1}</think>{\"b\":2}", &[r#"{"b":2}"#, r#"{"a":1}"#]),
        ("<think>\n```\n[1]\n```\n{}</think>\n[2]", &["[2]", "[1]", "{}"]),
        ("{\"a\":1} hm</thinking> [2]", &["[2]", r#"{"a":1}"#]),
        ("<think>{\"a\":1}", &[r#"{"a":1}"#]),
        (r#"the tag {"a":"<think>"} {"b":"</think>"}"#, &[r#"{"a":"<think>"}"#, r#"{"b":"</think>"}"#]),
    ] {
        assert_eq!(candidates(text), found, "{text}");
    }
}

#[test]
fn limits_the_number_of_candidates() {
    let many = "{} ".repeat(10_000);
    assert_eq!(candidates(&many).len(), MAX_CANDIDATES);
    let thinks = format!("{many}<think>{many}</think>{many}<think>{many}</think>\n```\n{many}\n```\n");
    assert_eq!(candidates(&thinks).len(), 3 * MAX_CANDIDATES);
    assert!(candidates(&"<think>{}</think>[]".repeat(10_000)).len() <= 3 * MAX_CANDIDATES);
    let answer = format!("<think>{many}</think>[1]");
    assert_eq!(candidates(&answer)[0], "[1]");
}

/// If the search took quadratic time, the first of these texts would take minutes.
#[test]
fn takes_linear_time() {
    let deep_strings = format!("[{}", r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",["#.repeat(100));
    for nasty in [
        "{",
        "[",
        "[ ",
        "{\"a\":",
        "[\"",
        "[{",
        "\"",
        "\"[",
        "\\\"",
        "[\",",
        "[1,\n",
        "```\n",
        "```a\n~~~b\n",
        "`",
        "````\n```\n",
        "<think>",
        "</think>",
        "<think>{}</think>[]",
        "{}",
        "[[],",
        "{\"a\":[",
        "~~~ {\n",
        "\u{feff}{",
        "{\"\\u",
        "\n[",
        &deep_strings,
    ] {
        for end in ["", "]}x\""] {
            let text = nasty.repeat(20_000 / nasty.len()) + end;
            let began = Instant::now();
            let found = search(&text);
            let took = began.elapsed();
            assert!(took < Duration::from_secs(20), "{nasty:?}…{end:?} took {took:?}");
            assert!(found.budget <= SCANS_PER_BYTE * text.len() + EXTRA_SCANS);
            assert!(found.best_first().len() <= 3 * MAX_CANDIDATES);
        }
    }
}

#[test]
fn continues_after_brackets_that_begin_no_json() {
    let text = "a {b} [c] {\"d\" [\"e\" {f: [g ".repeat(10_000) + r#"{"h":1}"#;
    assert_eq!(candidates(&text), [r#"{"h":1}"#]);
}

/// Finds JSON of any shape in prose and fences. The JSON and the text around it contain misleading strings.
#[test]
fn finds_json_among_misleading_text() {
    let hidden = (json(), any::<bool>(), prose(), prose(), select(vec!["", "```", "```json", "~~~~", "<think>"]));
    let config = ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&hidden, |(value, pretty, before, after, around)| {
        let json = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let text = match around {
            "" => format!("{before} {json} {after}"),
            "<think>" => format!("<think>{before}</think> {json} {after}"),
            fence => {
                let mark = fence.trim_end_matches("json");
                format!("{before}\n{fence}\n{json}\n{mark}\n{after}")
            }
        };
        let found = candidates(&text);
        prop_assert!(found.contains(&&*json), "{text}\n{found:?}");
        if around.starts_with(['`', '~']) {
            prop_assert_eq!(found[0], &json);
        }
        Ok(())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn returns_only_json_for_any_text() {
    let pieces = select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ":",
        ",",
        "1",
        "null",
        "{}",
        "[1]",
        "`",
        "```",
        "```json\n",
        "~~~",
        "\n",
        "\r\n",
        " ",
        "\u{feff}",
        "\u{a0}",
        "é",
        "🦀",
        "<",
        "<think>",
        "</think>",
        "word",
    ]);
    let texts = prop_oneof![vec(pieces, 0..40).prop_map(|pieces| pieces.concat()), any::<String>()];
    let config = ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&texts, |text| {
        for found in candidates(&text) {
            prop_assert!(serde_json::from_str::<Value>(found).is_ok(), "{text:?}: {found:?}");
            prop_assert!(text.contains(found));
        }
        Ok(())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

/// An object or an array.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        misleading().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let nested = leaf.prop_recursive(4, 24, 4, |inner| prop_oneof![array(inner.clone()), object(inner)]);
    prop_oneof![array(nested.clone()), object(nested)]
}

fn array(items: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    vec(items, 0..4).prop_map(Value::from).boxed()
}

fn object(values: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    btree_map(misleading(), values, 0..4).prop_map(|entries| entries.into_iter().collect()).boxed()
}

fn misleading() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "\\\"",
        "'",
        "```",
        "```json\n",
        "\n```\n",
        "~~~",
        "{\"a\":1}",
        "[1]",
        "a",
        "</think>",
        "é",
        ":",
        ",",
    ]);
    vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

/// Generates words and brackets that no following JSON could complete.
fn prose() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "well",
        "it's",
        "{placeholder}",
        "{ oops",
        "[see",
        "}",
        "]",
        "{\"half\" and",
        "[\"half\" and",
        "f(a[b], {c})",
        "`code`",
        "say \"so\".",
        "{}",
        "[1]",
        "\n",
        "\r\n",
        "\u{a0}",
        "né",
        "{{double}}",
        "1.",
        "<b>",
    ]);
    vec(pieces, 0..12).prop_map(|pieces| pieces.join(" ") + " so")
}
