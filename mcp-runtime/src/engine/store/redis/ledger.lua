-- The ledger. Beside the hash of the store, there are four kinds of keys:
--
-- - `{prefix}:<id>:<name>` is an entry, a hash of a version, a value and an expiry.
-- - `{prefix}:<id>:finished:<group>` is a bitmap of finished calls, which have no entry.
-- - `{prefix}:<id>:<name>:reply` is the last version and value of a finished call, as text.
-- - `{prefix}:expiry` has the keys of all entries and bitmaps, sorted by expiry.
--
-- Only replies have a time to live in Redis. Redis measures this time with its wall clock, which can jump. So the other
-- keys expire by the store's time, and each new entry removes some of the expired keys.

-- The keys of a call are those of the store, the entry and `expiry`, and if the entry is the record of a call, of its
-- bitmap and its reply.
local STORE, ENTRY, EXPIRY, FINISHED, REPLY = 1, 2, 3, 4, 5

-- How many bytes a new entry takes beside its value: its keys, and its place in `expiry`.
local OVERHEAD = 512

-- Returns the version, the value and the expiry of the entry. `bit` is that of the call in the bitmap, if any.
local function read(bit)
    local version, value, expires = unpack(redis.call('HMGET', keys[ENTRY], 'version', 'value', 'expires'))
    expires = tonumber(expires or 0)
    if expires <= time then version = false end
    if not version and bit and redis.call('GETBIT', keys[FINISHED], bit) == 1
        and tonumber(redis.call('ZSCORE', keys[EXPIRY], keys[FINISHED]) or 0) > time then
        version, value = string.match(redis.call('GET', keys[REPLY]) or '', '^(%d+):(.*)$')
        version, value = version or '0', value or ''
    end
    return version, value, expires
end

-- Like `refusal`. What it found is true for a second and for 1 MiB, because `INFO` takes long.
local function checked_refusal(bytes)
    local is_checked = checked_until and time < tonumber(checked_until)
    checked_bytes = (is_checked and tonumber(checked_bytes) or 0) - bytes
    if checked_bytes >= 0 then return nil end
    local refused, free = refusal(bytes)
    checked_until, checked_bytes = 0, 0
    if not refused then checked_until, checked_bytes = time + 1000, math.min(free, 1048576) - bytes end
    return refused
end

-- Stores the store's time, the last version, and what `checked_refusal` found.
local function store_state()
    redis.call('HSET', keys[STORE], 'time', now, 'version', last_version or '0', 'checked_until',
        digits(checked_until or 0), 'checked_bytes', digits(checked_bytes or 0))
end

-- Removes entries that have expired. The store's time must be stored before.
local function sweep(most)
    for _, gone in ipairs(redis.call('ZRANGEBYSCORE', keys[EXPIRY], '-inf', now, 'LIMIT', 0, most)) do
        redis.call('DEL', gone)
        redis.call('ZREM', keys[EXPIRY], gone)
    end
end

-- Returns the id of the store. If Redis has no id, creates one.
--
-- If Redis has restarted, or a replica has taken over, the last writes can be lost. In these cases the store gets the
-- new id, unless this Redis is declared durable.
local function id(new_id, is_durable)
    local refused = refused_policy(redis.call('INFO', 'memory'))
    if refused then return refused end
    if stored_id and stored_run == redis_run() then return {now, 'id', stored_id} end
    if not stored_id or is_durable ~= '1' then stored_id = new_id end
    redis.call('HSET', keys[STORE], 'id', stored_id, 'run', redis_run())
    checked_until = 0
    store_state()
    return {now, 'id', stored_id}
end

local function load(ledger, bit)
    if stored_id ~= ledger then return {now, 'replaced'} end
    local version, value = read(tonumber(bit))
    if version then return {now, 'entry', version, value} end
    return {now, 'none'}
end

-- Writes an entry if its version is still `seen`, which is empty if there must be no entry. If `keep_reply` is not empty,
-- this is the last value. If the entry is the record of a call, only this time and a bit are then kept.
local function write(ledger, bit, seen, new_value, keep, before, keep_reply)
    if stored_id ~= ledger then return {now, 'replaced'} end
    bit, before = tonumber(bit), tonumber(before)
    local version, value, expires = read(bit)
    if before and before <= time then return {now, 'late'} end
    if (version or '') ~= seen then
        if version then return {now, 'entry', version, value} end
        return {now, 'none'}
    end
    last_version = digits((last_version or 0) + 1)
    local refused = not version and checked_refusal(#new_value + OVERHEAD)
    store_state()
    if refused and refused[2] == 'full' then
        sweep(1024)
        refused = checked_refusal(#new_value + OVERHEAD)
    end
    if refused then return refused end
    if not version then sweep(8) end
    expires = digits(math.max(expires, time + tonumber(keep), before or 0))
    if bit and keep_reply ~= '' then
        redis.call('DEL', keys[ENTRY])
        redis.call('ZREM', keys[EXPIRY], keys[ENTRY])
        redis.call('SETBIT', keys[FINISHED], bit, 1)
        redis.call('ZADD', keys[EXPIRY], 'GT', expires, keys[FINISHED])
        if keep_reply ~= '0' then redis.call('SET', keys[REPLY], last_version .. ':' .. new_value, 'PX', keep_reply) end
    else
        redis.call('ZADD', keys[EXPIRY], expires, keys[ENTRY])
        redis.call('HSET', keys[ENTRY], 'version', last_version, 'value', new_value, 'expires', expires)
    end
    return {now, 'done', last_version}
end

-- Removes expired entries when Redis is full.
local function free()
    store_state()
    sweep(1024)
    return {now, 'none'}
end

register('ledger_id', {'allow-oom'}, {id = id}, true)
register('ledger_load', {'no-writes'}, {load = load})
register('ledger_write', {}, {write = write})
register('ledger_free', {'allow-oom'}, {free = free}, true)
