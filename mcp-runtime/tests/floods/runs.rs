//! Background runs, which the server keeps after their end.

use mcp_runtime::{
    Server, Service,
    prelude::*,
    runs::{RunLimits, RunQuota, Runs},
};
use serde_json::{Value, json};

use crate::{
    floods::{
        caller::Caller,
        memory::{Idle, PART},
    },
    support::own_process::in_own_process,
};

/// The size of large texts.
pub(crate) const LARGE: usize = 1_000_000 / PART;

struct Echoes;

/// Runs texts.
#[mcp_actions]
impl Echoes {
    /// Returns the text.
    #[action(run)]
    async fn echo(&self, text: String) -> String {
        text
    }

    /// Never ends.
    #[action(run)]
    async fn keep(&self, text: String) {
        std::future::pending::<()>().await;
        drop(text);
    }

    /// Writes many long log messages, and never ends.
    #[action(run)]
    async fn chatter(&self, ctx: &Ctx) {
        for _ in 0..250 {
            ctx.log(Level::Info, "x".repeat(100_000));
            tokio::task::yield_now().await;
        }
        ctx.progress(1.0);
        std::future::pending::<()>().await;
    }
}

/// Returns limits with a part of the default bytes.
pub(crate) fn limits([runs, all_runs]: [usize; 2]) -> RunLimits {
    const MIB: u64 = 1024 * 1024;
    RunLimits {
        per_owner: RunQuota { runs, bytes: 16 * MIB / PART as u64 },
        total: RunQuota { runs: all_runs, bytes: 64 * MIB / PART as u64 },
    }
}

fn service() -> Service {
    let runs = Runs::default().open_limits(limits([100, 1_000])).ended_limits(limits([1_000 / PART, 10_000 / PART]));
    Server::new("s", "1.0.0").tool(Echoes.into_actions().runs(runs)).build().unwrap()
}

async fn act(caller: &mut Caller, action: &str, params: Value) -> Result<Value, Value> {
    let input = json!({ "action": action, "params": params });
    let mut answer = caller.call("echoes", input).await["result"]["structuredContent"].take();
    match answer["error"].take() {
        Value::Null => Ok(answer["result"].take()),
        error => Err(error),
    }
}

async fn run_id(caller: &mut Caller, action: &str, params: Value) -> String {
    act(caller, action, params).await.unwrap()["run_id"].as_str().unwrap().to_owned()
}

/// Runs `echo` with a text that needs no escapes, and checks that the run ends with its result.
async fn echo(caller: &mut Caller, text: &str) {
    let params =
        format!(r#"{{"name":"echoes","arguments":{{"action":"echo","params":{{"text":"{text}","wait":true}}}}}}"#);
    let answer = caller.request_text("tools/call", &params).await;
    assert!(answer.contains(r#""status":"completed""#), "{}", &answer[..answer.len().min(1000)]);
}

/// Checks that the result of a run is still there.
async fn assert_result(caller: &mut Caller, run_id: &str, result: &str) {
    let run = act(caller, "status", json!({ "run_id": run_id })).await.unwrap();
    assert_eq!((&run["status"], &run["outputs"]), (&json!("completed"), &json!(result)));
}

#[tokio::test]
async fn ended_runs_with_large_texts_keep_a_bounded_number_of_bytes() {
    in_own_process!();
    let service = service();
    let (mut ann, mut bob) = (Caller::new(&service, "ann"), Caller::new(&service, "bob"));
    let of_bob = run_id(&mut bob, "echo", json!({ "text": "mine", "wait": true })).await;
    let idle = Idle::measure();
    let text = "x".repeat(LARGE);
    for _ in 0..90 {
        echo(&mut ann, &text).await;
    }
    idle.assert_peak_of_part();
    let last = run_id(&mut ann, "echo", json!({ "text": text, "wait": true })).await;
    assert_result(&mut bob, &of_bob, "mine").await;
    assert_result(&mut ann, &last, &text).await;
    let kept = idle.more();
    assert!(kept < 10_000_000, "{} MB are kept", kept / 1_000_000);
}

#[tokio::test]
async fn many_owners_with_large_texts_keep_a_bounded_number_of_bytes() {
    in_own_process!();
    let service = service();
    let mut bob = Caller::new(&service, "bob");
    let of_bob = run_id(&mut bob, "echo", json!({ "text": "mine", "wait": true })).await;
    let idle = Idle::measure();
    let text = "x".repeat(LARGE);
    for number in 0..110 {
        echo(&mut Caller::new(&service, &format!("invented-{number:03}")), &text).await;
    }
    idle.assert_peak_of_part();
    assert_result(&mut bob, &of_bob, "mine").await;
}

#[tokio::test]
async fn short_runs_of_one_owner_do_not_evict_the_result_of_another() {
    in_own_process!();
    let service = service();
    let (mut ann, mut bob) = (Caller::new(&service, "ann"), Caller::new(&service, "bob"));
    let of_bob = run_id(&mut bob, "echo", json!({ "text": "mine", "wait": true })).await;
    let idle = Idle::measure();
    let first = run_id(&mut ann, "echo", json!({ "text": "first", "wait": true })).await;
    for _ in 0..10_200 / PART {
        echo(&mut ann, "x").await;
    }
    idle.assert_peak_of_part();
    assert_result(&mut bob, &of_bob, "mine").await;
    let evicted = act(&mut ann, "status", json!({ "run_id": first })).await.unwrap_err();
    assert_eq!(evicted["kind"], "unknown_run", "an owner's own oldest run is evicted");
}

#[tokio::test]
async fn open_runs_with_large_texts_are_refused_with_words() {
    in_own_process!();
    let service = service();
    let text = "x".repeat(LARGE);
    let idle = Idle::measure();
    let (mut refused, mut begun) = (Value::Null, Vec::new());
    for owner in ["ann", "amy", "ada"] {
        let mut caller = Caller::new(&service, owner);
        for _ in 0..100 {
            match act(&mut caller, "keep", json!({ "text": text })).await {
                Ok(run) => begun.push((owner, run["run_id"].clone())),
                Err(error) => {
                    refused = error;
                    break;
                }
            }
        }
        let message = refused["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("your open runs can have 4194304 bytes together"), "{owner}: {message}");
        assert_eq!((&refused["kind"], &refused["status"]), (&json!("too_many_runs"), &json!(429)));
    }
    idle.assert_peak_of_part();
    let mut bob = Caller::new(&service, "bob");
    let of_bob = run_id(&mut bob, "echo", json!({ "text": "mine", "wait": true })).await;
    assert_result(&mut bob, &of_bob, "mine").await;
    for (owner, run_id) in begun {
        act(&mut Caller::new(&service, owner), "cancel", json!({ "run_id": run_id })).await.unwrap();
    }
    let mut ann = Caller::new(&service, "ann");
    act(&mut ann, "keep", json!({ "text": text })).await.expect("a cancelled run does not count");
}

#[tokio::test]
async fn a_trace_has_a_bounded_number_of_bytes() {
    in_own_process!();
    let service = service();
    let (mut ann, mut bob) = (Caller::new(&service, "ann"), Caller::new(&service, "bob"));
    let of_bob = run_id(&mut bob, "echo", json!({ "text": "mine", "wait": true })).await;
    let idle = Idle::measure();
    let chatter = run_id(&mut ann, "chatter", json!({})).await;
    let run = loop {
        let run = act(&mut ann, "result", json!({ "run_id": chatter })).await.unwrap();
        if run["progress"].is_object() {
            break run;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    idle.assert_peak();
    let (trace, dropped) = (run["trace"].as_array().unwrap(), run["trace_dropped"].as_u64().unwrap());
    assert_eq!(trace.len() as u64 + dropped, 252, "the start, 250 messages, and the progress");
    assert!(run["trace"].to_string().len() < 128 * 1024);
    assert_result(&mut bob, &of_bob, "mine").await;
    assert!(idle.more() < 2_000_000, "{} bytes are kept", idle.more());
}
