//! The connections to one server: one for all requests since 2026-07-28, and sessions before.
//!
//! A question of a session does not say to which request it belongs. So a session whose client can be asked serves one
//! request at a time, and further requests get sessions of their own. A session keeps the abilities that its client had
//! at the handshake, so there is a session for each set of abilities.

use std::{ops::Deref, sync::Arc, time::Duration};

use tokio::{
    sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep_until},
};

use super::{
    connect::{Connected, ServerFacts, connect, profile},
    connection::RemoteConnection,
    lists::RemoteChanges,
    settings::RemoteSettings,
};
use crate::{
    base::mutex::Mutex,
    serve::{client::WrittenClient, remote::transport::TransferError},
    wire::protocol::{
        capability::{Capabilities, TASKS},
        level::Level,
        revision::Revision,
    },
};

/// The pause after the first failure. It doubles with each further failure.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A request waits for a pause of this length. During a longer one it fails at once.
pub(super) const SHORT_PAUSE: Duration = Duration::from_secs(1);

/// The abilities of a client, the level of log messages that it wants, and what its requests say about it.
type KnownProfile = (Capabilities, Option<Level>, Arc<WrittenClient>);

/// How many different clients are remembered.
const MOST_PROFILES: usize = 64;

pub(super) struct Links {
    /// Locked while a connection begins, so that waiting requests share it and its failure.
    connecting: AsyncMutex<LinkOpener>,
    /// The sessions that nobody uses, the last used one at the end.
    idle: Mutex<Vec<Link>>,
    /// The sessions that can be lent.
    lendable: Arc<Semaphore>,
    /// What requests since 2026-07-28 say about their clients, which differ in their abilities and in the level of log
    /// messages.
    profiles: Mutex<Vec<KnownProfile>>,
}

#[derive(Default)]
struct LinkOpener {
    /// The connection for all requests, or the session of a client that cannot be asked.
    shared: Option<Link>,
    /// Whether the server needs sessions.
    is_session: bool,
    failures: u32,
    retry_at: Option<Instant>,
    last_failure: String,
}

/// A connection that can be used.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) connection: Arc<RemoteConnection>,
    pub(super) facts: Arc<ServerFacts>,
    pub(super) profile: Arc<WrittenClient>,
    abilities: Capabilities,
}

/// A connection for one request. A session goes back to the others when this is dropped, if it was [kept](Self::keep).
pub(super) struct LeasedLink {
    link: Link,
    session: Option<LentSession>,
}

struct LentSession {
    links: Arc<Links>,
    link: Link,
    is_kept: bool,
    _permit: OwnedSemaphorePermit,
}

impl Links {
    pub(super) fn new(settings: &RemoteSettings) -> Self {
        let lendable = Arc::new(Semaphore::new(settings.max_sessions));
        Self { connecting: AsyncMutex::default(), idle: Mutex::default(), lendable, profiles: Mutex::default() }
    }

    /// Returns a connection for a request whose client has these abilities. Waits for a session if all are in use.
    /// `follows_tasks` says whether the request can be answered with a task, if the server has tasks.
    pub(super) async fn lease(
        self: &Arc<Self>,
        settings: &RemoteSettings,
        changes: &Arc<RemoteChanges>,
        abilities: Capabilities,
        level: Option<Level>,
        follows_tasks: bool,
    ) -> Result<LeasedLink, TransferError> {
        let mut connecting = self.connecting.lock().await;
        if !connecting.is_session || abilities.is_empty() {
            let mut link = connecting.shared(settings, changes).await?;
            if !connecting.is_session {
                let follows_tasks = follows_tasks && link.facts.has_extension(TASKS);
                link.profile = self.profile(if follows_tasks { abilities.with_tasks() } else { abilities }, level);
            }
            if !connecting.is_session || abilities.is_empty() {
                return Ok(LeasedLink { link, session: None });
            }
        }
        drop(connecting);
        let closed = |_| TransferError::Unreachable("the remote was closed".to_owned());
        let permit = Arc::clone(&self.lendable).acquire_owned().await.map_err(closed)?;
        let link = match self.take_idle(settings, abilities) {
            Some(link) => link,
            None => self.connecting.lock().await.connect(settings, changes, abilities).await?,
        };
        let session = LentSession { links: Arc::clone(self), link: link.clone(), is_kept: false, _permit: permit };
        Ok(LeasedLink { link, session: Some(session) })
    }

    fn profile(&self, abilities: Capabilities, level: Option<Level>) -> Arc<WrittenClient> {
        let mut profiles = self.profiles.lock();
        let known = profiles.iter().find(|(known, at, _)| (*known, *at) == (abilities, level));
        if let Some((.., profile)) = known {
            return Arc::clone(profile);
        }
        let new = profile(Revision::LATEST, abilities, level);
        profiles.truncate(MOST_PROFILES - 1);
        profiles.push((abilities, level, Arc::clone(&new)));
        new
    }

    /// Returns a session with these abilities that nobody uses. Without one, closes sessions with other abilities if
    /// there are too many for one more.
    fn take_idle(&self, settings: &RemoteSettings, abilities: Capabilities) -> Option<Link> {
        let mut idle = self.idle.lock();
        idle.retain(|link| !link.connection.has_ended());
        if let Some(index) = idle.iter().rposition(|link| link.abilities == abilities) {
            return Some(idle.remove(index));
        }
        // The caller's own permit counts as lent.
        let lent = settings.max_sessions - self.lendable.available_permits();
        let excess = (idle.len() + lent).saturating_sub(settings.max_sessions).min(idle.len());
        drop(idle.drain(..excess));
        None
    }
}

impl LinkOpener {
    /// Returns the shared connection, or connects.
    async fn shared(&mut self, settings: &RemoteSettings, changes: &Arc<RemoteChanges>) -> Result<Link, TransferError> {
        if let Some(link) = self.shared.as_ref().filter(|link| !link.connection.has_ended()) {
            return Ok(link.clone());
        }
        self.shared = None;
        let link = self.connect(settings, changes, Capabilities::NONE).await?;
        self.shared = Some(link.clone());
        Ok(link)
    }

    async fn connect(
        &mut self,
        settings: &RemoteSettings,
        changes: &Arc<RemoteChanges>,
        abilities: Capabilities,
    ) -> Result<Link, TransferError> {
        if let Some(retry_at) = self.retry_at {
            let pause = retry_at.saturating_duration_since(Instant::now());
            if pause > SHORT_PAUSE {
                let (last, seconds) = (&self.last_failure, pause.as_secs_f64().ceil());
                return Err(TransferError::Unreachable(format!("{last} (the next attempt is in {seconds} s)")));
            }
            sleep_until(retry_at).await;
        }
        match connect(settings, self.is_session, abilities).await {
            Ok(Connected { connection, revision, facts }) => {
                (self.failures, self.retry_at) = (0, None);
                self.is_session = !revision.is_modern();
                let changes = Arc::downgrade(changes);
                connection.on_change(move |method, params| {
                    changes.upgrade().inspect(|changes| changes.note(method, params));
                });
                let (facts, profile) = (Arc::new(facts), profile(revision, abilities, None));
                Ok(Link { connection, facts, profile, abilities })
            }
            Err(failure) => {
                // The next attempt asks again which revision the server has: it can be a later version of the server.
                self.is_session = false;
                let pause = FIRST_PAUSE.saturating_mul(1 << self.failures.min(16)).min(LONGEST_PAUSE);
                self.failures += 1;
                self.retry_at = Some(Instant::now() + pause);
                self.last_failure = failure.to_string();
                Err(failure)
            }
        }
    }
}

impl LeasedLink {
    /// Marks that the request has its reply, so that the session can be used again. A late question to a request that
    /// was given up would otherwise reach the next one.
    pub(super) fn keep(&mut self) {
        self.session.iter_mut().for_each(|session| session.is_kept = true);
    }

    /// Whether the server may ask during the request.
    pub(super) fn may_ask(&self) -> bool {
        self.session.is_some()
    }
}

impl Deref for LeasedLink {
    type Target = Link;

    fn deref(&self) -> &Link {
        &self.link
    }
}

impl Drop for LentSession {
    fn drop(&mut self) {
        if self.is_kept && !self.link.connection.has_ended() {
            self.links.idle.lock().push(self.link.clone());
        }
    }
}
