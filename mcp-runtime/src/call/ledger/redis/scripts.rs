//! What Redis runs, each as one step.
//!
//! Two kinds of keys, which a Redis Cluster keeps on one node. `{prefix}:ledger` is a hash that never expires: the id of
//! the ledger, the last version, and the run of Redis that has both. `{prefix}:<id>:<name>` is an entry, a hash of a
//! version and a value. Versions go as text, for Lua has no integers.

use redis::{RedisError, Value};

use super::{LedgerEntry, LedgerId, LedgerVersion};

/// Gives the id, and makes one for a store that has none.
///
/// A Redis that was started again, or took over from another, may have lost what was written last. It gets another id
/// unless it is known to be durable.
const ID: &str = "
local policy = string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:([%w-]+)')
if policy ~= 'noeviction' then return {'evicts', policy or 'unknown'} end
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local known = redis.call('HMGET', KEYS[1], 'id', 'run')
if known[1] and known[2] == run then return {'id', known[1]} end
local id = ARGV[1]
if known[1] and ARGV[2] == '1' then id = known[1] end
redis.call('HSET', KEYS[1], 'id', id, 'run', run)
return {'id', id}
";

/// Before any operation. Every run of Redis looks at what it has before it is asked for it.
const OWN: &str = "
local known = redis.call('HMGET', KEYS[1], 'id', 'run')
if known[2] ~= (string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or '') then return {'restarted'} end
if known[1] ~= ARGV[1] then return {'replaced'} end
local entry = redis.call('HMGET', KEYS[2], 'version', 'value')
";

const LOAD: &str = "
if entry[1] then return {'entry', entry[1], entry[2]} end
return {'none'}
";

/// A new entry needs a store that evicts nothing, and leaves a tenth of it to those that are there.
const SWAP: &str = "
if (entry[1] or '') ~= ARGV[2] then
    if entry[1] then return {'entry', entry[1], entry[2]} end
    return {'none'}
end
if not entry[1] then
    local memory = redis.call('INFO', 'memory')
    local policy = string.match(memory, 'maxmemory_policy:([%w-]+)')
    if policy ~= 'noeviction' then return {'evicts', policy or 'unknown'} end
    local used = tonumber(string.match(memory, 'used_memory:(%d+)')) or 0
    local most = tonumber(string.match(memory, 'maxmemory:(%d+)')) or 0
    if most > 0 and used + #ARGV[3] > most * 0.9 then return {'full'} end
end
local version = string.format('%.0f', redis.call('HINCRBY', KEYS[1], 'version', 1))
redis.call('HSET', KEYS[2], 'version', version, 'value', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return {'done', version}
";

pub(super) struct Scripts {
    pub(super) id: redis::Script,
    pub(super) load: redis::Script,
    pub(super) swap: redis::Script,
}

/// What a script says.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    Id(LedgerId),
    /// The policy by which entries are removed to make room.
    Evicts(String),
    /// This run of Redis has not looked yet whether it has lost anything: ask for the id first.
    Restarted,
    Replaced,
    None,
    Entry(LedgerEntry),
    Done(LedgerVersion),
    Full,
}

impl Scripts {
    pub(super) fn new() -> Self {
        let own = |script: &str| redis::Script::new(&[OWN, script].concat());
        Self { id: redis::Script::new(ID), load: own(LOAD), swap: own(SWAP) }
    }
}

impl redis::FromRedisValue for Said {
    fn from_redis_value(value: Value) -> Result<Self, redis::ParsingError> {
        let Value::Array(values) = value else { return Err("a script returns an array".into()) };
        let mut texts = values.into_iter().map(|value| match value {
            Value::BulkString(text) => Some(text),
            _ => None,
        });
        let mut next = || texts.next().flatten();
        Self::read(&mut next).ok_or_else(|| "a script returns what it was written to".into())
    }
}

impl Said {
    fn read(next: &mut impl FnMut() -> Option<Vec<u8>>) -> Option<Self> {
        Some(match &*next()? {
            b"id" => Self::Id(id(&next()?)?),
            b"evicts" => Self::Evicts(String::from_utf8(next()?).ok()?),
            b"restarted" => Self::Restarted,
            b"replaced" => Self::Replaced,
            b"none" => Self::None,
            b"entry" => Self::Entry(LedgerEntry { version: version(&next()?)?, value: next()?.into() }),
            b"done" => Self::Done(version(&next()?)?),
            b"full" => Self::Full,
            _ => return None,
        })
    }
}

/// Whether Redis had no room for what a script wrote.
pub(super) fn is_out_of_memory(error: &RedisError) -> bool {
    // Before Redis 7 it was the text of the script's own error.
    error.code() == Some("OOM") || error.detail().is_some_and(|detail| detail.contains("OOM command not allowed"))
}

fn id(text: &[u8]) -> Option<LedgerId> {
    let text = str::from_utf8(text).ok().filter(|text| text.len() == 32)?;
    Some(LedgerId::from_bytes(u128::from_str_radix(text, 16).ok()?.to_be_bytes()))
}

fn version(text: &[u8]) -> Option<LedgerVersion> {
    Some(LedgerVersion(str::from_utf8(text).ok()?.parse().ok()?))
}
