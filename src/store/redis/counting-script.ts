/**
 * What the Redis server does for the limits of keys and accounts over many nodes: one script, so that judging and counting are
 * one step. It counts as `metering/limits` does for the threads of a process (`SlidingCount`, `PooledTokenWindow`), by the
 * server's own clock; a property holds the two equal (`redis-counts.test.ts`).
 *
 * `KEYS`: one for each key or account. `ARGV`: the operation, the time in milliseconds (empty: the server's), the asking node,
 * which of its connections this is, for how many milliseconds what it has running counts without being renewed; then the
 * operation's own. All are whole numbers, -1 where there is no limit. A holder's state is one packed value:
 *
 * - `r`: requests, `t`: tokens. Each with `n`, the newest part that was looked at, `s`, the sum, and `p`, the amounts: part n
 *   of all time stands at n mod 241. Of tokens also `o`, what is owed, and `c`, the ceiling, -1: none.
 * - `at`: by node, what it has running: how many whose client is there, how many, their tokens, until when that counts, and
 *   by which of its connections it is known. What was said on an earlier one may lack an end that was lost with it.
 */
export const COUNTING_SCRIPT = `
local PART, PARTS, OWED_MINUTES = 250, 240, 60
local ALL = PARTS + 1
local CLOCK_SLACK_PARTS = 4
local op, node, connection, lease = ARGV[1], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local OWN = 5
local now = tonumber(ARGV[2])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local part = math.floor(now / PART)

-- What stands where this part is to be is that of a minute before.
local function begin(w, at)
  local i = at % ALL
  local gone = w.p[i]
  if gone then w.s = w.s - gone; w.p[i] = nil end
end

local function place(w, amount)
  local i = w.n % ALL
  if amount ~= 0 then w.p[i] = (w.p[i] or 0) + amount; w.s = w.s + amount end
end

local function advance(w)
  if part <= w.n then return end
  if (w.o or 0) > 0 then
    for at = w.n + 1, math.min(part, w.n + OWED_MINUTES * ALL) do
      begin(w, at)
      w.n = at
      if w.o > 0 then
        local paid = w.c <= 0 and w.o or math.min(w.o, math.max(0, w.c - w.s))
        place(w, paid)
        w.o = w.o - paid
      end
    end
  end
  for at = math.max(w.n + 1, part - PARTS), part do begin(w, at) end
  w.n = part
end

local function save(key, use)
  redis.call('SET', key, cmsgpack.pack(use), 'PX', use.t.o > 0 and (OWED_MINUTES + 1) * 61000 or math.max(62000, lease))
end

-- The clock was put back, or another server took over whose clock is behind: all that counts moves with it.
local function moveBack(use, parts)
  for _, w in ipairs({ use.r, use.t }) do
    local moved = {}
    for i, amount in pairs(w.p) do moved[(i - parts) % ALL] = amount end
    w.p = moved
    w.n = w.n - parts
  end
  for _, has in pairs(use.at) do has[4] = has[4] - parts * PART end
end

local function load(key)
  local packed = redis.call('GET', key)
  local use = packed and cmsgpack.unpack(packed)
    or { r = { n = part, s = 0, p = {} }, t = { n = part, s = 0, p = {}, o = 0, c = -1 }, at = {} }
  if use.r.n > part + CLOCK_SLACK_PARTS then
    moveBack(use, use.r.n - part)
    save(key, use)
  end
  advance(use.r)
  advance(use.t)
  for name, has in pairs(use.at) do
    local isOver = has[4] <= now or has[2] <= 0
    if isOver or (name == node and has[5] < connection) then use.at[name] = nil end
  end
  return use
end

local function running(use)
  local present, all, reserved = 0, 0, 0
  for _, has in pairs(use.at) do
    present = present + has[1]
    all = all + has[2]
    reserved = reserved + has[3]
  end
  return present, all, reserved
end

local function set(use, present, all, reserved)
  local has = use.at[node]
  -- A call of a connection that was given up, which arrives after those of the next.
  if has and has[5] > connection then return end
  use.at[node] = { math.max(0, present), math.max(0, all), math.max(0, reserved), now + lease, connection }
end

local function change(use, present, all, reserved)
  local has = use.at[node] or { 0, 0, 0 }
  set(use, has[1] + present, has[2] + all, has[3] + reserved)
end

-- Looked for from the newest part back: of what is full of requests, that is where it is.
local function wait(w, limit)
  if limit < 0 then return -1 end
  if w.s <= limit then return 0 end
  local left = 0
  for at = w.n, w.n - PARTS, -1 do
    left = left + (w.p[at % ALL] or 0)
    if left > limit then return math.max(0, (at + 1 + PARTS) * PART - now) end
  end
  return 0
end

local function waitForTokens(w, limit)
  if limit < 0 then return -1 end
  if w.o == 0 or w.c <= 0 then return wait(w, limit) end
  local leaving = w.s + w.o - limit
  local minutes = math.max(0, math.ceil(leaving / w.c) - 1)
  local last = wait(w, math.max(0, w.s - (leaving - minutes * w.c)))
  return last < 0 and -1 or minutes * ALL * PART + last
end

local function raise(w, entry, more)
  local room = w.c < 0 and more or math.max(0, w.c - w.s)
  local fitting = math.min(more, room)
  local owed = math.min(more - fitting, math.max(0, w.c * OWED_MINUTES - w.o))
  place(w, fitting)
  w.o = w.o + owed
  entry.placed = entry.placed + fitting
  entry.owed = entry.owed + owed
end

local function takeFrom(w, at, amount)
  if at < w.n - PARTS then return amount end
  local i = at % ALL
  local taken = math.min(amount, w.p[i] or 0)
  if taken ~= 0 then w.p[i] = w.p[i] - taken; w.s = w.s - taken end
  return taken
end

local function takeNewest(w, amount)
  local rest = amount
  for at = w.n, w.n - PARTS, -1 do
    if rest <= 0 then break end
    rest = rest - takeFrom(w, at, rest)
  end
  return amount - rest
end

local function lower(w, entry, less)
  local ofOwed = math.min(entry.owed, w.o, less)
  w.o = w.o - ofOwed
  local rest = less - ofOwed
  rest = rest - takeNewest(w, math.min(entry.owed - ofOwed, rest))
  local ofPlace = math.min(entry.placed, rest)
  takeNewest(w, ofPlace - takeFrom(w, entry.part, ofPlace))
end

local function judge(use, limits, input, output)
  local present, all, reserved = running(use)
  if limits[1] >= 0 and present >= limits[1] then
    return { 1, limits[1], present, limits[1] == 0 and -1 or 1000 }
  end
  if limits[2] >= 0 and use.r.s + 1 > limits[2] then
    return { 2, limits[2], use.r.s, wait(use.r, limits[2] - 1) }
  end
  if limits[3] < 0 then return nil end
  local used = use.t.s
  if used + input + (all == 0 and 0 or output) <= limits[3] then return nil end
  local onlyReserved = all > 0 and used - reserved + input <= limits[3]
  return { 3, limits[3], used, onlyReserved and 1000 or waitForTokens(use.t, limits[3] - input) }
end

local reply = {}
local function say(...)
  for _, number in ipairs({ ... }) do reply[#reply + 1] = number end
end
local function sayStates(uses)
  for _, use in ipairs(uses) do
    say(use.r.s, wait(use.r, 0), use.t.s, waitForTokens(use.t, 0), (running(use)))
  end
end
local function given(index, count)
  local numbers = {}
  for i = 1, count do numbers[i] = tonumber(ARGV[index + i]) end
  return numbers
end

local uses = {}
for i, key in ipairs(KEYS) do uses[i] = load(key) end

if op == 'states' then
  sayStates(uses)
elseif op == 'count' then
  local input, output = unpack(given(OWN, 2))
  for i, use in ipairs(uses) do
    local refused = judge(use, given(OWN + 2 + (i - 1) * 4, 3), input, output)
    if refused then
      say(0, i, unpack(refused))
      sayStates(uses)
      return reply
    end
  end
  say(1)
  for i, use in ipairs(uses) do
    use.t.c = tonumber(ARGV[OWN + 2 + i * 4])
    change(use, 1, 1, input + output)
    place(use.r, 1)
    local entry = { placed = 0, owed = 0 }
    raise(use.t, entry, input + output)
    say(part, entry.placed, entry.owed)
    save(KEYS[i], use)
  end
  sayStates(uses)
elseif op == 'end' then
  for i, use in ipairs(uses) do
    local used, counted, began, placed, owed, leaves, undone = unpack(given(OWN + (i - 1) * 7, 7))
    change(use, -leaves, -1, -counted)
    local entry = { part = began, placed = placed, owed = owed }
    if used > placed + owed then raise(use.t, entry, used - placed - owed)
    else lower(use.t, entry, placed + owed - used) end
    if undone == 1 then takeFrom(use.r, began, 1) end
    save(KEYS[i], use)
  end
elseif op == 'leave' then
  for i, use in ipairs(uses) do
    change(use, -1, 0, 0)
    save(KEYS[i], use)
  end
elseif op == 'renew' then
  for i, use in ipairs(uses) do
    local isKnown, present, all, reserved = unpack(given(OWN + (i - 1) * 4, 4))
    if isKnown == 1 then set(use, present, all, reserved) else change(use, 0, 0, 0) end
    save(KEYS[i], use)
  end
end
return reply
`
