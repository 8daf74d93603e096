//! The data that a sealed text is bound to. The text can only be decrypted with the same data.

use super::keyring::Purpose;
use crate::wire::protocol::canonical::CanonicalArguments;

/// The request that a state is bound to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundRequest<'a> {
    pub(crate) method: &'a str,
    pub(crate) tool: &'a str,
    /// The arguments as JSON text. Two texts with the same JSON value count as the same arguments.
    pub(crate) arguments: &'a str,
    /// The principal's name. Empty if callers have no identity.
    pub(crate) principal: &'a str,
}

/// Sealed data in a ledger: the outcome or the journal of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SealedEntry<'a> {
    Outcome { call: &'a [u8] },
    Journal { call: &'a [u8] },
}

pub(super) trait BoundData {
    fn purpose(&self) -> Purpose;

    /// Appends this value to `data`. Two different values with the same purpose must append different bytes.
    fn push(&self, data: &mut Vec<u8>);
}

impl BoundData for BoundRequest<'_> {
    fn purpose(&self) -> Purpose {
        Purpose::State
    }

    fn push(&self, data: &mut Vec<u8>) {
        push_text(data, self.method.as_bytes());
        push_text(data, self.tool.as_bytes());
        push_text(data, self.principal.as_bytes());
        let length = data.len();
        data.extend_from_slice(&[0; 8]);
        let start = data.len();
        CanonicalArguments::push(data, self.arguments);
        let canonical = (data.len() - start) as u64;
        data[length..start].copy_from_slice(&canonical.to_le_bytes());
    }
}

impl BoundData for SealedEntry<'_> {
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
