//! The limits of a server.

use std::time::Duration;

use super::Server;

impl Server {
    /// Sets the maximum size of a message in bytes. Default: 4 MiB, and 1 MiB over HTTP. A larger message is answered
    /// with an error that has the id of the request.
    pub fn max_message_size(mut self, bytes: usize) -> Self {
        self.0.service.limits.message_size = Some(bytes);
        self
    }

    /// Sets how many calls can run at once. Default: 16,384. Further calls wait. Over HTTP, all clients share the
    /// limit, and a call waits at most for [`HttpLimits::queue_timeout`](crate::http::HttpLimits::queue_timeout). The server
    /// still reads messages while calls wait, so that a client can cancel them. A call that waits for a user's answer
    /// does not count.
    ///
    /// The memory of running and waiting calls is limited too. For the client on standard input the limit is 64 MiB,
    /// and each call counts as 4 KiB plus twice the size of its arguments. Further calls are rejected before they
    /// begin. For HTTP see [`HttpLimits`](crate::http::HttpLimits).
    pub fn max_concurrent_calls(mut self, calls: usize) -> Self {
        self.0.service.limits.concurrent_calls = calls.max(1);
        self
    }

    /// Sets how many calls of one client can be open at once. Default: 8,192. A call is open from its first request
    /// until its end, also while it waits for an answer. Two kinds of calls count: calls of tools that declare that
    /// they ask the client, and calls with an idempotency key.
    ///
    /// A client is a [`Principal`](crate::Principal), or the address of an HTTP request without a principal. The client
    /// on standard input has no quota.
    ///
    /// A call counts until it is finished or cancelled, or until its request states have expired. The states expire an
    /// hour after the call's last round, or after the time that the tool sets with `answer_within`. Cancelling a request
    /// ends a call in a session, a call in an application, and a call that cannot be rebuilt. Any other call stays open,
    /// because its client may send the request again. Some calls count until their
    /// states have expired, even if the calls are finished. These are calls with an idempotency key, and calls whose
    /// journal was too large for a state. A call that exceeds the quota is rejected before the tool runs. Over HTTP,
    /// the response has the status 429. Other clients are not affected, and open calls continue.
    ///
    /// Clients behind one proxy have one address, unless the application sets a
    /// [`ClientAddress`](crate::http::ClientAddress).
    pub fn max_open_calls_per_client(mut self, calls: usize) -> Self {
        self.0.service.limits.open_calls.calls = calls;
        self
    }

    /// Sets how many open calls of one client can wait in the memory of this process. Default: 2,048. Only calls that
    /// cannot be rebuilt count: their tool is neither `replayable` nor a handoff. Of a plugin host, all calls that ask count,
    /// unless its store outlives the process. Further calls of such tools are rejected before the tool runs. A client is
    /// the same as for [`max_open_calls_per_client`](Self::max_open_calls_per_client), which also counts these calls.
    ///
    /// All clients together can have 16,384 such calls. All such calls, and all calls that wait in sessions over HTTP,
    /// can together hold 128 MiB of arguments and replies.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").max_parked_calls_per_client(100);
    /// ```
    pub fn max_parked_calls_per_client(mut self, calls: usize) -> Self {
        self.0.service.limits.open_calls.parked = calls;
        self
    }

    /// Sets how many requests of `subscriptions/listen` of one client can be open at once. Default: 256. A further
    /// request is rejected; over HTTP, with the status 429. A client is a [`Principal`](crate::Principal), or the
    /// address of an HTTP request without a principal, or the client on standard input.
    ///
    /// The resources that the subscriptions name are limited too, and each subscription counts as four of them; see
    /// [`changing`](crate::guide::changing). So one client can have at most 2,500 subscriptions.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").max_subscriptions_per_client(1000);
    /// ```
    pub fn max_subscriptions_per_client(mut self, subscriptions: usize) -> Self {
        self.0.service.limits.subscriptions = subscriptions;
        self
    }

    /// Sets how many bytes the [open calls](Self::max_open_calls_per_client) of one client can hold together. Default:
    /// 8 MiB. Each call counts as 1 KiB plus its arguments, its latest reply, the journal in its record, and each of its
    /// journals that is too large for a state. The arguments count twice until the first question. In a session, they
    /// always count twice. A client without open calls can begin one call of any size.
    ///
    /// Keep the limit well below half the size of the ledger. When half of the ledger is used, the server rejects new
    /// calls of all clients. Over HTTP, the responses have the status 503. A [`MemoryLedger`](crate::store::MemoryLedger) has
    /// a size of 128 MiB by default.
    pub fn max_open_bytes_per_client(mut self, bytes: usize) -> Self {
        self.0.service.limits.open_calls.bytes = bytes;
        self
    }

    /// Sets for how long calls can still run after the client has disconnected, or after an HTTP server begins to shut
    /// down. Default: 10 seconds.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.0.service.limits.shutdown_grace = grace;
        self
    }
}
