//! Cancelled calls, as their application and their quota see them.

use crate::engine::durable::rounds::tests::{TOOLS, TestApplication, service};

#[tokio::test]
async fn a_late_answer_to_a_cancelled_call_gets_an_error() {
    let service = service();
    let (application, durable) = (TestApplication::new(&service), &service.0.durable);
    for tool in TOOLS {
        let state = application.ask(tool);
        let registered = service.0.registry.find(tool).unwrap();
        // Another principal cannot cancel the call.
        for principal in [Some("eve"), None] {
            durable.cancel_waiting(&registered, "{}", principal, &state).await;
            assert_eq!(durable.quotas().sweep(), principal.is_some(), "{tool}");
        }
        let late = application.answer(tool, &state).unwrap_err();
        assert!(late.contains("was cancelled"), "{late}");
    }
}
