//! What the Lua scripts of the store share. Redis runs each script as one atomic step.
//!
//! The first key of each script is `{prefix}:ledger`, a hash: the id of the store, its time, the last version of the
//! ledger, and the `run_id` of Redis. The modules of the scripts describe the other keys. A Redis Cluster keeps all keys
//! of a prefix on one node. The first argument is the last time of the store that the caller has seen.

use redis::{FromRedisValue, ParsingError, RedisError, Value};

use crate::engine::{call::ledger_time::LedgerTime, durable::ledger::LedgerId};

/// The first line of a script that can run when Redis has no memory left. Redis supports this line since version 7.
pub(super) const ALLOWED: &str = "#!lua flags=allow-oom";
/// The first line of a script that Redis refuses as a whole when it has no memory left.
pub(super) const REFUSED: &str = "#!lua";

/// Computes the time of the store in milliseconds. The result is never earlier than the stored time or the first
/// argument.
pub(super) const TIME: &str = "
local clock = redis.call('TIME')
local wall = clock[1] * 1000 + math.floor(clock[2] / 1000)
local time = math.max(wall, tonumber(ARGV[1]), tonumber(redis.call('HGET', KEYS[1], 'time') or 0))
local now = string.format('%.0f', time)
";

/// Returns the id of the store. If Redis has no id, creates one.
///
/// If Redis has restarted, or a replica has taken over, the last writes can be lost. In these cases the script creates
/// a new id, unless this Redis is declared durable.
const ID: &str = "
local policy = string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:([%w-]+)')
if policy ~= 'noeviction' then return {now, 'evicts', policy or 'unknown'} end
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local known = redis.call('HMGET', KEYS[1], 'id', 'run')
if known[1] and known[2] == run then return {now, 'id', known[1]} end
local id = ARGV[2]
if known[1] and ARGV[3] == '1' then id = known[1] end
redis.call('HSET', KEYS[1], 'id', id, 'run', run, 'time', now)
return {now, 'id', id}
";

/// Runs before each operation. Reads the id of the store into `known`, and checks the `run_id` of Redis.
pub(super) const KNOWN: &str = "
local known = redis.call('HMGET', KEYS[1], 'id', 'run')
if known[2] ~= (string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or '') then return {now, 'restarted'} end
";

/// Defines the check before something new is stored: Redis evicts nothing, and a tenth of its memory stays free for what
/// is stored already.
pub(super) const ROOM: &str = "
local function refusal(bytes)
    local memory = redis.call('INFO', 'memory')
    local policy = string.match(memory, 'maxmemory_policy:([%w-]+)')
    if policy ~= 'noeviction' then return {now, 'evicts', policy or 'unknown'} end
    local used = tonumber(string.match(memory, 'used_memory:(%d+)')) or 0
    local most = tonumber(string.match(memory, 'maxmemory:(%d+)')) or 0
    if most > 0 and used + bytes > most * 0.9 then return {now, 'full'} end
end
";

/// Creates the script that asks for the id of the store.
pub(super) fn id_script() -> redis::Script {
    script(&[TIME, ID])
}

pub(super) fn script(parts: &[&str]) -> redis::Script {
    redis::Script::new(&parts.concat())
}

/// The reply of a script, and the time of the store when the script ran.
#[derive(Debug, PartialEq)]
pub(super) struct TimedReply<T> {
    pub(super) time: LedgerTime,
    pub(super) said: ScriptReply<T>,
}

#[derive(Debug, PartialEq)]
pub(super) enum ScriptReply<T> {
    /// Redis is configured to evict entries. This value holds the `maxmemory-policy` of Redis.
    Evicts(String),
    /// Redis has restarted since this process read the id. The caller has to ask for the id again.
    Restarted,
    /// Redis has too little memory for something new.
    Full,
    /// The reply that belongs to this script.
    Of(T),
}

/// A reply that belongs to some scripts. It has a name and values.
pub(super) trait ReadReply: Sized {
    /// Returns `None` if the reply has another form. `values` returns the next value.
    fn read(name: &[u8], values: &mut ReplyValues<'_>) -> Option<Self>;
}

/// Returns the next value of a reply. Returns `None` if there is none, or if it is not a string.
pub(super) type ReplyValues<'a> = dyn FnMut() -> Option<Vec<u8>> + 'a;

impl<T: ReadReply> FromRedisValue for TimedReply<T> {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let Value::Array(values) = value else { return Err("a script returns an array".into()) };
        let mut texts = values.into_iter().map(|value| match value {
            Value::BulkString(text) => Some(text),
            _ => None,
        });
        Self::read(&mut || texts.next().flatten()).ok_or_else(|| "the reply of a script has an unknown form".into())
    }
}

impl<T: ReadReply> TimedReply<T> {
    fn read(values: &mut ReplyValues<'_>) -> Option<Self> {
        let time = LedgerTime(number(&values()?)?);
        let said = match &*values()? {
            b"evicts" => ScriptReply::Evicts(text(values()?)?),
            b"restarted" => ScriptReply::Restarted,
            b"full" => ScriptReply::Full,
            name => ScriptReply::Of(T::read(name, values)?),
        };
        Some(Self { time, said })
    }
}

impl ReadReply for LedgerId {
    fn read(name: &[u8], values: &mut ReplyValues<'_>) -> Option<Self> {
        let id = text(values()?).filter(|id| name == b"id" && id.len() == 32)?;
        Some(Self::from_bytes(u128::from_str_radix(&id, 16).ok()?.to_be_bytes()))
    }
}

/// Returns whether Redis had no memory for the writes of a script.
pub(super) fn is_out_of_memory(error: &RedisError) -> bool {
    // Before Redis 7 this was the text of the script's own error.
    error.code() == Some("OOM") || error.detail().is_some_and(|detail| detail.contains("OOM command not allowed"))
}

pub(super) fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}

pub(super) fn number(text: &[u8]) -> Option<u64> {
    str::from_utf8(text).ok()?.parse().ok()
}
