//! Progress is reported only on request, is increasing, and has a limited rate.

use std::time::Duration;

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{client::Client, service};

/// Calls `report` with these arguments and returns the progress reports, which must all arrive before the result.
async fn reports(client: &mut Client, arguments: Value, token: Value) -> Vec<Value> {
    let id = client.begin_call("report", arguments, json!({ "progressToken": token })).await;
    client.response(&id).await;
    client.told("notifications/progress")
}

fn values(reports: &[Value]) -> Vec<f64> {
    reports.iter().map(|report| report["progress"].as_f64().unwrap()).collect()
}

#[tokio::test]
async fn reports_contain_the_token_and_the_fields_of_the_revision() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        for token in [json!("t"), json!(7), json!(""), json!("\"\n")] {
            let arguments = json!({ "values": [1.5], "total": 3.0, "pause": 0 });
            let mut expected = json!({ "progressToken": token, "progress": 1.5, "total": 3.0 });
            if revision >= Revision::V2025_03_26 {
                expected["message"] = json!("on it");
            }
            assert_eq!(reports(&mut client, arguments, token).await, [expected], "{revision}");
        }
    }
}

#[tokio::test]
async fn sends_no_reports_without_a_token() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        client.call("report", json!({ "values": [0.5, 1.0], "pause": 0 })).await;
        assert!(client.notifications().is_empty());
    }
}

#[tokio::test]
async fn sends_only_increasing_values() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let arguments = json!({ "values": [1.0, 1.0, 0.5, 2.0, -3.0, 2.5], "total": 10.0, "pause": 70 });
    let reports = reports(&mut client, arguments, json!(1)).await;
    assert_eq!(values(&reports), [1.0, 2.0, 2.5]);
}

#[tokio::test]
async fn limits_the_rate_of_reports_but_sends_the_last() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    let steps: Vec<u32> = (1..=1000).collect();
    let arguments = json!({ "values": steps, "total": 1000, "pause": 0 });
    let start = std::time::Instant::now();
    let reports = reports(&mut client, arguments, json!(1)).await;
    // At most 20 in a second, besides the last.
    let most = 2 + start.elapsed().as_millis() / 50;
    assert!((reports.len() as u128) <= most, "{} reports, {most} at most", reports.len());
    assert_eq!(values(&reports)[0], 1.0);
    assert_eq!(*values(&reports).last().unwrap(), 1000.0);
}

#[tokio::test]
async fn a_growing_total_does_not_lift_the_rate_limit() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    let steps: Vec<u32> = (1..=500).collect();
    let start = std::time::Instant::now();
    // Each of them says that all is done.
    let reports = reports(&mut client, json!({ "values": steps, "total": 0.5, "pause": 0 }), json!(1)).await;
    let most = 2 + start.elapsed().as_millis() / 50;
    assert!((reports.len() as u128) <= most, "{} reports, {most} at most", reports.len());
}

#[tokio::test]
async fn a_fraction_has_the_total_one() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    let fraction = reports(&mut client, json!({ "values": [0.25], "pause": 0 }), json!(1)).await;
    assert_eq!(fraction[0]["total"], 1.0);
    let count = reports(&mut client, json!({ "values": [25], "pause": 0 }), json!(1)).await;
    assert!(count[0].get("total").is_none());
}

#[tokio::test]
async fn two_calls_report_with_their_own_tokens() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let arguments = json!({ "values": [0.1, 0.2, 0.3], "pause": 60 });
        let first = client.begin_call("report", arguments.clone(), json!({ "progressToken": "a" })).await;
        let second = client.begin_call("report", arguments, json!({ "progressToken": 1 })).await;
        let answered = [client.next_response().await, client.next_response().await];
        assert!(answered.iter().any(|response| response["id"] == first));
        assert!(answered.iter().any(|response| response["id"] == second));
        let reports = client.told("notifications/progress");
        for token in [json!("a"), json!(1)] {
            let of_token: Vec<Value> =
                reports.iter().filter(|report| report["progressToken"] == token).cloned().collect();
            assert_eq!(values(&of_token), [0.1, 0.2, 0.3]);
        }
    }
}

/// Progress reports of concurrent threads must be sent in increasing order.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reports_of_many_threads_increase() {
    let service = service();
    let mut client = Client::open(&service, Revision::V2025_11_25).await;
    for _ in 0..20 {
        let id = client.begin_call("crowd", json!({}), json!({ "progressToken": "crowd" })).await;
        client.response(&id).await;
        assert!(!client.told("notifications/progress").is_empty());
    }
    // A straggler would come after the response.
    tokio::time::sleep(Duration::from_millis(50)).await;
    client.works().await;
}
