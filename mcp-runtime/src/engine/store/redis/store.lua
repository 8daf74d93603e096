-- What the scripts of the store share. Redis runs each script as one atomic step.
--
-- The first key of each script is `{prefix}:ledger`, a hash: the id of the store, its time, the last version of the
-- ledger, and the `run_id` of Redis. `ledger.lua` and `runs.lua` describe the other keys. A Redis Cluster keeps all keys
-- of a prefix on one node.
--
-- The first argument is the last time of the store that the caller has seen, the second is the name of the operation,
-- and the others are the arguments of the operation. A reply begins with the time of the store and a name.

-- The time of the store in milliseconds. It is never earlier than the stored time or the first argument. Times in
-- milliseconds are exact as Lua numbers.
local clock = redis.call('TIME')
local wall = clock[1] * 1000 + math.floor(clock[2] / 1000)
local time = math.max(wall, tonumber(ARGV[1]), tonumber(redis.call('HGET', KEYS[1], 'time') or 0))
local now = string.format('%.0f', time)

local operation = ARGV[2]
local stored_id, stored_run = unpack(redis.call('HMGET', KEYS[1], 'id', 'run'))
local redis_run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
-- These operations do not need what Redis has kept.
local is_always_possible = operation == 'id' or operation == 'free'
if stored_run ~= redis_run and not is_always_possible then return {now, 'restarted'} end

local function digits(number) return string.format('%.0f', number) end

-- Returns the reply if Redis can evict entries.
local function refused_policy(memory)
    local policy = string.match(memory, 'maxmemory_policy:([%w-]+)')
    if policy ~= 'noeviction' then return {now, 'evicts', policy or 'unknown'} end
end

-- The check before something new is stored: Redis evicts nothing, and a tenth of its memory stays free for what is
-- stored already.
local function refusal(bytes)
    local memory = redis.call('INFO', 'memory')
    local refused = refused_policy(memory)
    if refused then return refused end
    local used = tonumber(string.match(memory, 'used_memory:(%d+)')) or 0
    local most = tonumber(string.match(memory, 'maxmemory:(%d+)')) or 0
    if most > 0 and used + bytes > most * 0.9 then return {now, 'full'} end
end
