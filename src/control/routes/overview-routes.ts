import { overview, overviewQuery } from '../../contract/overview.ts'
import { readOverview } from '../overview/overview.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'

const route = routesOf('Account')

const readOwnOverview = route('get /api/overview', {
  summary: 'Read how your account stands',
  description:
    'Balance and pace, spending beside that of the same hours before, subscriptions, keys near a limit or their end, the newest requests and alerts. Sums are of whole hours, from the roll-ups: it costs the same for any past.',
  who: 'account',
  problems: ['account_needed'],
  query: overviewQuery,
  answer: overview,
  handle: (call, parts) => readOverview(call.actor, { nowMs: call.nowMs, ...call.query }, parts),
})

export const overviewRoutes: readonly ApiRoute[] = [readOwnOverview]
