//! The application that runs a call itself, so that no client is between the call and the user.

/// The application that runs a call: see the module `plugin`. Such a call asks one question at a time, and its
/// questions name their forms.
pub(crate) trait Application: Send + Sync {
    /// `before` has returned this value. `handoff` is JSON text.
    fn handed_off(&self, handoff: &str);

    /// `after` begins. From now on the call cannot be cancelled.
    fn begun(&self);

    /// The server's own model has answered the question with this key. `answer` is JSON text.
    fn sampled(&self, key: &str, answer: &str);
}
