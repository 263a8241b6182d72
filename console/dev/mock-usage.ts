import type { UsageRecordView, UsageSummary } from '../../src/contract/usage.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { mockRecords } from './mock-records.ts'
import { answer, problem, type MockCall, type MockRoutes } from './mock-route.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PAGE_SIZE = 25

const NOTHING = { requests: 0, failed: 0, input_tokens: 0, cache_read_tokens: 0, output_tokens: 0, nano: 0 }

/** What each series is worth per request, and how often it is used. */
const SERIES = [
  { model: 'claude-sonnet-5', key: 'key_laptop', group: 'default', weight: 22, nano: 21_400_000 },
  { model: 'gpt-5.5', key: 'key_laptop', group: 'default', weight: 17, nano: 13_700_000 },
  { model: 'gpt-5.5-mini', key: 'key_ci', group: 'default', weight: 61, nano: 1_900_000 },
  { model: 'claude-opus-5', key: 'key_team', group: 'pro', weight: 4, nano: 88_000_000 },
  { model: 'deepseek-v4', key: 'key_night', group: 'saver', weight: 37, nano: 700_000 },
  { model: 'qwen4-coder-480b-instruct', key: 'key_night', group: 'saver', weight: 12, nano: 1_100_000 },
  { model: 'gemini-4-flash', key: 'key_demo', group: 'default', weight: 9, nano: 900_000 },
  { model: 'kimi-k3', key: 'key_demo', group: 'saver', weight: 6, nano: 1_250_000 },
  { model: 'text-embedding-4-large', key: 'key_search', group: 'default', weight: 40, nano: 41_000 },
] as const

const KEY_NAMES: Readonly<Record<string, string>> = {
  key_laptop: 'laptop',
  key_ci: 'continuous integration',
  key_team: 'team agents',
  key_night: 'nightly batch',
  key_demo: 'demo',
  key_search: 'search index',
}

type Split = 'model' | 'key' | 'group' | 'none'

/** Records, their sums, and what the usage page needs besides. */
export const mockUsage: MockRoutes = {
  'GET /api/usage': ({ query, state }) => answer<Page<UsageRecordView>>(state.isEmpty ? NO_PAGE : pageOf(query)),
  'GET /api/usage/summary': (call) => answer<UsageSummary>(summaryOf(call)),
  'GET /api/usage/:id': ({ params }) => {
    const record = mockRecords(Date.now()).find(({ id }) => id === params['id'])
    return record === undefined ? problem(404, 'not_found') : answer<UsageRecordView>(record)
  },
}

const NO_PAGE: Page<UsageRecordView> = { data: [], next_cursor: null }

function pageOf(query: URLSearchParams): Page<UsageRecordView> {
  const wants = (name: string, value: string | null): boolean => !query.has(name) || query.get(name) === value
  const from = Date.parse(query.get('from') ?? '2000-01-01')
  const to = Date.parse(query.get('to') ?? '2100-01-01')
  const fits = mockRecords(Date.now()).filter(
    (record) =>
      wants('key', record.key_id) &&
      wants('group', record.group) &&
      wants('model', record.model) &&
      (query.get('fault') === 'any' ? record.fault !== null : wants('fault', record.fault)) &&
      record.id.startsWith(query.get('request') ?? '') &&
      Date.parse(record.created_at) >= from &&
      Date.parse(record.created_at) < to,
  )
  const start = Number(query.get('cursor') ?? 0)
  const end = start + PAGE_SIZE
  return { data: fits.slice(start, end), next_cursor: end < fits.length ? String(end) : null }
}

function summaryOf({ query, state }: MockCall): UsageSummary {
  const by = query.get('by') === 'hour' ? 'hour' : 'day'
  const split = (query.get('split') ?? 'none') as Split
  const stepMs = by === 'hour' ? HOUR_MS : DAY_MS
  const offsetMs = Number(query.get('offset_minutes') ?? 0) * 60_000
  const now = Date.now()
  const toMs = query.has('to') ? Date.parse(query.get('to') ?? '') : now
  const fromMs = query.has('from') ? Date.parse(query.get('from') ?? '') : now - 30 * DAY_MS
  const first = Math.floor((fromMs + offsetMs) / stepMs)
  const last = Math.floor((toMs - 1 + offsetMs) / stepMs)
  const used = SERIES.filter((one) =>
    ['key', 'model', 'group'].every((name) => !query.has(name) || query.get(name) === one[name as 'key']),
  )
  const ids = [...new Set(used.map((one) => (split === 'none' ? '' : one[split])))]
  const cells = new Map<string, typeof NOTHING>()
  for (let hour = Math.floor(fromMs / HOUR_MS); hour <= toMs / HOUR_MS; hour += 1) {
    const bucket = Math.floor((hour * HOUR_MS + offsetMs) / stepMs)
    for (const [index, one] of used.entries()) {
      if (state.isEmpty || bucket < first || bucket > last) continue
      const name = `${bucket} ${ids.indexOf(split === 'none' ? '' : one[split])}`
      cells.set(name, added(cells.get(name) ?? NOTHING, ofHour(hour, index, one)))
    }
  }
  const sumFor = (fits: (name: string) => boolean) =>
    [...cells].filter(([name]) => fits(name)).reduce((sum, [, cell]) => added(sum, cell), NOTHING)
  const order = ids
    .map((id, index) => ({ id, index, sum: sumFor((name) => name.endsWith(` ${index}`)) }))
    .sort((a, b) => b.sum.nano - a.sum.nano)
  return {
    from: new Date(first * stepMs - offsetMs).toISOString(),
    to: new Date((last + 1) * stepMs - offsetMs).toISOString(),
    by,
    totals: wire(sumFor(() => true)),
    series: order.map(({ id, sum }) => ({
      id: split === 'none' ? null : id,
      name: split === 'none' ? null : (KEY_NAMES[id] ?? id),
      totals: wire(sum),
    })),
    buckets: Array.from({ length: last - first + 1 }, (_, place) => ({
      at: new Date((first + place) * stepMs - offsetMs).toISOString(),
      values: order.flatMap(({ index }, series) => {
        const cell = cells.get(`${first + place} ${index}`)
        return cell === undefined || cell.requests === 0 ? [] : [{ series, ...wire(cell) }]
      }),
    })).filter(({ values }) => values.length > 0),
  }
}

/** The same each time it is asked: more by day, less at weekends, nothing on some. */
function ofHour(hour: number, index: number, one: { weight: number; nano: number }): typeof NOTHING {
  const noise = Math.abs(Math.sin(hour * 12.9898 + index * 78.233) * 43_758.5453) % 1
  const isWeekend = [2, 3].includes(Math.floor(hour / 24) % 7)
  const byDay = Math.max(0, Math.sin((((hour % 24) - 6) / 24) * 2 * Math.PI)) + 0.08
  const requests = Math.floor(one.weight * byDay * noise * (isWeekend ? 0.15 : 1))
  const input = requests * Math.floor(4_000 + noise * 9_000)
  return {
    requests,
    failed: noise > 0.93 ? Math.ceil(requests * 0.1) : 0,
    input_tokens: input,
    cache_read_tokens: Math.floor(input * 0.46),
    output_tokens: requests * Math.floor(300 + noise * 1_200),
    nano: requests * Math.floor(one.nano * (0.6 + noise)),
  }
}

function added(a: typeof NOTHING, b: typeof NOTHING): typeof NOTHING {
  const names = Object.keys(NOTHING) as (keyof typeof NOTHING)[]
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as typeof NOTHING
}

function wire({ nano, ...totals }: typeof NOTHING): UsageSummary['totals'] {
  return { ...totals, cost: (nano / 1e9).toFixed(9) }
}
