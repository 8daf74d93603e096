//! The application that runs a call itself, so that no client is between the call and the user.

/// An application that runs a call itself, without a client; see the module `plugin`. A call in an application asks one
/// question at a time, and each question with a form contains the key of the form.
pub(crate) trait Application: Send + Sync {
    /// Reports that `before` has returned this value. `handoff` is JSON text.
    fn handed_off(&self, handoff: &str);

    /// Reports that `after` begins. From now on the call cannot be cancelled.
    fn begun(&self);

    /// Reports that the server's own model has answered the question with this key, or has failed. `answer` is JSON text.
    fn sampled(&self, key: &str, answer: Option<&str>);
}
