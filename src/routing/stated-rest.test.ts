import { expect, test } from 'vitest'
import { askedRestMs, roomLeft, statedRestMs } from './stated-rest.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

test.for([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Sun, 22 Nov 2026 12:01:30 GMT' }, 90_000],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [{ 'retry-after': '0', 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
  [{ 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-11-22T12:00:42Z' }, 42_000],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '12ms' }, 12],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1h2m3.5s' }, 3_723_500],
  // Azure’s.
  [{ 'retry-after-ms': '1500', 'retry-after': '2', 'x-ratelimit-reset-requests': '10' }, 1_500],
  [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '45' }, 45_000],
  [{ 'x-rate-limit-reset-tokens': '55', 'x-ratelimit-remaining-requests': '40' }, 55_000],
  [
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '20s',
    },
    20_000,
  ],
] as const)('%j asks for %i ms', ([headers, ms]) => {
  expect(statedRestMs(headers, NOW)).toBe(ms)
})

/** Headers of a Claude subscription, of which a window is used up; `resets`: how many seconds from now. */
function unified(resets: Readonly<Record<string, number>>, statuses: Readonly<Record<string, string>> = {}) {
  const said = Object.entries({ status: 'rejected', ...statuses })
  for (const [name, seconds] of Object.entries(resets)) said.push([name, `${NOW / 1_000 + seconds}`])
  return Object.fromEntries(said.map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]))
}

const BOTH = { '5h-reset': 1_200, '7d-reset': 90_000 }
test.for([
  [unified({ ...BOTH, reset: 1_200 }), 1_200_000],
  [unified({ ...BOTH, reset: 1_200 }, { '5h-status': 'rejected', '7d-status': 'allowed_warning' }), 1_200_000],
  [unified({ ...BOTH, reset: 1_200 }, { '5h-status': 'rejected', '7d-status': 'rejected' }), 90_000_000],
  // A window of one model decided, which is not read by itself.
  [unified({ ...BOTH, reset: 7_200 }, { '5h-status': 'allowed', '7d-status': 'allowed' }), 7_200_000],
  [unified(BOTH), 1_200_000],
  [unified({ '7d-reset': 90_000 }), 90_000_000],
  [{ ...unified({ reset: 1_200 }), 'retry-after': '7' }, 7_000],
] as const)('a subscription whose window is used up, with %j, asks for %i ms', ([headers, ms]) => {
  expect(statedRestMs(headers, NOW)).toBe(ms)
})

test.for([
  unified({ ...BOTH, reset: 1_200 }, { status: 'allowed' }),
  unified({ ...BOTH, reset: 1_200 }, { status: 'allowed_warning', '7d-status': 'rejected' }),
  unified({ reset: -5 }),
  unified({}),
  { ...unified({}), 'anthropic-ratelimit-unified-reset': 'soon' },
])('a subscription with %j says nothing', (headers) => {
  expect(statedRestMs(headers, NOW)).toBeNull()
})

test.for([
  {},
  { 'retry-after': '' },
  { 'retry-after': '-5' },
  { 'retry-after': '0' },
  { 'retry-after': 'soon' },
  { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT' },
  { 'retry-after-ms': 'NaN' },
  { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '6m0s' },
  { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6 minutes' },
  { 'x-ratelimit-remaining-requests': '0' },
  // openai/openai-dotnet#838: neither a limit nor a time.
  { 'x-ratelimit-limit-tokens': '-1', 'x-ratelimit-remaining-tokens': '-1', 'x-ratelimit-reset-tokens': '0' },
  { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1764000000' },
])('%j says nothing', (headers) => {
  expect(statedRestMs(headers, NOW)).toBeNull()
})

test.for([
  [{}, null],
  [{ 'x-ratelimit-limit-tokens': '9000' }, null],
  [{ 'x-ratelimit-limit-tokens': '9000', 'x-ratelimit-remaining-tokens': '0' }, 'none'],
  [{ 'x-ratelimit-limit-tokens': '9000', 'x-ratelimit-remaining-tokens': '9000' }, 'all'],
  [{ 'x-ratelimit-remaining-tokens': '9000' }, 'some'],
  [
    {
      'x-ratelimit-limit-tokens': '9000',
      'x-ratelimit-remaining-tokens': '9000',
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
    },
    'all',
  ],
  [
    {
      'anthropic-ratelimit-input-tokens-limit': '9000',
      'anthropic-ratelimit-input-tokens-remaining': '9000',
      'anthropic-ratelimit-requests-remaining': '0',
    },
    'none',
  ],
] as const)('limits that stand at %j leave %s', ([headers, room]) => {
  expect(roomLeft({ ...headers })).toBe(room)
})

test('only 429, 503 and 529 ask for a rest: with other statuses the same headers close nothing', () => {
  const headers = { 'retry-after': '7' }
  const statuses = [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529]
  expect(statuses.filter((status) => askedRestMs(status, headers, NOW) !== null)).toEqual([429, 503, 529])
})
