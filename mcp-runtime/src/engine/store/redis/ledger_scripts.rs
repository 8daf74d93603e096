//! The scripts of the ledger.
//!
//! Beside the hash of the store, there are four kinds of keys:
//!
//! - `{prefix}:<id>:<name>` is an entry, a hash of a version, a value and an expiry.
//! - `{prefix}:<id>:finished:<group>` is a bitmap of finished calls, which have no entry.
//! - `{prefix}:<id>:<name>:reply` is the last version and value of a finished call, as text.
//! - `{prefix}:expiry` has the keys of all entries and bitmaps, sorted by expiry.
//!
//! Only replies have a time to live in Redis. Redis measures this time with its wall clock, which can jump. So the
//! other keys expire by the store's time, and each swap removes some of the expired keys. Versions are text, because
//! Lua has no integers. Times in milliseconds are exact as Lua numbers.

use super::scripts::{ALLOWED, KNOWN, ROOM, ReadReply, ReplyValues, TIME, number, script};
use crate::engine::durable::ledger::{LedgerEntry, LedgerVersion};

/// Checks the id of the store, and reads the entry.
const OWN: &str = "
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

/// Stores the store's time, and then removes entries that expired before that time.
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

/// Prepares a write: checks that there is room for a new entry, and creates the version of the entry.
const SWAP: &str = "
sweep(8)
if not entry[1] then
    local refused = refusal(#ARGV[5])
    if refused and refused[2] == 'full' then
        sweep(1024)
        refused = refusal(#ARGV[5])
    end
    if refused then return refused end
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

const FREE: &str = "
sweep(1024)
return {now, 'none'}
";

pub(super) struct LedgerScripts {
    pub(super) load: redis::Script,
    pub(super) swap: redis::Script,
    pub(super) finish: redis::Script,
    pub(super) free: redis::Script,
}

#[derive(Debug, PartialEq)]
pub(super) enum EntryReply {
    Replaced,
    None,
    Entry(LedgerEntry),
    Done(LedgerVersion),
    TooLate,
}

impl LedgerScripts {
    pub(super) fn new() -> Self {
        Self {
            load: script(&[TIME, KNOWN, OWN, LOAD]),
            swap: script(&[TIME, KNOWN, OWN, LATE, SWEEP, ROOM, SWAP, WRITE]),
            finish: script(&[TIME, KNOWN, OWN, LATE, SWEEP, ROOM, SWAP, FINISH, WRITE]),
            free: script(&[ALLOWED, TIME, SWEEP, FREE]),
        }
    }
}

impl ReadReply for EntryReply {
    fn read(name: &[u8], values: &mut ReplyValues<'_>) -> Option<Self> {
        Some(match name {
            b"replaced" => Self::Replaced,
            b"none" => Self::None,
            b"entry" => Self::Entry(LedgerEntry { version: version(&values()?)?, value: values()?.into() }),
            b"done" => Self::Done(version(&values()?)?),
            b"late" => Self::TooLate,
            _ => return None,
        })
    }
}

fn version(text: &[u8]) -> Option<LedgerVersion> {
    number(text).map(LedgerVersion)
}
