//! The client of a request. Since 2026-07-28 every request describes its client, and most descriptions are equal.

use std::sync::Mutex;

use crate::{
    engine::call::Client,
    wire::protocol::{capability::Capabilities, error::RpcError, params::Meta, revision::Revision},
};

/// Caches the client that was described in the last request, so that equal descriptions are parsed once. The whole
/// description is compared, so that no request gets the capabilities of another client.
#[derive(Default)]
pub(crate) struct LastClient(Mutex<Option<KnownClient>>);

struct KnownClient {
    capabilities: Box<str>,
    client: Client,
}

/// The maximum size of a cached description of a client, in bytes, to limit the memory.
const LONGEST: usize = 4096;

impl LastClient {
    /// Returns the client that is described in the `_meta` of a request in this revision.
    pub(crate) fn of(&self, meta: &Meta<'_>, revision: Revision) -> Result<Client, RpcError> {
        let Some(capabilities) = meta.capabilities else {
            return Err(RpcError::missing_meta("io.modelcontextprotocol/clientCapabilities"));
        };
        // If another thread holds the lock, parse instead of waiting.
        let mut last = self.0.try_lock().ok();
        if let Some(Some(KnownClient { capabilities: known, client })) = last.as_deref()
            && **known == *capabilities
            && client.info_text() == meta.client_info
            && client.revision() == revision
        {
            return Ok(client.clone());
        }
        let client = Client::new(meta.client_info, revision, Capabilities::read(capabilities)?);
        if let Some(last) = &mut last
            && capabilities.len() + meta.client_info.map_or(0, str::len) <= LONGEST
        {
            **last = Some(KnownClient { capabilities: capabilities.into(), client: client.clone() });
        }
        Ok(client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::protocol::capability::Capability;

    #[test]
    fn each_request_gets_its_own_client() {
        let last = LastClient::default();
        let of = |capabilities, info| {
            let mut meta = Meta::default();
            (meta.capabilities, meta.client_info) = (capabilities, info);
            last.of(&meta, Revision::LATEST)
                .map(|client| (client.supports(Capability::Elicitation), client.name().map(str::to_owned)))
        };
        let (none, forms) = (Some("{}"), Some(r#"{"elicitation":{}}"#));
        let (ann, bob) = (Some(r#"{"name":"Ann"}"#), Some(r#"{"name":"Bob"}"#));
        for _ in 0..2 {
            assert_eq!(of(none, ann).unwrap(), (false, Some("Ann".into())));
            assert_eq!(of(forms, ann).unwrap(), (true, Some("Ann".into())));
            assert_eq!(of(forms, bob).unwrap(), (true, Some("Bob".into())));
            assert_eq!(of(forms, None).unwrap(), (true, None));
            assert!(of(None, ann).is_err());
            assert!(of(Some("[]"), ann).is_err());
        }
    }
}
