-- What wrk asks: lines of a file, each a weight, a path and headers, parted by tabs; and what it counted, as JSON.

local requests = {}

function init(arguments)
  math.randomseed(1)
  for line in io.lines(arguments[1]) do
    local parts = {}
    for part in line:gmatch("[^\t]+") do parts[#parts + 1] = part end
    local headers = {}
    for place = 3, #parts do
      local name, value = parts[place]:match("^([^:]+): (.*)$")
      headers[name] = value
    end
    local request = wrk.format("GET", parts[2], headers)
    for _ = 1, tonumber(parts[1]) do requests[#requests + 1] = request end
  end
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "seconds": %f, "bytes": %d, "failed": %d, "unread": %d, "late": %d, ' ..
      '"p50": %f, "p95": %f, "p99": %f, "p999": %f, "most": %f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write, errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3,
    latency:percentile(99.9) / 1e3, latency.max / 1e3
  ))
end
