import type { z } from '@hono/zod-openapi'
import { groupNames } from '../../access/group.ts'
import { attention } from '../../contract/attention.ts'
import { margins, marginsQuery } from '../../contract/margins.ts'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import { isOfCredentials, type MarginSums } from '../../metering/usage/margins.ts'
import { fieldProblem } from '../api/problem.ts'
import { type Route, route } from '../api/route.ts'
import { readTime, timeOnWire } from '../api/wire-forms.ts'
import { readAttention } from '../overview/attention.ts'

const DAY_MS = 86_400_000

const sumMargins = route({
  method: 'get',
  path: '/api/margins',
  tag: 'Usage',
  summary: 'Sum what requests cost at their providers, and what is left',
  description:
    'Of targets that have a cost, by upstream, credential, model, group or fault. The upstream and credential are those that were asked last. Without "from" the last 30 days; times are widened to whole hours. With split=credential or a credential: to whole days of UTC, without models and groups.',
  who: 'admin',
  query: marginsQuery,
  answer: margins,
  async handle(call, { store }) {
    const { from, to, split, upstream, credential, model, group } = call.query
    checkSplit(call.query)
    const toMs = to === undefined ? call.nowMs : readTime(to)
    const fromMs = from === undefined ? toMs - 30 * DAY_MS : readTime(from)
    if (fromMs >= toMs) throw fieldProblem('from', 'from takes a time before "to".')
    const groups = await store.groups.groups()
    const groupId = groups.find(({ name }) => name === group)?.id ?? group
    const sums = await store.usage.margins({ fromMs, toMs, split, upstream, credential, model, groupId })
    const known = new Set(groups.map(({ id }) => id))
    const nameOf = split === 'group' ? groupNames(groups) : (id: string) => id
    return {
      from: timeOnWire(sums.fromMs),
      to: timeOnWire(sums.toMs),
      totals: figuresView(sums.total),
      rows: sums.rows.map((row) => ({
        id: row.id,
        name: row.id === '' || (split === 'group' && !known.has(row.id)) ? null : nameOf(row.id),
        upstream: row.upstream,
        ...figuresView(row),
      })),
    }
  },
})

const listAttention = route({
  method: 'get',
  path: '/api/attention',
  tag: 'Usage',
  summary: 'List what needs an admin',
  description:
    'Credentials that a provider refuses or that are near their cap, models that fail, have no price or no target, or are asked for and not there, sales below cost, accounts that call without a balance. At most 200 items, each gone by itself when it is healed. Beside them what an installation still lacks, and sums of the last seven days and the seven before.',
  who: 'admin',
  answer: attention,
  handle: (call, parts) => readAttention(call.nowMs, parts),
})

export const marginRoutes: readonly Route[] = [sumMargins, listAttention]

/** Sums by credential are kept without models and groups. Throws a problem with the field that asks for both. */
function checkSplit(query: z.output<typeof marginsQuery>): void {
  if (!isOfCredentials(query)) return
  const takes = 'nothing with split=credential or a credential: these sums are of all models and groups.'
  if (query.model !== undefined) throw fieldProblem('model', `model takes ${takes}`)
  if (query.group !== undefined) throw fieldProblem('group', `group takes ${takes}`)
  if (query.split === 'model' || query.split === 'group') {
    throw fieldProblem('split', 'split takes credential, upstream or fault with a credential.')
  }
}

function figuresView(sums: MarginSums): z.output<typeof margins>['totals'] {
  return {
    requests: sums.requests,
    failed: sums.failed,
    charged: formatUsd(sums.charged),
    costed: formatUsd(sums.costed),
    provider_cost: formatUsd(sums.providerCost),
    margin: formatUsd(nanoUsd(sums.costed - sums.providerCost)),
  }
}
