import type { z } from '@hono/zod-openapi'
import { cachedInput, cachedInputQuery } from '../../contract/cached-input.ts'
import type { CachedInput, CachedInputSums, CachedTokens } from '../../metering/usage/cached-input.ts'
import { fieldProblem } from '../problem.ts'
import { type Route, routesOf } from '../api/route.ts'
import { readTime, timeOnWire } from '../api/wire-forms.ts'
import type { ControlStores } from '../parts.ts'
import { csvLine, csvText } from '../api/csv.ts'

const route = routesOf('Usage')

const DAY_MS = 86_400_000
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
    const lines = rows.flatMap(({ model, upstream, withAffinity, withoutAffinity }) =>
      (
        [
          ['true', withAffinity],
          ['false', withoutAffinity],
        ] as const
      ).map(([affinity, tokens]) => {
        const { input_tokens: input, cached_tokens: cached, share } = tokensView(tokens)
        return csvLine([
          csvText(model),
          csvText(upstream),
          affinity,
          String(input),
          String(cached),
          String(share ?? ''),
        ])
      }),
    )
    return new Response(
      csvLine(['model', 'upstream', 'affinity', 'input_tokens', 'cached_tokens', 'share']) + lines.join(''),
      {
        headers: {
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': 'attachment; filename="tollgate-cached-input.csv"',
        },
      },
    )
  },
})

export const cachedInputRoutes: readonly Route[] = [sumCachedInput, readCachedInput]

async function sumsOf(
  { from, to, upstream, model }: z.output<typeof cachedInputQuery>,
  { nowMs, store }: { readonly nowMs: number; readonly store: Pick<ControlStores, 'usage'> },
): Promise<CachedInputSums> {
  const toMs = to === undefined ? nowMs : readTime(to)
  const fromMs = from === undefined ? toMs - 30 * DAY_MS : readTime(from)
  if (fromMs >= toMs) throw fieldProblem('from', 'from must be before to.')
  return store.usage.cachedInput({ fromMs, toMs, upstream, model })
}

function view({ withAffinity, withoutAffinity }: CachedInput) {
  return { with_affinity: tokensView(withAffinity), without_affinity: tokensView(withoutAffinity) }
}

const SHARE_PLACES = 4

function tokensView({ input, cached }: CachedTokens) {
  const share = input === 0 ? null : Number((cached / input).toFixed(SHARE_PLACES))
  return { input_tokens: input, cached_tokens: cached, share }
}
