/** The script's clock: that of Redis, so that all instances share one. */
export const SERVER_TIME = "redis.call('TIME')";

/**
 * Admits one request or refuses it, atomically. The key holds the times of the admitted requests that still count,
 * newest first, in microseconds, at most `limit` of them. Arguments: the key, the limit, the window, and the time for
 * which an idle key is kept. Returns whether the request was admitted, how many more would be, and the microseconds
 * until the oldest one leaves the window. After the clock was set back, the time since the newest admission is
 * unknown. All times are then moved back by the same amount, as if no time had passed: no request is admitted too
 * early, and none waits longer than a window.
 */
export function admitScript(time = SERVER_TIME): string {
  return `
local key = KEYS[1]
local limit, window, keep = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = ${time}
local now = time[1] * 1000000 + time[2]

local ahead = tonumber(redis.call('LINDEX', key, 0) or now) - now
if ahead > 0 then
  local moments = redis.call('LRANGE', key, 0, -1)
  redis.call('DEL', key)
  for _, moment in ipairs(moments) do
    redis.call('RPUSH', key, string.format('%.0f', moment - ahead))
  end
  redis.call('PEXPIRE', key, keep)
end

-- A request exactly one window later still counts as within it: both ends of a window belong to it.
local oldest = tonumber(redis.call('LINDEX', key, -1) or nil)
while oldest and now - oldest > window do
  redis.call('RPOP', key)
  oldest = tonumber(redis.call('LINDEX', key, -1) or nil)
end

local count = redis.call('LLEN', key)
if count >= limit then
  return {0, 0, oldest + window - now}
end
redis.call('LPUSH', key, string.format('%.0f', now))
redis.call('PEXPIRE', key, keep)
return {1, limit - count - 1, (oldest or now) + window - now}
`;
}
