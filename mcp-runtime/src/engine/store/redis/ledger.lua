-- The ledger. Beside the hash of the store, there are four kinds of keys:
--
-- - `{prefix}:<id>:<name>` is an entry, a hash of a version, a value and an expiry.
-- - `{prefix}:<id>:finished:<group>` is a bitmap of finished calls, which have no entry.
-- - `{prefix}:<id>:<name>:reply` is the last version and value of a finished call, as text.
-- - `{prefix}:expiry` has the keys of all entries and bitmaps, sorted by expiry.
--
-- Only replies have a time to live in Redis. Redis measures this time with its wall clock, which can jump. So the other
-- keys expire by the store's time, and each write removes some of the expired keys. Versions are text, because Lua has no
-- integers.

-- The last two are missing unless the entry is the record of a call.
local entry, expiry, finished, reply = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local operations = {}

-- Returns the version, the value and the expiry of the entry. `bit` is that of the call in the bitmap, if any.
local function read(bit)
    local version, value, expires = unpack(redis.call('HMGET', entry, 'version', 'value', 'expires'))
    expires = tonumber(expires or 0)
    if expires <= time then version = false end
    if not version and bit and redis.call('GETBIT', finished, bit) == 1
        and tonumber(redis.call('ZSCORE', expiry, finished) or 0) > time then
        version, value = string.match(redis.call('GET', reply) or '', '^(%d+):(.*)$')
        version, value = version or '0', value or ''
    end
    return version, value, expires
end

-- Stores the store's time, and then removes entries that expired before that time.
local function sweep(most)
    redis.call('HSET', KEYS[1], 'time', now)
    for _, gone in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, most)) do
        redis.call('DEL', gone)
        redis.call('ZREM', expiry, gone)
    end
end

-- Returns the id of the store. If Redis has no id, creates one.
--
-- If Redis has restarted, or a replica has taken over, the last writes can be lost. In these cases the store gets the
-- new id, unless this Redis is declared durable.
function operations.id(new_id, is_durable)
    local refused = refused_policy(redis.call('INFO', 'memory'))
    if refused then return refused end
    if stored_id and stored_run == redis_run then return {now, 'id', stored_id} end
    local id = stored_id and is_durable == '1' and stored_id or new_id
    redis.call('HSET', KEYS[1], 'id', id, 'run', redis_run, 'time', now)
    return {now, 'id', id}
end

function operations.load(ledger, bit)
    if stored_id ~= ledger then return {now, 'replaced'} end
    local version, value = read(tonumber(bit))
    if version then return {now, 'entry', version, value} end
    return {now, 'none'}
end

-- Writes an entry if its version is still `seen`, which is empty if there must be no entry. If `keep_reply` is not empty,
-- this is the last value. If the entry is the record of a call, only this time and a bit are then kept.
function operations.write(ledger, bit, seen, new_value, keep, before, keep_reply)
    if stored_id ~= ledger then return {now, 'replaced'} end
    bit, before = tonumber(bit), tonumber(before)
    local version, value, expires = read(bit)
    if before and before <= time then return {now, 'late'} end
    if (version or '') ~= seen then
        if version then return {now, 'entry', version, value} end
        return {now, 'none'}
    end
    sweep(8)
    if not version then
        local refused = refusal(#new_value)
        if refused and refused[2] == 'full' then
            sweep(1024)
            refused = refusal(#new_value)
        end
        if refused then return refused end
    end
    expires = math.max(expires, time + tonumber(keep), before or 0)
    version = digits(redis.call('HINCRBY', KEYS[1], 'version', 1))
    if bit and keep_reply ~= '' then
        redis.call('DEL', entry)
        redis.call('ZREM', expiry, entry)
        redis.call('SETBIT', finished, bit, 1)
        expires = math.max(expires, tonumber(redis.call('ZSCORE', expiry, finished) or 0))
        redis.call('ZADD', expiry, digits(expires), finished)
        if keep_reply ~= '0' then redis.call('SET', reply, version .. ':' .. new_value, 'PX', keep_reply) end
    else
        redis.call('ZADD', expiry, digits(expires), entry)
        redis.call('HSET', entry, 'version', version, 'value', new_value, 'expires', digits(expires))
    end
    return {now, 'done', version}
end

-- Removes expired entries when Redis is full.
function operations.free()
    sweep(1024)
    return {now, 'none'}
end

return operations[operation](unpack(ARGV, 3))
