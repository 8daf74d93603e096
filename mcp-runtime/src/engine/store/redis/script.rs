//! The scripts of the store, and their replies. `store.lua` has what the scripts share.

use std::vec;

use redis::{FromRedisValue, ParsingError, Script, Value};

use crate::engine::call::ledger_time::LedgerTime;

/// The first line of a script that can run when Redis has no memory left. Redis supports this line since version 7.
const ALLOWED: &str = "#!lua flags=allow-oom\n";
/// The first line of a script that Redis refuses as a whole when it has no memory left.
const REFUSED: &str = "#!lua\n";

pub(super) struct Scripts {
    /// The operations of the ledger. When Redis has no memory left, those that only read can run.
    pub(super) ledger: Script,
    pub(super) free: Script,
    /// The operations that add to the runs.
    pub(super) write_runs: Script,
    /// The operations that read or remove runs, which must not fail when Redis has no memory left.
    pub(super) read_runs: Script,
}

/// The reply of a script: the time of the store when the script ran, the name of the reply, and its values.
pub(super) struct ScriptReply {
    pub(super) time: LedgerTime,
    pub(super) name: String,
    values: vec::IntoIter<Vec<u8>>,
}

impl Scripts {
    pub(super) fn new() -> Self {
        let script = |first, of| Script::new(&[first, include_str!("store.lua"), of].concat());
        let (ledger, runs) = (include_str!("ledger.lua"), include_str!("runs.lua"));
        Self {
            ledger: script("", ledger),
            free: script(ALLOWED, ledger),
            write_runs: script(REFUSED, runs),
            read_runs: script(ALLOWED, runs),
        }
    }
}

impl ScriptReply {
    /// Returns the next value. Returns `None` if there is none.
    pub(super) fn bytes(&mut self) -> Option<Vec<u8>> {
        self.values.next()
    }

    pub(super) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        self.text()?.parse().ok()
    }
}

impl FromRedisValue for ScriptReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let values = Vec::<Vec<u8>>::from_redis_value(value)?.into_iter();
        let mut reply = Self { time: LedgerTime::default(), name: String::new(), values };
        let (Some(time), Some(name)) = (reply.number(), reply.text()) else {
            return Err("the reply of a script has an unknown form".into());
        };
        Ok(Self { time: LedgerTime(time), name, ..reply })
    }
}
