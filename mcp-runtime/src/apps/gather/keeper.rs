//! The tasks of a mounted server: one reads its lists, and one listens to its changes.

use std::{
    pin::pin,
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::{
    sync::{broadcast::error::RecvError, oneshot, watch},
    time::{Instant, sleep, sleep_until},
};

use super::{mounted::Mounted, mounts::publish, resource::MountedResource};
use crate::{
    Service,
    serve::{
        remote::ListName,
        resource::resource_of,
        server::{Inner, subscriptions::Subscriptions},
    },
};

/// How often the lists are read, if the server says that they have not changed. A list that the server allows to keep
/// longer is not read.
const REFRESH: Duration = Duration::from_secs(60);

/// How long changes are collected before the lists are read.
const COLLECT: Duration = Duration::from_millis(100);

/// The shortest time between two readings. A server can say at any time that its lists have changed.
const SHORTEST: Duration = Duration::from_secs(1);

/// The pause after the first failure. It doubles with each further failure.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A subscription that ends earlier has failed.
const SHORT: Duration = Duration::from_secs(5);

/// Reads the lists of a server again and again. Sends `first` when the server has answered, and lists its items after
/// `is_loaded`.
pub(super) async fn keep(
    mounted: Arc<Mounted>,
    server: Weak<Inner>,
    first: oneshot::Sender<()>,
    mut is_loaded: watch::Receiver<bool>,
) {
    let (mut first, mut pause) = (Some(first), FIRST_PAUSE);
    loop {
        let mut changes = ListName::ALL.map(|name| mounted.remote.changes_of(name));
        let began = Instant::now();
        let has_answered = mounted.refresh().await;
        if let Some(first) = first.take() {
            // Fails if the server has taken too long.
            let _ = first.send(());
        }
        // Fails if the server is gone.
        let _ = is_loaded.wait_for(|is_loaded| *is_loaded).await;
        let Some(server) = server.upgrade() else { return };
        publish(&server);
        drop(server);
        let wait = if has_answered { REFRESH } else { pause };
        pause = if has_answered { FIRST_PAUSE } else { LONGEST_PAUSE.min(pause * 2) };
        tokio::select! {
            () = sleep(wait) => {}
            () = one_changed(&mut changes) => sleep_until((Instant::now() + COLLECT).max(began + SHORTEST)).await,
        }
    }
}

/// Waits until one of the lists has changed.
async fn one_changed(changes: &mut [watch::Receiver<u64>; 4]) {
    let [tools, prompts, resources, templates] = changes;
    // The mount holds the senders.
    tokio::select! {
        _ = tools.changed() => {}
        _ = prompts.changed() => {}
        _ = resources.changed() => {}
        _ = templates.changed() => {}
    }
}

/// Listens to changes of a server, and tells the clients of this one about changed resources.
pub(super) async fn listen(mounted: Arc<Mounted>, server: Weak<Inner>) {
    let Some((mut watched, mut updated)) = server.upgrade().map(|server| {
        let subscriptions = server.extensions.get_or_add(Subscriptions::default);
        (subscriptions.watched_changes(), mounted.remote.changed_resources())
    }) else {
        return;
    };
    let (mut pause, mut before) = (FIRST_PAUSE, Vec::new());
    loop {
        watched.mark_unchanged();
        let Some(uris) = server.upgrade().map(|server| watched_of(&server, &mounted)) else { return };
        let began = Instant::now();
        let listening = mounted.remote.listen(&uris, &before);
        let has_ended = {
            let mut listening = pin!(listening);
            loop {
                tokio::select! {
                    // The task that reads the lists reports failures.
                    _ = &mut listening => break true,
                    uri = updated.recv() => match uri {
                        Ok(uri) => pass_on(&server, &mounted, &uri),
                        Err(RecvError::Lagged(_)) => uris.iter().for_each(|uri| pass_on(&server, &mounted, uri)),
                        Err(RecvError::Closed) => return,
                    },
                    _ = watched.changed() => {
                        let Some(server) = server.upgrade() else { return };
                        if watched_of(&server, &mounted) != uris {
                            break false;
                        }
                    }
                }
            }
        };
        before = if has_ended { Vec::new() } else { uris };
        if has_ended {
            sleep(pause).await;
            pause = if began.elapsed() < SHORT + pause { LONGEST_PAUSE.min(pause * 2) } else { FIRST_PAUSE };
        }
    }
}

/// Returns the URIs of the server's resources that clients have subscribed to, in order.
fn watched_of(server: &Arc<Inner>, mounted: &Mounted) -> Vec<Arc<str>> {
    let mut uris = server.extensions.get_or_add(Subscriptions::default).watched_resources();
    uris.retain(|uri| is_of(server, mounted, uri));
    uris.sort_unstable();
    uris
}

/// Tells the clients that a resource has changed, if it is one of this server.
fn pass_on(server: &Weak<Inner>, mounted: &Mounted, uri: &str) {
    if let Some(server) = server.upgrade()
        && is_of(&server, mounted, uri)
    {
        Service(server).resources().updated(uri);
    }
}

fn is_of(server: &Inner, mounted: &Mounted, uri: &str) -> bool {
    let found = server.find_resource(uri);
    found.is_some_and(|found| resource_of::<MountedResource>(&found).is_some_and(|it| it.is_of(&mounted.name)))
}
