//! The Lua scripts. Redis runs each script as one atomic step.
//!
//! There are five kinds of keys, which a Redis Cluster keeps on one node:
//!
//! - `{prefix}:ledger` is a hash: the id of the ledger, its time, the last version, and the `run_id` of Redis.
//! - `{prefix}:<id>:<name>` is an entry, a hash of a version, a value and an expiry.
//! - `{prefix}:<id>:finished:<group>` is a bitmap of finished calls, which have no entry.
//! - `{prefix}:<id>:<name>:reply` is the last version and value of a finished call, as text.
//! - `{prefix}:expiry` has the keys of all entries and bitmaps, sorted by expiry.
//!
//! Only replies have a time to live in Redis. Redis measures this time with its wall clock, which can jump. So the
//! other keys expire by the ledger's time, and each swap removes some of the expired keys. Versions are text, because
//! Lua has no integers. Times in milliseconds are exact as Lua numbers.

use redis::{RedisError, Value};

use super::{LedgerEntry, LedgerId, LedgerTime, LedgerVersion};

/// Computes the time of the ledger in milliseconds. The result is never earlier than the stored time or the first
/// argument, which is the last time that the caller has seen.
const TIME: &str = "
local clock = redis.call('TIME')
local wall = clock[1] * 1000 + math.floor(clock[2] / 1000)
local time = math.max(wall, tonumber(ARGV[1]), tonumber(redis.call('HGET', KEYS[1], 'time') or 0))
local now = string.format('%.0f', time)
";

/// Returns the id of the ledger. If the store has no id, creates one.
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

/// Runs before each operation. Checks the `run_id` of Redis and the id of the ledger, and reads the entry.
const OWN: &str = "
local known = redis.call('HMGET', KEYS[1], 'id', 'run')
if known[2] ~= (string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or '') then return {now, 'restarted'} end
if known[1] ~= ARGV[2] then return {now, 'replaced'} end
local entry = redis.call('HMGET', KEYS[2], 'version', 'value', 'expires')
local expires = tonumber(entry[3] or 0)
if expires <= time then entry[1] = false end
local bit = tonumber(ARGV[3])
if bit and not entry[1] and redis.call('GETBIT', KEYS[4], bit) == 1 then
    if tonumber(redis.call('ZSCORE', KEYS[3], KEYS[4]) or 0) > time then
        local version, value = string.match(redis.call('GET', KEYS[5]) or '', '^(%d+):(.*)$')
        entry = {version or '0', value or ''}
    end
end
";

const LOAD: &str = "
if entry[1] then return {now, 'entry', entry[1], entry[2]} end
return {now, 'none'}
";

/// Stores the ledger's time, and then removes entries that expired before that time.
const SWEEP: &str = "
redis.call('HSET', KEYS[1], 'time', now)
local function sweep(most)
    for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, most)) do
        redis.call('DEL', gone)
        redis.call('ZREM', KEYS[3], gone)
    end
end
";

const LATE: &str = "
local before = tonumber(ARGV[7])
if before and before <= time then return {now, 'late'} end
if (entry[1] or '') ~= ARGV[4] then
    if entry[1] then return {now, 'entry', entry[1], entry[2]} end
    return {now, 'none'}
end
";

/// Prepares a write. If the entry is new, checks that Redis evicts nothing, and that a tenth of its memory is free for
/// existing entries. Then creates the version of the entry.
const SWAP: &str = "
sweep(8)
local function is_full(memory)
    local used = tonumber(string.match(memory, 'used_memory:(%d+)')) or 0
    local most = tonumber(string.match(memory, 'maxmemory:(%d+)')) or 0
    return most > 0 and used + #ARGV[5] > most * 0.9
end
if not entry[1] then
    local memory = redis.call('INFO', 'memory')
    local policy = string.match(memory, 'maxmemory_policy:([%w-]+)')
    if policy ~= 'noeviction' then return {now, 'evicts', policy or 'unknown'} end
    if is_full(memory) then
        sweep(1024)
        if is_full(redis.call('INFO', 'memory')) then return {now, 'full'} end
    end
end
expires = math.max(expires, time + tonumber(ARGV[6]), before or 0)
local version = string.format('%.0f', redis.call('HINCRBY', KEYS[1], 'version', 1))
";

const WRITE: &str = "
expires = string.format('%.0f', expires)
redis.call('ZADD', KEYS[3], expires, KEYS[2])
redis.call('HSET', KEYS[2], 'version', version, 'value', ARGV[5], 'expires', expires)
return {now, 'done', version}
";

/// Marks a call as finished. If the entry is not the record of a call, the script writes it as usual.
const FINISH: &str = "
if bit then
    redis.call('DEL', KEYS[2])
    redis.call('ZREM', KEYS[3], KEYS[2])
    redis.call('SETBIT', KEYS[4], bit, 1)
    expires = math.max(expires, tonumber(redis.call('ZSCORE', KEYS[3], KEYS[4]) or 0))
    redis.call('ZADD', KEYS[3], string.format('%.0f', expires), KEYS[4])
    if ARGV[8] ~= '0' then redis.call('SET', KEYS[5], version .. ':' .. ARGV[5], 'PX', ARGV[8]) end
    return {now, 'done', version}
end
";

/// The first line of a script that can run when Redis has no memory left. Redis supports this line since version 7.
const ALLOWED: &str = "#!lua flags=allow-oom";
const FREE: &str = "
sweep(1024)
return {now, 'none'}
";

pub(super) struct Scripts {
    pub(super) id: redis::Script,
    pub(super) load: redis::Script,
    pub(super) swap: redis::Script,
    pub(super) finish: redis::Script,
    pub(super) free: redis::Script,
}

/// The reply of a script, and the time of the ledger when the script ran.
#[derive(Debug, PartialEq)]
pub(super) struct TimedReply {
    /// The time of the ledger.
    pub(super) time: LedgerTime,
    pub(super) said: ScriptReply,
}

#[derive(Debug, PartialEq)]
pub(super) enum ScriptReply {
    Id(LedgerId),
    /// Redis is configured to evict entries. This value holds the `maxmemory-policy` of Redis.
    Evicts(String),
    /// Redis has restarted since this process read the id. The caller has to ask for the id again.
    Restarted,
    Replaced,
    None,
    Entry(LedgerEntry),
    Done(LedgerVersion),
    TooLate,
    Full,
}

impl Scripts {
    pub(super) fn new() -> Self {
        let script = |parts: &[&str]| redis::Script::new(&parts.concat());
        Self {
            id: script(&[TIME, ID]),
            load: script(&[TIME, OWN, LOAD]),
            swap: script(&[TIME, OWN, LATE, SWEEP, SWAP, WRITE]),
            finish: script(&[TIME, OWN, LATE, SWEEP, SWAP, FINISH, WRITE]),
            free: script(&[ALLOWED, TIME, SWEEP, FREE]),
        }
    }
}

impl redis::FromRedisValue for TimedReply {
    fn from_redis_value(value: Value) -> Result<Self, redis::ParsingError> {
        let Value::Array(values) = value else { return Err("a script returns an array".into()) };
        let mut texts = values.into_iter().map(|value| match value {
            Value::BulkString(text) => Some(text),
            _ => None,
        });
        let mut next = || texts.next().flatten();
        Self::read(&mut next).ok_or_else(|| "the reply of a script has an unknown form".into())
    }
}

impl TimedReply {
    fn read(next: &mut impl FnMut() -> Option<Vec<u8>>) -> Option<Self> {
        let time = LedgerTime(number(&next()?)?);
        Some(Self { time, said: ScriptReply::read(next)? })
    }
}

impl ScriptReply {
    fn read(next: &mut impl FnMut() -> Option<Vec<u8>>) -> Option<Self> {
        Some(match &*next()? {
            b"id" => Self::Id(id(&next()?)?),
            b"evicts" => Self::Evicts(String::from_utf8(next()?).ok()?),
            b"restarted" => Self::Restarted,
            b"replaced" => Self::Replaced,
            b"none" => Self::None,
            b"entry" => Self::Entry(LedgerEntry { version: version(&next()?)?, value: next()?.into() }),
            b"done" => Self::Done(version(&next()?)?),
            b"late" => Self::TooLate,
            b"full" => Self::Full,
            _ => return None,
        })
    }
}

/// Returns whether Redis had no memory for the writes of a script.
pub(super) fn is_out_of_memory(error: &RedisError) -> bool {
    // Before Redis 7 this was the text of the script's own error.
    error.code() == Some("OOM") || error.detail().is_some_and(|detail| detail.contains("OOM command not allowed"))
}

fn id(text: &[u8]) -> Option<LedgerId> {
    let text = str::from_utf8(text).ok().filter(|text| text.len() == 32)?;
    Some(LedgerId::from_bytes(u128::from_str_radix(text, 16).ok()?.to_be_bytes()))
}

fn version(text: &[u8]) -> Option<LedgerVersion> {
    number(text).map(LedgerVersion)
}

fn number(text: &[u8]) -> Option<u64> {
    str::from_utf8(text).ok()?.parse().ok()
}
