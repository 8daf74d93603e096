-- The runs. Beside the hash of the store, there are these keys. The text of a tool, owner, action or instance is written
-- into a key with its length, so that no text can form the key of another.
--
-- - `{prefix}:runs` is the list of all runs.
-- - `{prefix}:runs:run:…` is the record of a run, a hash.
-- - `{prefix}:runs:at:…` is the list of the runs with a status and a tool; or also an owner; or also an action.
-- - `{prefix}:runs:of:…` is the list of the open runs with an instance and a status.
-- - `{prefix}:runs:ended:…` is the list of the ended runs of a tool, or of an owner and a tool.
-- - `{prefix}:runs:most runs:…` and `{prefix}:runs:most bytes:…` rank the owners of a tool by their ended runs. The
--   first owner has the most. An owner is listed as its oldest run, so that of two owners with the same number, the one
--   with the older run comes first.
-- - `{prefix}:runs:sums:…` is a hash of sums for a tool and for each of its owners: the number of open runs, and the
--   bytes of open and of ended runs.
-- - `{prefix}:runs:beats` is a hash of the counters of the instances.
--
-- The version and the id of each record that was replaced are published in the channel `{prefix}:runs:changes`.
--
-- A list is a sorted set whose members are a time of 20 digits and the id of a run. All scores are 0, so the members are
-- in the order of their bytes, and a page of a list costs no more if the list is long.
--
-- An owner is `-`, or `=` and a text. Numbers are text, because a number of Lua is exact up to 2^53 only.
--
-- A record has the id of the store that wrote it, its epoch. If Redis has lost writes, the store gets another id. Then a
-- version can name another state of the record than before. So a record of an earlier epoch gets a new version before it
-- is used: a writer that has seen the earlier state cannot write.

local RUNS = 2
local operations = {}

local function key(kind, ...)
    local parts = {keys[RUNS] .. ':' .. kind}
    for _, part in ipairs({...}) do parts[#parts + 1] = ':' .. #part .. ':' .. part end
    return table.concat(parts)
end
local function sum(tool, name) return tonumber(redis.call('HGET', key('sums', tool), name) or 0) end
local function add(tool, name, change)
    local total = sum(tool, name) + change
    if total == 0 then redis.call('HDEL', key('sums', tool), name)
    else redis.call('HSET', key('sums', tool), name, digits(total)) end
    return total
end
local function is_open(status) return status == 'working' or status == 'input_required' end

-- Reads a record without its details, which can be large.
local function read(id)
    local names = {'tool', 'action', 'owner', 'status', 'instance', 'created', 'updated', 'version', 'bytes', 'epoch'}
    local values, run = redis.call('HMGET', key('run', id), unpack(names)), {id = id}
    if not values[1] then return nil end
    for place, name in ipairs(names) do run[name] = values[place] end
    return run
end

local function put(list, member, is_there)
    if is_there then redis.call('ZADD', list, 0, member) else redis.call('ZREM', list, member) end
end
-- The sums of many runs are exact below 2^53.
local function size(run) return math.min(tonumber(run.bytes), 2^43) end
local function add_bytes(run, kind, change)
    add(run.tool, kind, change)
    return add(run.tool, kind .. run.owner, change)
end
-- Adds a run to all lists and sums, or removes it from them.
local function place(run, is_there)
    local created, updated, sign = run.created .. run.id, run.updated .. run.id, is_there and 1 or -1
    put(keys[RUNS], created, is_there)
    put(key('at', run.status, run.tool), created, is_there)
    put(key('at', run.status, run.tool, run.owner), created, is_there)
    put(key('at', run.status, run.tool, run.owner, run.action), created, is_there)
    if is_open(run.status) then
        put(key('of', run.instance, run.status), created, is_there)
        add_bytes(run, 'open runs', sign)
        add_bytes(run, 'open bytes', sign * size(run))
        return
    end
    local own, by_runs, by_bytes = key('ended', run.tool, run.owner), key('most runs', run.tool), key('most bytes', run.tool)
    local oldest = redis.call('ZRANGE', own, 0, 0)[1]
    if oldest then
        redis.call('ZREM', by_runs, oldest)
        redis.call('ZREM', by_bytes, oldest)
    end
    put(key('ended', run.tool), updated, is_there)
    put(own, updated, is_there)
    local bytes = add_bytes(run, 'ended bytes', sign * size(run))
    oldest = redis.call('ZRANGE', own, 0, 0)[1]
    if oldest then
        redis.call('ZADD', by_runs, -redis.call('ZCARD', own), oldest)
        redis.call('ZADD', by_bytes, digits(-bytes), oldest)
    end
end

local function write(run, details)
    redis.call('HSET', key('run', run.id), 'tool', run.tool, 'action', run.action, 'owner', run.owner,
        'status', run.status, 'instance', run.instance, 'created', run.created, 'updated', run.updated,
        'version', run.version, 'bytes', run.bytes, 'details', details, 'epoch', stored_id)
end

-- Appends a whole record to the reply, and returns the length of its details. Gives a record of an earlier epoch its new
-- version.
local function append(reply, id)
    local record = key('run', id)
    local values = redis.call('HMGET', record, 'tool', 'action', 'owner', 'status', 'instance', 'created', 'updated',
        'version', 'bytes', 'details', 'epoch')
    if not values[1] then return nil end
    if values[11] ~= stored_id then
        values[8] = digits(values[8] + 2^20 + tonumber(string.sub(stored_id, 1, 8), 16))
        redis.call('HSET', record, 'version', values[8], 'epoch', stored_id)
    end
    reply[#reply + 1] = id
    for place = 1, 10 do reply[#reply + 1] = values[place] end
    return #values[10]
end

-- Stores a new run. The limits are those of `RunLimits::admit`.
function operations.insert(id, tool, action, owner, status, instance, created, updated, version, bytes, details,
    owner_runs, owner_bytes, total_runs, total_bytes)
    if read(id) then return {now, 'exists'} end
    if sum(tool, 'open runs' .. owner) >= tonumber(owner_runs) then return {now, 'owner_runs'} end
    if sum(tool, 'open bytes' .. owner) + tonumber(bytes) > tonumber(owner_bytes) then return {now, 'owner_bytes'} end
    if sum(tool, 'open runs') >= tonumber(total_runs) then return {now, 'total_runs'} end
    if sum(tool, 'open bytes') + tonumber(bytes) > tonumber(total_bytes) then return {now, 'total_bytes'} end
    local refused = refusal(#details)
    if refused then return refused end
    local new = {id = id, tool = tool, action = action, owner = owner, status = status, instance = instance,
        created = created, updated = updated, version = version, bytes = bytes}
    write(new, details)
    place(new, true)
    return {now, 'stored'}
end

function operations.load(id)
    local reply = {now, 'runs', ''}
    append(reply, id)
    return reply
end

-- Writes a run if its version is the stored one. An open run stays in its lists if its status and its instance stay.
function operations.replace(id, version, status, instance, updated, bytes, details)
    local old = read(id)
    if not old or old.version ~= version or old.epoch ~= stored_id then return {now, 'conflict'} end
    local new = {id = id, tool = old.tool, action = old.action, owner = old.owner, created = old.created,
        status = status, instance = instance, updated = updated, version = digits(old.version + 1), bytes = bytes}
    if is_open(old.status) and old.status == new.status and old.instance == new.instance then
        add_bytes(new, 'open bytes', size(new) - size(old))
    else
        place(old, false)
        place(new, true)
    end
    write(new, details)
    -- A user without the permission to publish can write all the same.
    redis.pcall('PUBLISH', keys[RUNS] .. ':changes', new.version .. ' ' .. id)
    return {now, 'stored'}
end

-- Returns the next runs of a list, from all lists that have runs which can match the filter. Reads at most `most` runs,
-- and stops after 4 MiB. The third value of the reply is where the next function call continues, or empty at the end. The last
-- arguments are the wanted statuses.
function operations.list(cursor, most, limit, tool, action, owner, instance, ...)
    most, limit = tonumber(most), tonumber(limit)
    local statuses, wanted, are_open = {...}, {}, true
    for _, status in ipairs(statuses) do
        wanted[status] = true
        are_open = are_open and is_open(status)
    end
    local function text(value) return string.sub(value, 2) end
    local lists, conditions, used = {}, 0, 0
    for _, filter in ipairs({tool, action, owner, instance}) do
        if filter ~= '' then conditions = conditions + 1 end
    end
    local function use(count, list_of)
        used = count
        for place, status in ipairs(statuses) do lists[place] = list_of(status) end
    end
    if instance ~= '' and are_open then
        use(1, function(status) return key('of', text(instance), status) end)
    elseif tool ~= '' and owner ~= '' and action ~= '' then
        use(3, function(status) return key('at', status, text(tool), owner, text(action)) end)
    elseif tool ~= '' and owner ~= '' then
        use(2, function(status) return key('at', status, text(tool), owner) end)
    elseif tool ~= '' then
        use(1, function(status) return key('at', status, text(tool)) end)
    else
        lists[1] = keys[RUNS]
    end
    -- If all runs of the lists match, no more are read than are wanted.
    local do_all_match = used == conditions and lists[1] ~= keys[RUNS]
    if do_all_match then most = math.min(most, limit) end
    local pages = {}
    local function advance(page)
        page.place = page.place + 1
        page.member = page.members[page.place]
        page.time = page.member and tonumber(string.sub(page.member, 1, 20))
    end
    for place, list in ipairs(lists) do
        pages[place] = {place = 0, members = redis.call('ZREVRANGEBYLEX', list, cursor, '-', 'LIMIT', 0, most)}
        advance(pages[place])
    end
    -- The order of texts in Lua depends on the locale of Redis, so this compares bytes.
    local function is_later(one, other)
        if one.time ~= other.time then return one.time > other.time end
        for place = 1, math.min(#one.member, #other.member) do
            local byte, of_other = string.byte(one.member, place), string.byte(other.member, place)
            if byte ~= of_other then return byte > of_other end
        end
        return #one.member > #other.member
    end
    local function next_member()
        local latest
        for _, page in ipairs(pages) do
            if page.member and (not latest or is_later(page, latest)) then latest = page end
        end
        if not latest then return nil end
        local member = latest.member
        advance(latest)
        return member
    end
    local function is(filter, value) return filter == '' or text(filter) == value end
    local function matches(id)
        local run = read(id)
        return run and is(tool, run.tool) and is(action, run.action) and is(instance, run.instance)
            and wanted[run.status] and (owner == '' or owner == run.owner)
    end
    local reply, found, bytes = {now, 'runs', ''}, 0, 0
    for place = 1, most do
        local member = next_member()
        if not member then return reply end
        local id = string.sub(member, 21)
        local added = (do_all_match or matches(id)) and append(reply, id)
        if added then found, bytes = found + 1, bytes + added end
        if found == limit then return reply end
        if place == most or bytes >= 4194304 then
            reply[3] = '(' .. member
            return reply
        end
    end
    return reply
end

function operations.beat(instance)
    redis.call('HINCRBY', key('beats'), instance, 1)
    local reply = {now, 'beats'}
    for _, value in ipairs(redis.call('HGETALL', key('beats'))) do reply[#reply + 1] = value end
    return reply
end

function operations.forget(instance)
    redis.call('HDEL', key('beats'), instance)
    return {now, 'stored'}
end

-- Removes ended runs of a tool: at most `most`, so that Redis is not blocked. Returns how many, and whether others may
-- have to be removed.
function operations.remove(tool, before, most, owner_runs, owner_bytes, total_runs, total_bytes)
    local removed = 0
    most = tonumber(most)
    owner_runs, owner_bytes = tonumber(owner_runs), tonumber(owner_bytes)
    total_runs, total_bytes = tonumber(total_runs), tonumber(total_bytes)
    local ended, by_runs, by_bytes = key('ended', tool), key('most runs', tool), key('most bytes', tool)
    local function remove(member)
        local run = read(string.sub(member, 21))
        removed = removed + 1
        if run then
            place(run, false)
            redis.call('DEL', key('run', run.id))
        else
            for _, list in ipairs({ended, by_runs, by_bytes}) do redis.call('ZREM', list, member) end
        end
    end
    local too_old = redis.call('ZRANGEBYLEX', ended, '-', '(' .. before, 'LIMIT', 0, most)
    for _, member in ipairs(too_old) do remove(member) end
    local function shrink(ranks, exceeds)
        while removed < most do
            local first = redis.call('ZRANGE', ranks, 0, 0, 'WITHSCORES')
            if not first[1] or not exceeds(-first[2]) then return end
            remove(first[1])
        end
    end
    shrink(by_runs, function(runs) return runs > owner_runs end)
    shrink(by_bytes, function(bytes) return bytes > owner_bytes end)
    shrink(by_runs, function() return redis.call('ZCARD', ended) > total_runs end)
    shrink(by_bytes, function() return sum(tool, 'ended bytes') > total_bytes end)
    return {now, 'removed', tostring(removed), removed == most and 'more' or ''}
end

-- A function that adds nothing must not fail when Redis has no memory left.
register('runs_add', {}, {insert = operations.insert, replace = operations.replace})
register('runs', {'allow-oom'}, operations)
