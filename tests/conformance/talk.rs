//! Log messages and progress before the result.

use std::time::{Duration, Instant};

use mcp_runtime::{
    Level, Revision,
    testing::{Client, Report},
};

use crate::conformance::{REVISIONS, checked, service, text};

#[tokio::test]
async fn sends_three_log_messages_at_level_info() {
    for revision in REVISIONS {
        let begun = Instant::now();
        let outcome = Client::new(&service(), revision).call("test_tool_with_logging", ()).await;
        assert!(begun.elapsed() >= Duration::from_millis(100), "there is a pause between them");
        assert_eq!(checked(revision, &outcome), text("Tool with logging executed successfully"));
        let said: Vec<_> = outcome.logs().iter().map(|log| (log.level, log.data.as_str().unwrap())).collect();
        let expected = ["Tool execution started", "Tool processing data", "Tool execution completed"];
        assert_eq!(said, expected.map(|text| (Level::Info, text)), "{revision}");
    }
}

#[tokio::test]
async fn sends_three_progress_reports_before_the_result() {
    for revision in REVISIONS {
        let outcome = Client::new(&service(), revision).call("test_tool_with_progress", ()).await;
        assert_eq!(checked(revision, &outcome), text("Tool with progress executed successfully"));
        let reported: Vec<_> =
            outcome.progress().iter().map(|Report { progress, total, .. }| (*progress, *total)).collect();
        assert_eq!(reported, [0.0, 50.0, 100.0].map(|progress| (progress, Some(100.0))), "{revision}");
        let received = outcome.transcript().received();
        assert!(received.last().unwrap()["result"].is_object(), "nothing is reported after the result");
    }
}

#[tokio::test]
async fn closes_no_stream_that_cannot_be_resumed() {
    for revision in REVISIONS {
        let outcome = Client::new(&service(), revision).call("test_reconnection", ()).await;
        assert_eq!(checked(revision, &outcome), text("Reconnection test completed"));
    }
}

/// Returns how many of eight messages with different levels the client receives.
async fn logged(revision: Revision, level: Option<Level>) -> usize {
    let mut client = Client::new(&service(), revision).log_level(level);
    let outcome = client.call("test_logging_tool", ()).await;
    assert_eq!(checked(revision, &outcome), text("Logging tool executed successfully"));
    outcome.logs().len()
}

#[tokio::test]
async fn a_request_selects_its_log_level() {
    assert_eq!(logged(Revision::V2026_07_28, None).await, 0);
    assert_eq!(logged(Revision::V2026_07_28, Some(Level::Warning)).await, 5);
    assert_eq!(logged(Revision::V2026_07_28, Some(Level::Debug)).await, 8);
    assert_eq!(logged(Revision::V2025_11_25, Some(Level::Warning)).await, 5);
}
