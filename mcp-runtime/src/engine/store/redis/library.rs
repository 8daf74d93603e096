//! The functions of the store, which Redis runs, and their replies. `store.lua` has what the functions share.

use std::vec;

use hmac_sha256::Hash;
use redis::{Cmd, FromRedisValue, ParsingError, RedisError, ToRedisArgs, Value, cmd};

use crate::engine::call::ledger_time::LedgerTime;

/// Stands in the text of the library for its digest. Redis keeps one library with each name, and programs of different
/// versions can share a Redis.
const DIGEST: &str = "DIGEST";

/// The library of functions of the store.
pub(super) struct Library {
    text: String,
    digest: String,
}

/// The call of a function, with its keys and its arguments.
pub(super) struct FunctionCall {
    function: String,
    keys: Vec<String>,
    arguments: Vec<Vec<u8>>,
}

/// The reply of a function: the time of the store when the function ran, the name of the reply, and its values.
pub(super) struct LibraryReply {
    pub(super) time: LedgerTime,
    pub(super) name: String,
    values: vec::IntoIter<Vec<u8>>,
}

impl Library {
    pub(super) fn new() -> Self {
        let text = [include_str!("store.lua"), include_str!("ledger.lua"), include_str!("runs.lua")].concat();
        let digest: String = Hash::hash(text.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        Self { text: text.replace(DIGEST, &digest), digest }
    }

    /// Returns the command that loads the library.
    pub(super) fn load(&self) -> Cmd {
        let mut command = cmd("FUNCTION");
        command.arg("LOAD").arg("REPLACE").arg(&self.text);
        command
    }

    /// Begins the call of a function.
    pub(super) fn call(&self, function: &str) -> FunctionCall {
        FunctionCall { function: format!("mcp_{}_{function}", self.digest), keys: Vec::new(), arguments: Vec::new() }
    }

    /// Returns whether a call failed because Redis does not have the library.
    pub(super) fn is_missing(error: &RedisError) -> bool {
        error.detail().is_some_and(|detail| detail.contains("Function not found"))
    }
}

impl FunctionCall {
    pub(super) fn key(&mut self, key: String) -> &mut Self {
        self.keys.push(key);
        self
    }

    pub(super) fn arg(&mut self, argument: impl ToRedisArgs) -> &mut Self {
        argument.write_redis_args(&mut self.arguments);
        self
    }

    pub(super) fn command(&self) -> Cmd {
        let mut command = cmd("FCALL");
        command.arg(&self.function).arg(self.keys.len()).arg(&self.keys).arg(&self.arguments);
        command
    }
}

impl LibraryReply {
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

impl FromRedisValue for LibraryReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let values = Vec::<Vec<u8>>::from_redis_value(value)?.into_iter();
        let mut reply = Self { time: LedgerTime::default(), name: String::new(), values };
        let (Some(time), Some(name)) = (reply.number(), reply.text()) else {
            return Err("the reply of a function has an unknown form".into());
        };
        Ok(Self { time: LedgerTime(time), name, ..reply })
    }
}
