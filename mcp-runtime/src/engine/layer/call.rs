//! The information that layers get about a call.

use std::{fmt, sync::Arc};

use crate::engine::{
    call::{Call, Client, Principal, execution::LayerSignals},
    tool::Arguments,
};

/// The call that a [`Layer`](super::Layer) handles, with its tool, arguments and caller. Cloning it is cheap.
#[derive(Clone)]
pub struct CallInfo(pub(super) Arc<Surrounded>);

/// The data that all layers of a call share.
pub(crate) struct Surrounded {
    pub(super) call: Call,
    pub(super) arguments: Box<str>,
    pub(super) is_resumed: bool,
    pub(super) signals: Arc<LayerSignals>,
}

impl CallInfo {
    /// Returns the name of the tool.
    pub fn tool(&self) -> &str {
        self.0.call.target().name()
    }

    /// Returns the JSON text of the arguments as the client sent it, before it is checked against the tool's schema.
    ///
    /// ```
    /// use mcp_runtime::{Result, layer::CallInfo};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Transfer {
    ///     amount: u64,
    /// }
    ///
    /// async fn limit_amount(call: CallInfo) -> Result<()> {
    ///     if call.tool() == "transfer" && call.arguments().read::<Transfer>()?.amount > 1_000 {
    ///         return Err("transfers of more than 1000 need a clerk".into());
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn arguments(&self) -> Arguments<'_> {
        Arguments::new(&self.0.arguments, &self.0.call.registered().schema)
    }

    /// Returns the caller of the current request; see [`Ctx::principal`](crate::Ctx::principal). Returns `None` if the
    /// caller has no identity. Over stdio, no caller has an identity.
    pub fn principal(&self) -> Option<Principal> {
        self.0.call.0.principal()
    }

    /// Returns the client's name, revision and capabilities.
    pub fn client(&self) -> Client {
        self.0.call.0.client()
    }

    /// Returns whether the call was rebuilt in a later round. If so, the call's layers already ran in an earlier round,
    /// maybe in another process.
    pub fn is_resumed(&self) -> bool {
        self.0.is_resumed
    }
}

impl Surrounded {
    pub(super) fn ended(&self) -> Option<&str> {
        self.signals.ended.get().map(String::as_str)
    }
}

impl fmt::Debug for CallInfo {
    /// Omits the arguments, which can contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallInfo").field("tool", &self.tool()).field("is_resumed", &self.is_resumed()).finish()
    }
}
