#!lua name=mcp_DIGEST
-- The library of functions of the store. Redis runs each function as one atomic step. Functions are faster than scripts,
-- because Redis keeps the values of the library between two calls. `library.rs` loads the library, and replaces `DIGEST`
-- by a digest of it, so that programs of different versions can share a Redis.
--
-- The first key of each function is `{prefix}:ledger`, a hash: the id of the store, its time, the last version of the
-- ledger, the `run_id` of Redis, and until when and for how many bytes the memory of Redis need not be checked.
-- `ledger.lua` and `runs.lua` describe the other keys. A Redis Cluster keeps all keys of a prefix on one node.
--
-- The first argument is the last time of the store that the caller has seen, the second is the name of the operation,
-- and the others are the arguments of the operation. A reply begins with the time of the store and a name.

-- The current call: its keys, the time of the store in milliseconds as a number and as text, and the fields of the hash.
local keys, time, now
local stored_id, stored_run, last_version, checked_until, checked_bytes

-- Numbers are written with `%d`, because Lua writes large numbers with an exponent. Up to 2^53 they are exact.
local function digits(number) return string.format('%d', number) end

-- Returns the value of a line of `INFO`. A pattern for the whole text would take longer than all commands of a function.
local function value_of(info, name)
    local _, last = string.find(info, name .. ':', 1, true)
    return last and string.match(info, '^[%w-]+', last + 1)
end

-- Returns the `run_id` of this Redis. It stays the same until Redis restarts, and then this library is loaded again.
local known_run
local function redis_run()
    known_run = known_run or value_of(redis.call('INFO', 'server'), 'run_id') or ''
    return known_run
end

-- Begins a call. The time of the store is never earlier than the stored time or the last time that the caller has seen.
local function begin(call_keys, seen_time)
    keys = call_keys
    local stored_time
    stored_time, stored_id, stored_run, last_version, checked_until, checked_bytes = unpack(
        redis.call('HMGET', keys[1], 'time', 'id', 'run', 'version', 'checked_until', 'checked_bytes'))
    local clock = redis.call('TIME')
    local wall = clock[1] * 1000 + math.floor(clock[2] / 1000)
    time = math.max(wall, tonumber(seen_time), tonumber(stored_time or 0))
    now = digits(time)
end

-- Registers a function that runs one of these operations. If Redis has restarted, only the operations that do not need
-- what Redis has kept are possible.
local function register(name, flags, operations, needs_nothing)
    redis.register_function{function_name = 'mcp_DIGEST_' .. name, flags = flags, callback = function(call_keys, arguments)
        begin(call_keys, arguments[1])
        if stored_run ~= redis_run() and not needs_nothing then return {now, 'restarted'} end
        return operations[arguments[2]](unpack(arguments, 3))
    end}
end

-- Returns the reply if Redis can evict entries.
local function refused_policy(memory)
    local policy = value_of(memory, 'maxmemory_policy')
    if policy ~= 'noeviction' then return {now, 'evicts', policy or 'unknown'} end
end

-- The check before something new is stored: Redis evicts nothing, and a tenth of its memory stays free for what is
-- stored already. Returns the reply if there is no room, or how many bytes there is room for.
local function refusal(bytes)
    local memory = redis.call('INFO', 'memory')
    local refused = refused_policy(memory)
    if refused then return refused end
    local used = tonumber(value_of(memory, 'used_memory') or 0)
    local most = tonumber(value_of(memory, 'maxmemory') or 0)
    local free = most > 0 and most * 0.9 - used or math.huge
    if bytes > free then return {now, 'full'} end
    return nil, free
end
