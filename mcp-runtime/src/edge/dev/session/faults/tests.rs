use super::{
    super::api::{fault::DevFault, record::LedgerRecord},
    finding::{Evidence, Replied, finding},
    rules::{impossible, possible},
};
use crate::edge::dev::target::TargetAbilities;

fn ran(counts: &[(&str, u32)]) -> Evidence {
    let ran = counts.iter().map(|(name, times)| (format!("`{name}`"), *times)).collect();
    let record =
        LedgerRecord { round: 1, status: "done", lease: None, reply: None, steps: Vec::new(), version: "3".to_owned() };
    Evidence {
        name: "send_money".to_owned(),
        ran: Some(ran),
        record: Some(Some(record)),
        replied: Replied::Result { is_error: false },
        same_reply: Some(true),
        ..Evidence::default()
    }
}

#[test]
fn says_how_often_each_phase_ran() {
    let (ok, told) = finding(DevFault::LoseReply, &ran(&[("after", 1), ("before", 1)]));
    let expected = "The request was sent again, and the server answered with the recorded reply. `after` ran once, \
                    `before` ran once.";
    assert_eq!((ok, &*told), (true, expected));
    let (ok, told) = finding(DevFault::Kill, &ran(&[("before", 1)]));
    assert!(ok && told.ends_with("The call continued. `before` ran once, `after` has not run."), "{told}");
}

#[test]
fn a_phase_that_ran_twice_is_not_fine_whatever_the_reply_is() {
    for fault in DevFault::ALL {
        let (ok, told) = finding(fault, &ran(&[("after", 2), ("before", 1)]));
        assert!(!ok && told.contains("`after` ran twice"), "{fault:?}: {told}");
    }
}

#[test]
fn a_call_without_a_record_has_run_again() {
    let evidence = Evidence { record: Some(None), ran: None, ..ran(&[]) };
    let (ok, told) = finding(DevFault::LoseReply, &evidence);
    assert!(!ok && told.contains("has no record of the call, so `send_money` ran again"), "{told}");
    let (ok, told) = finding(DevFault::LoseReply, &Evidence { can_run_again: true, ..evidence });
    assert!(ok && told.contains("does no harm"), "{told}");
}

#[test]
fn a_late_answer_must_be_refused() {
    let refused = Evidence { replied: Replied::Refused("it has expired".to_owned()), ..ran(&[("before", 1)]) };
    assert!(finding(DevFault::AnswerLate, &refused).0);
    assert!(!finding(DevFault::AnswerLate, &ran(&[("before", 1), ("after", 1)])).0);
}

#[test]
fn a_server_behind_a_url_is_not_killed() {
    let url = TargetAbilities { processes: false, stdio: false, http: true, principals: false };
    let processes = TargetAbilities { processes: true, ..url };
    assert_eq!(possible(processes).len(), DevFault::ALL.len());
    for fault in [DevFault::Kill, DevFault::ClockForward, DevFault::AnswerLate, DevFault::OtherInstance] {
        assert!(!possible(url).contains(&fault));
        assert!(impossible(fault, false, url).is_some() && impossible(fault, false, processes).is_none());
    }
    assert!(impossible(DevFault::AnswerSpent, true, url).is_some_and(|why| why.contains("2026-07-28")));
}
