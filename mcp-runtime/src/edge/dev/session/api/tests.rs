//! The names of the data are those of `dev-api.d.ts`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{
    call::{
        AnyAnswer, CallRequest, DevAnswerer, DevCall, DevCallStatus, DevQuestion, GivenRoot, QuestionKind, UserQuestion,
    },
    event::{CallEvent, CallEventKind, StateSize},
    fault::DevFault,
    message::{Direction, MessagePage, MessageSummary, WireMessage},
    new_call::PreparedAnswer,
    record::{CarriedState, DevCallRecord, LedgerRecord, RecordLease, RecordStep},
    state::{
        CheckFinding, CheckedTokens, DevCheckReport, DevEvent, DevState, Items, SessionAbilities, SessionSource,
        ToolTokens,
    },
};
use crate::{
    edge::dev::target::{Build, Diagnostic, ServerInstance, ServerStatus, TargetStatus, TransportKind},
    wire::protocol::level::Level,
};

const API: &str = include_str!("../../../../../dev-page/src/dev-api.d.ts");

/// The members of a TypeScript object, each with whether it is optional and its type.
type Members = BTreeMap<String, (bool, String)>;

/// Returns the declaration with this name, without comments.
fn declaration(name: &str) -> String {
    let code: String = without_comments(API);
    let start = [format!("interface {name} "), format!("interface {name} extends"), format!("type {name} =")];
    let start =
        start.iter().find_map(|start| code.find(&**start)).unwrap_or_else(|| panic!("`{name}` is not declared"));
    let rest = &code[start..];
    let end = rest.find("\nexport ").unwrap_or(rest.len());
    rest[..end].to_owned()
}

fn without_comments(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("/*") {
        kept.push_str(&rest[..at]);
        rest = rest[at..].split_once("*/").map_or("", |(_, rest)| rest);
    }
    kept.push_str(rest);
    kept.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns all objects at the outermost level of a text: what stands between their braces.
fn objects(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, char) in text.char_indices() {
        match char {
            '{' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    found.push(&text[start..at]);
                }
            }
            _ => {}
        }
    }
    found
}

fn members(object: &str) -> Members {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, char) in object.char_indices() {
        match char {
            '{' | '(' | '[' | '<' => depth += 1,
            '}' | ')' | ']' | '>' => depth -= 1,
            ';' if depth == 0 => {
                parts.push(&object[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&object[start..]);
    let parts = parts.into_iter().filter_map(|part| part.split_once(':'));
    let parts = parts.filter(|(name, _)| !name.contains('['));
    parts
        .map(|(name, of)| {
            let name = name.trim();
            let of = of.trim().to_owned();
            (name.trim_end_matches('?').trim_matches('"').to_owned(), (name.ends_with('?'), of))
        })
        .collect()
}

/// Checks that `value` has all members that are required, and no other ones. `value` should have all optional ones.
fn assert_agrees(name: &str, expected: &Members, value: &Value) {
    let object = value.as_object().unwrap_or_else(|| panic!("`{name}` is not an object: {value}"));
    let sent: BTreeSet<&str> = object.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = expected.keys().map(String::as_str).collect();
    assert_eq!(sent, known, "`{name}`: {value}");
}

fn assert_interface(name: &str, value: &impl serde::Serialize) {
    let declared = declaration(name);
    let mut expected = Members::new();
    if let Some((_, base)) = declared.split('{').next().unwrap_or_default().split_once(" extends ") {
        expected.extend(members(objects(&declaration(base.trim()))[0]));
    }
    expected.extend(members(objects(&declared)[0]));
    assert_agrees(name, &expected, &serde_json::to_value(value).unwrap());
}

/// Returns the members of each object of a union, by the value of the member `tag`.
fn variants(name: &str, tag: &str) -> BTreeMap<String, Members> {
    let declared = declaration(name);
    let of_tag = |object: &str| {
        let members = members(object);
        let value = members.get(tag)?.1.clone();
        Some((value.trim_matches('"').to_owned(), members))
    };
    // Some variants stand in brackets.
    objects(&declared).into_iter().filter_map(of_tag).collect()
}

fn sample_setup() -> crate::edge::dev::target::ClientSetup {
    serde_json::from_value(json!({
        "revision": "2026-07-28", "transport": "http",
        "capabilities": { "elicitation": true, "sampling": true, "roots": true, "views": true },
        "principal": { "name": "ann", "scopes": ["a"] }, "otherInstance": true,
    }))
    .unwrap()
}

fn question() -> DevQuestion {
    let text = || Some("x".to_owned());
    DevQuestion::Form(Box::new(UserQuestion {
        seq: 1,
        key: "k".to_owned(),
        mode: "form".to_owned(),
        form: text(),
        message: "m".to_owned(),
        schema: Some(json!({})),
        url: text(),
        handoff: Some(json!(1)),
        view: text(),
        rejected: text(),
    }))
}

fn event(kind: CallEventKind) -> CallEvent {
    CallEvent { id: 1, at: 2, round: 3, wire: None, kind }
}

fn call() -> DevCall {
    DevCall {
        id: "c1".to_owned(),
        request: CallRequest::Resource { uri: "a://b".to_owned() },
        setup: sample_setup(),
        status: DevCallStatus::Working,
        started_at: 1,
        took: Some(2),
        rounds: 1,
        questions: vec![question()],
        armed: Some(DevFault::Kill),
        last_event: 1,
        events: Some(vec![event(CallEventKind::Cancelled)]),
    }
}

fn summary() -> MessageSummary {
    MessageSummary {
        n: 1,
        at: 2,
        direction: Direction::Sent,
        transport: TransportKind::Http,
        instance: ServerInstance::Second,
        kind: "result".to_owned(),
        request: Some("1".to_owned()),
        call: Some("c1".to_owned()),
        round: Some(1),
        length: 3,
        preview: "{}".to_owned(),
        status: Some(200),
    }
}

fn state() -> DevState {
    let text = || Some("x".to_owned());
    let diagnostic = Diagnostic {
        level: "error",
        message: "m".to_owned(),
        rendered: "r".to_owned(),
        file: text(),
        line: Some(1),
        column: Some(2),
    };
    let build = Build { started_at: Some(1), took: Some(2), diagnostics: vec![diagnostic], ..Build::default() };
    let server = ServerStatus { reason: text(), retry_at: Some(1), ..ServerStatus::default() };
    DevState {
        program: "bank".to_owned(),
        source: SessionSource::Url { url: "u".to_owned() },
        abilities: SessionAbilities {
            faults: Vec::new(),
            processes: true,
            records: true,
            transports: Vec::new(),
            tokens: true,
            model: None,
        },
        revisions: Vec::new(),
        status: TargetStatus { build, server },
    }
}

#[test]
fn interfaces_have_the_names_of_the_page() {
    assert_interface("DevState", &state());
    assert_interface("Build", &state().status.build);
    assert_interface("Diagnostic", &state().status.build.diagnostics[0]);
    assert_interface("ServerStatus", &state().status.server);
    assert_interface("ClientSetup", &sample_setup());
    assert_interface("Call", &call());
    let items = Items { server_info: Some(json!({})), instructions: Some("i".to_owned()), ..Items::default() };
    assert_interface("Items", &items);
    assert_interface("MessageSummary", &summary());
    let page = MessagePage { total: 1, dropped: 0, matching: 1, from: 0, messages: vec![summary()] };
    assert_interface("MessagePage", &page);
    let whole = WireMessage {
        summary: summary(),
        text: Some("{}".to_owned()),
        headers: Some(vec![("a".to_owned(), "b".to_owned())]),
        url: Some("u".to_owned()),
    };
    assert_interface("WireMessage", &whole);
    let record = LedgerRecord {
        round: 1,
        status: "open",
        lease: Some(RecordLease { holder: "h".to_owned(), until: 1 }),
        reply: Some(json!({})),
        steps: vec![RecordStep { name: "s".to_owned(), value: Some(json!(1)) }],
        version: "1".to_owned(),
    };
    let carried = CarriedState {
        length: 1,
        kind: "token",
        call: Some("c".to_owned()),
        round: Some(1),
        expires_at: Some(1),
        misses: Some(0),
        journal: Some(json!({})),
    };
    let shown = DevCallRecord { state: Some(carried), record: Some(record), ran: BTreeMap::new() };
    assert_interface("CallRecord", &shown);
    let (declared, shown) = (declaration("CallRecord"), serde_json::to_value(&shown).unwrap());
    let inner = members(objects(&declared)[0]);
    for part in ["state", "record"] {
        assert_agrees(part, &members(objects(&inner[part].1)[0]), &shown[part]);
    }
    let lease = members(objects(&inner["record"].1)[0])["lease"].1.clone();
    assert_agrees("lease", &members(objects(&lease)[0]), &shown["record"]["lease"]);
    let finding = CheckFinding {
        rule: "r".to_owned(),
        level: "note".to_owned(),
        item: Some("i".to_owned()),
        message: "m".to_owned(),
    };
    let tokens = CheckedTokens { total: 1, tools: vec![ToolTokens { name: "t".to_owned(), tokens: 1 }] };
    let report = DevCheckReport { findings: vec![finding], tokens };
    assert_interface("CheckReport", &report);
    let (declared, report) = (declaration("CheckReport"), serde_json::to_value(&report).unwrap());
    let inner = members(objects(&declared)[0]);
    assert_agrees("finding", &members(objects(&inner["findings"].1)[0]), &report["findings"][0]);
    assert_agrees("tokens", &members(objects(&inner["tokens"].1)[0]), &report["tokens"]);
    let abilities = members(objects(&members(objects(&declaration("DevState"))[0])["abilities"].1)[0]);
    assert_agrees("abilities", &abilities, &serde_json::to_value(state().abilities).unwrap());
}

#[test]
fn events_have_the_names_of_the_page() {
    let text = || "x".to_owned();
    let kinds = [
        CallEventKind::Started { request: call().request },
        CallEventKind::Round { instance: ServerInstance::First, again: true },
        CallEventKind::Log { level: Level::Info, logger: Some(text()), data: json!(1) },
        CallEventKind::Progress { progress: 1.0, total: Some(2.0), message: Some(text()) },
        CallEventKind::Asked { question: question() },
        CallEventKind::Answered { seq: 1, key: text(), by: DevAnswerer::Hand, answer: AnyAnswer::Model },
        CallEventKind::Changed { key: text(), before: question(), after: question() },
        CallEventKind::RoundEnded { took: 1, state: Some(StateSize { length: 1 }) },
        CallEventKind::Fault { fault: DevFault::Kill, told: text() },
        CallEventKind::Ran { name: text(), times: 1 },
        CallEventKind::Span { name: text(), took: 1.0, fields: BTreeMap::new() },
        CallEventKind::Metric { name: text(), value: 1.0, labels: BTreeMap::new() },
        CallEventKind::Finding { fault: DevFault::Kill, ok: true, told: text() },
        CallEventKind::Finished { result: json!({}) },
        CallEventKind::Failed { code: Some(1), told: text(), data: Some(json!(1)) },
        CallEventKind::Cancelled,
    ];
    let mut declared = variants("CallEventOfMessage", "type");
    let every = declaration("CallEvent");
    let in_brackets = &every[every.find("& (").unwrap()..];
    let progress = members(objects(in_brackets)[0]);
    declared.insert("progress".to_owned(), progress);
    let mut seen = BTreeSet::new();
    for kind in kinds {
        let sent = event(kind);
        let value = serde_json::to_value(&sent).unwrap();
        let name = value["type"].as_str().unwrap().to_owned();
        let mut expected = declared.get(&name).unwrap_or_else(|| panic!("`{name}` is not declared")).clone();
        expected.extend(members(objects(&every)[0]));
        assert_agrees(&name, &expected, &value);
        assert_eq!(serde_json::from_value::<CallEvent>(value).unwrap(), sent);
        seen.insert(name);
    }
    assert_eq!(seen, declared.keys().cloned().collect());
    let wired = CallEvent { wire: Some(7), ..event(CallEventKind::Cancelled) };
    let value = serde_json::to_value(&wired).unwrap();
    assert_eq!(value["message"], 7);
    assert_eq!(serde_json::from_value::<CallEvent>(value).unwrap(), wired);
}

#[test]
fn requests_questions_and_answers_have_the_names_of_the_page() {
    let requests = variants("CallRequest", "kind");
    for request in [
        CallRequest::Tool { name: "t".to_owned(), arguments: Default::default() },
        CallRequest::Prompt { name: "p".to_owned(), arguments: Default::default() },
        call().request,
    ] {
        let value = serde_json::to_value(&request).unwrap();
        assert_agrees("CallRequest", &requests[value["kind"].as_str().unwrap()], &value);
    }
    let questions = variants("OpenQuestion", "kind");
    for question in [
        DevQuestion::Sampling { seq: 1, key: "k".to_owned(), params: json!({}) },
        DevQuestion::Roots { seq: 1, key: "k".to_owned() },
    ] {
        let value = serde_json::to_value(&question).unwrap();
        assert_agrees("OpenQuestion", &questions[value["kind"].as_str().unwrap()], &value);
    }
    // The members of a question of a plugin, whose file this one imports.
    let plugin = include_str!("../../../../apps/plugin/typescript/plugin-client.ts");
    let plugin = without_comments(plugin);
    let of_plugin = &plugin[plugin.find("interface Question ").unwrap()..];
    let mut expected = members(objects(of_plugin)[0]);
    expected.insert("kind".to_owned(), (false, String::new()));
    assert_agrees("Question", &expected, &serde_json::to_value(question()).unwrap());
    for answer in [
        json!({ "action": "accept", "content": { "a": 1 } }),
        json!({ "action": "accept" }),
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
        json!({ "action": "reply", "text": "t" }),
        json!({ "action": "reply", "result": {} }),
        json!({ "action": "model" }),
        json!({ "action": "roots", "roots": [{ "uri": "file:///a", "name": "a" }, { "uri": "file:///b" }] }),
    ] {
        let read: AnyAnswer = serde_json::from_value(answer.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), answer);
    }
    let declared = declaration("PreparedAnswer");
    let mut expected = members(objects(&declared)[0]);
    expected.insert("action".to_owned(), (false, String::new()));
    let prepared = json!({ "kind": "form", "key": "confirm", "action": "decline" });
    assert_agrees("PreparedAnswer", &expected, &prepared);
    let read: PreparedAnswer = serde_json::from_value(prepared.clone()).unwrap();
    assert_eq!(json!(read), prepared);
    assert_eq!(json!(QuestionKind::ALL), json!(["form", "url", "sampling", "roots"]));
    let root = GivenRoot { uri: "u".to_owned(), name: None };
    assert_eq!(json!(root), json!({ "uri": "u" }));
}

#[test]
fn faults_and_streamed_events_have_the_names_of_the_page() {
    let declared = declaration("Fault");
    let names: BTreeSet<_> = declared.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    let ours = DevFault::ALL.map(|fault| serde_json::to_value(fault).unwrap().as_str().unwrap().to_owned());
    assert_eq!(names, ours.into_iter().collect());
    let declared = variants("DevEvent", "type");
    let (state, call, event) = (state(), call(), event(CallEventKind::Cancelled));
    let sent = [
        DevEvent::State { state: &state },
        DevEvent::ItemsChanged,
        DevEvent::Call { call: &call },
        DevEvent::Event { call: "c1", event: &event },
        DevEvent::Messages { total: 1, dropped: 0 },
    ];
    assert_eq!(sent.len(), declared.len());
    for event in sent {
        let value = serde_json::to_value(&event).unwrap();
        assert_agrees("DevEvent", &declared[value["type"].as_str().unwrap()], &value);
    }
}
