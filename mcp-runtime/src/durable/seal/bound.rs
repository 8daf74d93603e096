//! What a sealed text is bound to: with anything else it does not open.

use super::{CanonicalArguments, keyring::Purpose};

/// The request that a state goes on with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) method: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) arguments: &'a CanonicalArguments,
    /// Whose request it is: issuer and subject, never a token. Empty where nobody is told apart.
    pub(crate) principal: &'a str,
}

/// What a ledger keeps of a call beside its record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored<'a> {
    Outcome { call: &'a [u8] },
    Journal { call: &'a [u8] },
}

pub(super) trait Bound {
    fn purpose(&self) -> Purpose;

    /// Appends it so that no two of a purpose read the same.
    fn push(&self, data: &mut Vec<u8>);
}

impl Bound for Binding<'_> {
    fn purpose(&self) -> Purpose {
        Purpose::State
    }

    fn push(&self, data: &mut Vec<u8>) {
        push_text(data, self.method.as_bytes());
        push_text(data, self.tool.as_bytes());
        push_text(data, self.principal.as_bytes());
        push_text(data, self.arguments.as_bytes());
    }
}

impl Bound for Stored<'_> {
    fn purpose(&self) -> Purpose {
        match self {
            Self::Outcome { .. } => Purpose::Outcome,
            Self::Journal { .. } => Purpose::Journal,
        }
    }

    fn push(&self, data: &mut Vec<u8>) {
        let (Self::Outcome { call } | Self::Journal { call }) = self;
        push_text(data, call);
    }
}

fn push_text(data: &mut Vec<u8>, text: &[u8]) {
    data.extend_from_slice(&(text.len() as u64).to_le_bytes());
    data.extend_from_slice(text);
}
