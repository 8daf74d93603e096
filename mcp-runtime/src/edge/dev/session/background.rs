//! What a session does on its own: it passes on what the processes report, how their build goes, and how many messages
//! there are.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        watch,
    },
    time::sleep,
};

use super::{
    api::{event::CallEventKind, message::Direction, state::DevEvent},
    core::{DevSession, SessionOptions},
    log::{MessageLog, NewMessage},
};
use crate::edge::dev::target::{DevTarget, ProcessReport, Reported, TargetStatus, TransportKind};

/// How often the followers get the number of messages.
const COUNTING: Duration = Duration::from_millis(100);

/// How often the followers get the state of the server.
const SHOWING: Duration = Duration::from_millis(50);

impl DevSession {
    /// Begins a session.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub(crate) fn begin(target: Arc<dyn DevTarget>, options: SessionOptions) -> Arc<Self> {
        let session = Arc::new(Self::new(target, options));
        let mut tasks = session.tasks.lock();
        tasks.spawn(pass_reports(session.target.reports(), Arc::downgrade(&session)));
        let status = session.target.status();
        let builds = status.borrow().build.number;
        tasks.spawn(pass_status(status, builds, Arc::downgrade(&session)));
        tasks.spawn(count_messages(Arc::clone(&session.log), Arc::downgrade(&session)));
        drop(tasks);
        session
    }
}

async fn pass_reports(mut reports: broadcast::Receiver<ProcessReport>, session: Weak<DevSession>) {
    loop {
        match reports.recv().await {
            Ok(report) => match session.upgrade() {
                Some(session) => session.note(report),
                None => return,
            },
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

/// `builds` is the number of the build that the session has begun with.
async fn pass_status(mut status: watch::Receiver<TargetStatus>, mut builds: u32, session: Weak<DevSession>) {
    while status.changed().await.is_ok() {
        let Some(session) = session.upgrade() else { return };
        let number = status.borrow_and_update().build.number;
        session.hub.publish(&DevEvent::State { state: &session.state() });
        if std::mem::replace(&mut builds, number) != number {
            session.hub.publish(&DevEvent::ItemsChanged);
        }
        drop(session);
        // A server that writes many lines changes its status with each of them.
        sleep(SHOWING).await;
    }
}

async fn count_messages(log: Arc<MessageLog>, session: Weak<DevSession>) {
    let mut last = log.totals();
    loop {
        let changed = log.changed.notified();
        let (total, dropped) = log.totals();
        if (total, dropped) == last {
            changed.await;
        } else {
            last = (total, dropped);
            let Some(session) = session.upgrade() else { return };
            session.hub.publish(&DevEvent::Messages { total, dropped });
        }
        sleep(COUNTING).await;
    }
}

impl DevSession {
    /// Notes what a process has reported.
    fn note(&self, ProcessReport { instance, what, .. }: ProcessReport) {
        let (request, kind) = match what {
            Reported::Started { .. } => return,
            Reported::Ran { request, name } => {
                if let Some(call) = self.calls.of_request(request.as_deref()) {
                    call.ran(&name);
                }
                return;
            }
            Reported::Span { request, name, took, fields } => {
                (request, CallEventKind::Span { name, took, fields: fields.into_iter().collect() })
            }
            Reported::Metric { request, name, value, labels } => {
                (request, CallEventKind::Metric { name, value, labels: labels.into_iter().collect() })
            }
            Reported::Output { line } => {
                self.log.push(NewMessage {
                    direction: Direction::Received,
                    transport: TransportKind::Stdio,
                    instance,
                    text: &line,
                    kind: Some("stderr"),
                    call: None,
                    round: None,
                });
                return;
            }
        };
        if let Some(call) = request.and_then(|request| self.calls.of_request(Some(&request))) {
            call.publish(kind, None);
        }
    }
}
