import type { z } from '@hono/zod-openapi'
import { cachedInput, cachedInputQuery } from '../../contract/cached-input.ts'
import type { CachedInput, CachedInputSums, CachedTokens } from '../../metering/usage/cached-input.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readSpan, timeOnWire } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import { csvAnswer, type CsvColumn, csvStream, csvText, onePageOf } from '../api/table-file.ts'

const route = routesOf('Usage')

const OF_WHAT =
  'By model and upstream, of requests whose upstream says what it read from its cache; with affinity, which keeps a conversation where it is, and without. Without "from" the last 30 days; times are widened to whole hours. Records of before this was kept are not in it.'

const sumCachedInput = route('get /api/cached-input', {
  summary: 'Sum the input that upstreams read from their caches',
  description: OF_WHAT,
  who: 'staff',
  query: cachedInputQuery,
  answer: cachedInput,
  async handle(call, { store }) {
    const sums = await sumsOf(call.query, { nowMs: call.nowMs, store })
    return {
      from: timeOnWire(sums.fromMs),
      to: timeOnWire(sums.toMs),
      totals: view(sums.total),
      rows: sums.rows.map((row) => ({ model: row.model, upstream: row.upstream, ...view(row) })),
    }
  },
})

const readCachedInput = route('get /api/cached-input.csv', {
  summary: 'Read the same as CSV',
  description: `text/csv as in RFC 4180, with a header row. ${OF_WHAT}`,
  who: 'staff',
  query: cachedInputQuery,
  mediaType: 'text/csv',
  status: 200,
  async handle(call, { store }) {
    const { rows } = await sumsOf(call.query, { nowMs: call.nowMs, store })
    const lines = rows.flatMap(({ model, upstream, withAffinity, withoutAffinity }): CachedInputLine[] => [
      { model, upstream, affinity: 'true', ...tokensView(withAffinity) },
      { model, upstream, affinity: 'false', ...tokensView(withoutAffinity) },
    ])
    return csvAnswer(csvStream(COLUMNS, onePageOf(lines), { startsWithMark: false }), 'cached-input')
  },
})

interface CachedInputLine extends ReturnType<typeof tokensView> {
  readonly model: string
  readonly upstream: string
  readonly affinity: 'true' | 'false'
}

const COLUMNS: readonly CsvColumn<CachedInputLine>[] = [
  ['model', (line) => csvText(line.model)],
  ['upstream', (line) => csvText(line.upstream)],
  ['affinity', (line) => line.affinity],
  ['input_tokens', (line) => String(line.input_tokens)],
  ['cached_tokens', (line) => String(line.cached_tokens)],
  ['share', (line) => String(line.share ?? '')],
]

export const cachedInputRoutes: readonly ApiRoute[] = [sumCachedInput, readCachedInput]

async function sumsOf(
  { upstream, model, ...span }: z.output<typeof cachedInputQuery>,
  { nowMs, store }: { readonly nowMs: number; readonly store: Pick<ControlStores, 'usage'> },
): Promise<CachedInputSums> {
  return store.usage.cachedInput({ ...readSpan(span, { days: 30, nowMs }), upstream, model })
}

function view({ withAffinity, withoutAffinity }: CachedInput) {
  return { with_affinity: tokensView(withAffinity), without_affinity: tokensView(withoutAffinity) }
}

const SHARE_PLACES = 4

function tokensView({ input, cached }: CachedTokens) {
  const share = input === 0 ? null : Number((cached / input).toFixed(SHARE_PLACES))
  return { input_tokens: input, cached_tokens: cached, share }
}
