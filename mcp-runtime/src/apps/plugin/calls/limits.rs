//! The limits of a host.

use crate::base::owned::{Amount, AmountLimits};

/// The limits of a [`PluginHost`](crate::plugin::PluginHost): how many calls, event streams and bytes it keeps, for each user
/// and in all. Set them with [`PluginHostBuilder::limits`](crate::plugin::PluginHostBuilder::limits).
///
/// | limit | default | beyond the limit |
/// | --- | --- | --- |
/// | [`max_open_calls_per_owner`](Self::max_open_calls_per_owner) | 64 | 429 |
/// | [`max_open_calls`](Self::max_open_calls) | 16,384 | the user with most waiting calls loses the oldest; 503 if no user has more than one |
/// | [`max_open_bytes_per_owner`](Self::max_open_bytes_per_owner) | 8 MiB | 429 |
/// | [`max_open_bytes`](Self::max_open_bytes) | 64 MiB | as for `max_open_calls` |
/// | [`max_ended_calls_per_owner`](Self::max_ended_calls_per_owner) | 256 | the user's oldest ended call is dropped |
/// | [`max_ended_calls`](Self::max_ended_calls) | 4,096 | the user with most ended calls loses the oldest |
/// | [`max_ended_bytes_per_owner`](Self::max_ended_bytes_per_owner) | 8 MiB | the user's oldest ended call is dropped |
/// | [`max_ended_bytes`](Self::max_ended_bytes) | 64 MiB | the user with most bytes loses the oldest ended call |
/// | [`max_call_bytes`](Self::max_call_bytes) | 4 MiB | 413; a question or result that does not fit ends the call |
/// | [`max_followers_per_call`](Self::max_followers_per_call) | 16 | 429 |
/// | [`max_followers_per_owner`](Self::max_followers_per_owner) | 64 | 429 |
/// | [`max_followers`](Self::max_followers) | 4,096 | the user with most event streams loses the oldest; 503 if no user has more than one |
///
/// The statuses are those of the [router](crate::plugin::PluginHost::router); 429 and 503 have a `Retry-After`. In Rust, each of
/// them is a [`PluginError`](crate::plugin::PluginError). The limits for one user do not apply to calls of the application
/// itself, and the application's calls are never ended for another call.
///
/// ```
/// # use mcp_runtime::{Server, plugin::{PluginHost, PluginLimits}};
/// let limits = PluginLimits::default().max_open_calls_per_owner(8).max_followers_per_owner(16);
/// let builder = PluginHost::builder(Server::new("app", "1.0.0")).limits(limits);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct PluginLimits {
    pub(crate) open: AmountLimits,
    pub(crate) ended: AmountLimits,
    pub(crate) call_bytes: usize,
    pub(crate) followers: AmountLimits,
    pub(crate) followers_per_call: usize,
}

const MIB: usize = 1024 * 1024;

impl Default for PluginLimits {
    fn default() -> Self {
        let limits = |[each, all]: [usize; 2], [each_bytes, all_bytes]: [usize; 2]| AmountLimits {
            each: Amount { number: each, bytes: each_bytes },
            all: Amount { number: all, bytes: all_bytes },
        };
        Self {
            open: limits([64, 16 * 1024], [8 * MIB, 64 * MIB]),
            ended: limits([256, 4 * 1024], [8 * MIB, 64 * MIB]),
            call_bytes: 4 * MIB,
            followers: limits([64, 4 * 1024], [usize::MAX; 2]),
            followers_per_call: 16,
        }
    }
}

/// Writes one setter for each limit.
macro_rules! setters {
    ($($(#[$doc:meta])* $setter:ident: $($limit:ident).+;)*) => {
        impl PluginLimits {
            $(
                $(#[$doc])*
                pub fn $setter(mut self, limit: usize) -> Self {
                    self.$($limit).+ = limit;
                    self
                }
            )*
        }
    };
}

setters! {
    /// Sets how many open calls one user may have. Default: 64.
    max_open_calls_per_owner: open.each.number;

    /// Sets how many open calls the host may have in total. Default: 16,384.
    ///
    /// At the limit, a new call ends the oldest call that waits for its user, of the user who has most open calls. The
    /// timeline of that call says why it has ended. If no other user has more open calls than the user of the new call
    /// would have, the new call is rejected. So a user with few calls keeps them, and is admitted.
    max_open_calls: open.all.number;

    /// Sets how many bytes the open calls of one user may have together. Default: 8 MiB. The arguments of a call count
    /// twice, because the tool has a copy of them. The questions and answers count once.
    max_open_bytes_per_owner: open.each.bytes;

    /// Sets how many bytes the open calls may have in total. Default: 64 MiB. In addition, the log messages of all calls
    /// can have half of this limit; above, each call keeps only the last 4 KiB of new ones.
    max_open_bytes: open.all.bytes;

    /// Sets how many ended calls of one user are kept. Default: 256.
    max_ended_calls_per_owner: ended.each.number;

    /// Sets how many ended calls are kept in total. Default: 4,096.
    max_ended_calls: ended.all.number;

    /// Sets how many bytes the ended calls of one user may have together. Default: 8 MiB. A call whose arguments were
    /// invalid keeps the result, but not the arguments.
    max_ended_bytes_per_owner: ended.each.bytes;

    /// Sets how many bytes the ended calls may have in total. Default: 64 MiB.
    max_ended_bytes: ended.all.bytes;

    /// Sets how many bytes the timeline of one call may have, without its log messages. Default: 4 MiB. If a timeline
    /// grows longer, its oldest questions, answers and samples are dropped. A call whose arguments do not fit is
    /// rejected. A call fails if a question or the result does not fit.
    max_call_bytes: call_bytes;

    /// Sets how many event streams of the [router](crate::plugin::PluginHost::router) may follow one call. Default: 16.
    max_followers_per_call: followers_per_call;

    /// Sets how many event streams one user may have open. Default: 64.
    max_followers_per_owner: followers.each.number;

    /// Sets how many event streams may be open in total. Default: 4,096. At the limit, a new stream ends the oldest one
    /// of the user who has most; its client can open it again.
    max_followers: followers.all.number;
}
