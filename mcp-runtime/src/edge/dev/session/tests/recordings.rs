//! Sessions as files.

use std::{env, fs, path::PathBuf, process};

use serde_json::{Map, json};

use super::{
    super::{
        NewCall,
        api::{call::AnyAnswer, state::SessionSource},
        recording,
    },
    MODERN, Tried, setup,
};

const SECRET: &str = "hunter2-secret";

fn written(name: &str, text: &str) -> PathBuf {
    let path = env::temp_dir().join(format!("mcp-dev-{}-{name}.jsonl", process::id()));
    fs::write(&path, text).unwrap();
    path
}

#[tokio::test]
async fn a_recording_shows_the_session_without_its_secrets() {
    let tried = Tried::new();
    tried.session.list(&setup(MODERN)).await.unwrap();
    let id = tried.call(MODERN, "send_money", &json!({ "to": SECRET }), None);
    let question = tried.question(&id).await;
    let content = Map::from_iter([("confirmed".to_owned(), true.into())]);
    tried.session.answer(&id, question.seq(), AnyAnswer::Accept { content: Some(content) }).unwrap();
    let call = tried.ended(&id).await;
    let text: String = tried.session.recorded().collect();
    assert!(!text.contains(SECRET) && text.contains("[secret]"));
    let state = tried.session.message(call.events.as_ref().unwrap().iter().find_map(|event| event.wire).unwrap());
    drop(state);
    assert!(text.contains("[state of ") && !text.contains("\\\"requestState\\\":\\\"v1.") && !text.contains("t1."));

    let path = written("whole", &text);
    let session = recording::open(&path).unwrap();
    assert!(matches!(session.state().source, SessionSource::Recording { .. }));
    assert!(session.state().abilities.faults.is_empty());
    let calls = session.calls();
    assert_eq!((calls.len(), calls[0].status), (1, call.status));
    let shown = session.find(&id).unwrap();
    assert_eq!(shown.events.unwrap().len(), call.events.unwrap().len());
    assert_eq!(session.list(&setup(MODERN)).await.unwrap().tools.len(), 7);
    let (recorded, live) = (session.messages(&Default::default()), tried.session.messages(&Default::default()));
    assert_eq!((recorded.total, recorded.messages.len()), (live.total, live.messages.len()));
    let new = NewCall { request: call.request, setup: setup(MODERN), fault: None, answers: Vec::new() };
    assert!(session.call(new).unwrap_err().to_string().contains("recording"));
    assert!(session.restart().await.is_err() && session.record(&id).await.unwrap().record.is_none());
    let again: String = session.recorded().collect();
    assert_eq!(again.lines().count(), text.lines().count());
    fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn refuses_files_that_are_not_recordings() {
    let header = r#"{"format":"mcp-runtime dev recording","version":1,"at":0,"program":"bank"}"#;
    for (name, text, expected) in [
        ("empty", String::new(), "is empty"),
        ("other", "{\"a\":1}\n".to_owned(), "is not a recording"),
        ("version", header.replace(":1,", ":9,"), "version 9; this program reads"),
        ("broken", format!("{header}\n{{\"call\":{{\"id\":1}}}}\n"), "line 2: this is not a part of a recording"),
        ("cut", format!("{header}\n{{\"state\":{{}}}}\n{{\"mess"), "line 3: "),
    ] {
        let path = written(name, &text);
        let error = recording::open(&path).err().unwrap_or_default();
        assert!(error.contains(expected), "{name}: {error}");
        fs::remove_file(path).unwrap();
    }
    let missing = recording::open(&env::temp_dir().join("no-such-recording")).err().unwrap();
    assert!(missing.contains("cannot be opened"), "{missing}");
}
