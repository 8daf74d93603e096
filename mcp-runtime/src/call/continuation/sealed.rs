//! States that carry their journal, sealed. One that is too large is left with the ledger, sealed alike.

use std::{sync::Arc, time::SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Binding, CallId, Continuation, Journal, Place, Placed, RpcError};
use crate::call::{
    ledger::{LedgerKey, SealsOutcomes, Swapped},
    seal::{self, CanonicalArguments, KeyRing, Seal, Stored},
};

/// Seals with the keys of the server.
pub(crate) struct Sealed(Seal);

/// What a state holds.
#[derive(Serialize, Deserialize)]
struct Inside<J> {
    call: String,
    round: u32,
    first: u32,
    misses: u8,
    ledger: String,
    /// Seconds since 1970.
    expires: u64,
    journal: Carried<J>,
}

#[derive(Serialize, Deserialize)]
enum Carried<J> {
    Here(J),
    /// In the ledger under this random name: the SHA-256 of the bytes there.
    Spilled {
        name: String,
        digest: [u8; 32],
    },
}

impl Sealed {
    pub(crate) fn new(keys: KeyRing) -> Self {
        Self(Seal::new(keys))
    }

    pub(super) async fn write(
        &self,
        Placed { claims, ledger, binding, keep }: Placed<'_>,
        place: Place,
        misses: u8,
        journal: &Journal,
    ) -> Result<String, RpcError> {
        let arguments = CanonicalArguments::of(binding.arguments);
        let bound = bound(binding, &arguments);
        let mut inside = Inside {
            call: place.call.name(),
            round: place.round,
            first: place.first,
            misses,
            ledger: ledger.to_string(),
            expires: now().saturating_add(keep.as_secs()),
            journal: Carried::Here(journal),
        };
        let too_large = || RpcError::state_too_large(binding.tool);
        if let Ok(state) = self.0.seal(&bound, &to_bytes(&inside)?) {
            return Ok(state);
        }
        let stored = self.0.seal_stored(&Stored::Journal { call: inside.call.as_bytes() }, &to_bytes(&journal)?);
        let name = format!("journal:{}", CallId::random().name());
        let digest = Sha256::digest(&stored).into();
        match claims.keep(LedgerKey::new(ledger, &name), Arc::from(stored), keep).await {
            Ok(Swapped::Done(_)) => {}
            Ok(Swapped::Conflict(_)) => return Err(too_large()),
            Err(error) => return Err(RpcError::unavailable(error)),
        }
        inside.journal = Carried::Spilled { name, digest };
        self.0.seal(&bound, &to_bytes(&inside)?).map_err(|_| too_large())
    }

    pub(super) async fn read(
        &self,
        Placed { claims, ledger, binding, .. }: Placed<'_>,
        anywhere: bool,
        state: &str,
    ) -> Result<Continuation, RpcError> {
        let arguments = CanonicalArguments::of(binding.arguments);
        let text = self.0.open(&bound(binding, &arguments), state).map_err(|_| RpcError::inauthentic_state())?;
        // Authentic, so that only another version of this crate can have written something else.
        let inside: Inside<Journal> = serde_json::from_slice(&text).map_err(|_| RpcError::past_state())?;
        if inside.expires < now() {
            return Err(RpcError::past_state());
        }
        if inside.ledger != ledger.to_string() && !anywhere {
            return Err(RpcError::other_ledger());
        }
        let call = u128::from_str_radix(&inside.call, 16).map_err(|_| RpcError::past_state())?;
        let journal = match inside.journal {
            Carried::Here(journal) => journal,
            Carried::Spilled { name, digest } => {
                let entry = claims.kept(LedgerKey::new(ledger, &name)).await.map_err(RpcError::unavailable)?;
                let stored = entry.filter(|stored| *Sha256::digest(stored) == digest);
                let stored = stored.ok_or_else(RpcError::past_state)?;
                let bound = Stored::Journal { call: inside.call.as_bytes() };
                let text = self.0.open_stored(&bound, &stored).map_err(|_| RpcError::past_state())?;
                serde_json::from_slice(&text).map_err(|_| RpcError::past_state())?
            }
        };
        let place = Place { call: CallId(call), round: inside.round, first: inside.first };
        Ok(Continuation { place, misses: inside.misses, journal: Some(journal) })
    }
}

impl SealsOutcomes for Sealed {
    fn seal(&self, call: &str, bytes: &[u8]) -> Vec<u8> {
        self.0.seal_stored(&Stored::Outcome { call: call.as_bytes() }, bytes)
    }

    fn open(&self, call: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        self.0.open_stored(&Stored::Outcome { call: call.as_bytes() }, bytes).ok()
    }
}

/// The call that a client's key stands for. Whoever has the key, and is who was behind the request, has the call.
pub(super) fn call_of_key(binding: &Binding<'_>, key: &str) -> CallId {
    let arguments = CanonicalArguments::of(binding.arguments);
    let mut digest = Sha256::new();
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
    let mut id = [0; 16];
    id.copy_from_slice(&digest.finalize()[..16]);
    CallId(u128::from_be_bytes(id))
}

fn bound<'a>(binding: &Binding<'a>, arguments: &'a CanonicalArguments) -> seal::Binding<'a> {
    seal::Binding {
        method: "tools/call",
        tool: binding.tool,
        arguments,
        principal: binding.principal.unwrap_or_default(),
    }
}

fn to_bytes(value: &impl Serialize) -> Result<Vec<u8>, RpcError> {
    serde_json::to_vec(value).map_err(|error| RpcError::internal(error.to_string()))
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
