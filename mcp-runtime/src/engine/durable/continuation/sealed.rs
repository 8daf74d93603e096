//! States that are written with the server's keys: sealed states with their journal, and tokens. A journal that is too
//! large is sealed and stored in the ledger.

use std::sync::Arc;

use hmac_sha256::Hash;

use super::contents::{Binding, Carried, Placed, PushJournal, Spilled, StateInfo, Written};
use crate::{
    base::mac,
    engine::{
        call::{
            call_id::{CallId, Place},
            journal::Journal,
        },
        durable::{
            ledger::{LedgerKey, OutcomeCipher, Swapped},
            seal::{self, KeyRing, Seal, SealedEntry},
        },
    },
    wire::protocol::{canonical::CanonicalArguments, error::RpcError},
};

/// Seals states with the keys of the server.
pub(crate) struct Sealed(Seal);

/// The first byte of a sealed state whose journal follows, or is stored in the ledger.
const HERE: u8 = 1;
const SPILLED: u8 = 2;

impl Sealed {
    /// Creates a value that seals states with `keys`. `state_size` is the maximum length of a state in bytes, or `None`
    /// for the default.
    pub(crate) fn new(keys: KeyRing, state_size: Option<usize>) -> Self {
        let seal = Seal::new(keys);
        Self(match state_size {
            Some(bytes) => seal.largest_state(bytes),
            None => seal,
        })
    }

    pub(super) async fn write(
        &self,
        Placed { claims, ledger, binding, keep }: Placed<'_>,
        info: StateInfo,
        journal: Option<PushJournal<'_>>,
    ) -> Result<Written, RpcError> {
        let bound = bound(&binding);
        let Some(push_journal) = journal else {
            return Ok(Written { text: self.0.write_token(&bound, &info.to_bytes()), spilled: 0 });
        };
        let mut text = header(info, HERE);
        let start = text.len();
        push_journal(&mut text);
        if let Ok(text) = self.0.seal(&bound, &mut text) {
            return Ok(Written { text, spilled: 0 });
        }
        let too_large = || {
            let reason = "its answers are too large for a `requestState`";
            RpcError::internal(format!("the call of `{}` cannot continue, because {reason}", binding.tool))
        };
        let call = info.place.call.name();
        let stored: Arc<[u8]> =
            self.0.seal_stored(&SealedEntry::Journal { call: call.as_bytes() }, &text[start..]).into();
        let length = stored.len();
        let spilled = Spilled { name: CallId::random(), digest: Hash::hash(&stored) };
        match claims.swap(LedgerKey::new(ledger, &spilled.key()), None, stored, keep, Some(info.expires)).await {
            Ok(Swapped::Done(_)) => {}
            Ok(Swapped::Conflict(_)) => return Err(too_large()),
            Ok(Swapped::TooLate) => return Err(RpcError::past_state()),
            Err(error) => return Err(RpcError::unavailable(error)),
        }
        let mut text = header(info, SPILLED);
        text.extend_from_slice(&spilled.name.to_bytes());
        text.extend_from_slice(&spilled.digest);
        let text = self.0.seal(&bound, &mut text).map_err(|_| too_large())?;
        Ok(Written { text, spilled: length })
    }

    /// Verifies a state and decodes it.
    pub(super) fn open(&self, binding: &Binding<'_>, state: &str) -> Result<(StateInfo, Carried), RpcError> {
        let bound = bound(binding);
        let read = if Seal::is_token(state) {
            self.0.open_token(&bound, state).map(|info| Some((StateInfo::from_bytes(&info)?, Carried::Nothing)))
        } else {
            self.0.open(&bound, state).map(read_header)
        };
        // An authentic state that cannot be read was written by another version of this crate.
        read.map_err(|_| RpcError::inauthentic_state())?.ok_or_else(RpcError::past_state)
    }

    pub(super) async fn journal(
        &self,
        Placed { claims, ledger, binding, .. }: Placed<'_>,
        place: Place,
        carried: &Carried,
    ) -> Result<Option<Journal>, RpcError> {
        let opened = match carried {
            Carried::Unopened(state) => Some(self.open(&binding, state)?.1),
            _ => None,
        };
        let stored;
        let text = match opened.as_ref().unwrap_or(carried) {
            Carried::Nothing | Carried::Unopened(_) => return Ok(None),
            Carried::Here(text, start) => &text[*start..],
            Carried::Spilled(spilled) => {
                let entry = claims.load(LedgerKey::new(ledger, &spilled.key())).await.map_err(RpcError::unavailable)?;
                let entry = entry.map(|entry| entry.value);
                let entry = entry.filter(|stored| Hash::hash(stored) == spilled.digest);
                let entry = entry.ok_or_else(RpcError::past_state)?;
                let call = place.call.name();
                let bound = SealedEntry::Journal { call: call.as_bytes() };
                stored = self.0.open_stored(&bound, &entry).map_err(|_| RpcError::past_state())?;
                &stored
            }
        };
        serde_json::from_slice(text).map(Some).map_err(|_| RpcError::past_state())
    }

    /// Returns a MAC that identifies a step. The key of the MAC is the call's id, which clients cannot read in a sealed
    /// state.
    pub(super) fn step_code(&self, call: CallId, step: &str) -> [u8; 32] {
        mac::code(&call.to_bytes(), &[b"mcp-runtime v1 idempotency key ", step.as_bytes()])
    }

    /// Returns the id of the call with this idempotency key. The id is a digest of the key, principal, tool and
    /// arguments.
    pub(super) fn call_of_key(&self, binding: &Binding<'_>, key: &str) -> CallId {
        let arguments = CanonicalArguments::of(binding.arguments);
        let mut digest = Hash::new();
        for part in [
            b"call of a key",
            binding.principal.unwrap_or_default().as_bytes(),
            binding.tool.as_bytes(),
            key.as_bytes(),
            arguments.as_bytes(),
        ] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        CallId::from_code(&digest.finalize())
    }
}

/// Encodes the part of a sealed state before the journal, behind the room for the seal. The first byte is [`HERE`] if the
/// journal follows as JSON text, or [`SPILLED`] if the journal's name and digest follow.
fn header(info: StateInfo, follows: u8) -> Vec<u8> {
    // Has space for the journal of a few answers.
    let mut bytes = Vec::with_capacity(1024);
    bytes.extend_from_slice(&[0; seal::ROOM]);
    bytes.push(follows);
    bytes.extend_from_slice(&info.to_bytes());
    bytes
}

/// Decodes a decrypted state: its header, and the place of its journal.
fn read_header(text: Vec<u8>) -> Option<(StateInfo, Carried)> {
    let (follows, rest) = text.split_first()?;
    let (info, rest) = rest.split_first_chunk()?;
    let info = StateInfo::from_bytes(info)?;
    let carried = match *follows {
        HERE => {
            let start = text.len() - rest.len();
            Carried::Here(text, start)
        }
        SPILLED => {
            let (name, digest) = rest.split_first_chunk()?;
            Carried::Spilled(Spilled { name: CallId::from_bytes(*name), digest: digest.try_into().ok()? })
        }
        _ => return None,
    };
    Some((info, carried))
}

impl OutcomeCipher for Sealed {
    fn seal(&self, call: &str, bytes: &[u8]) -> Vec<u8> {
        self.0.seal_stored(&SealedEntry::Outcome { call: call.as_bytes() }, bytes)
    }

    fn open(&self, call: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        self.0.open_stored(&SealedEntry::Outcome { call: call.as_bytes() }, bytes).ok()
    }
}

fn bound<'a>(binding: &Binding<'a>) -> seal::BoundRequest<'a> {
    seal::BoundRequest {
        method: "tools/call",
        tool: binding.tool,
        arguments: binding.arguments,
        principal: binding.principal.unwrap_or_default(),
    }
}
