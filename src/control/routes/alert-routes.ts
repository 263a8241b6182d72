import { alert, alertsQuery } from '../../contract/administration.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { accountMeant, ownAccount } from '../who/actor.ts'
import { onePage } from '../api/paging.ts'
import { type Route, route } from '../api/route.ts'
import { alertView } from '../views/alert-view.ts'

const listAlerts = route({
  method: 'get',
  path: '/api/alerts',
  tag: 'Billing',
  summary: 'List your alerts about quotas and balance, newest first',
  who: 'account',
  query: alertsQuery,
  answer: pageOf(alert),
  async handle(call, { store }) {
    const { limit, account_id: wanted } = call.query
    const accountId = accountMeant(call.actor, wanted) ?? ownAccount(call.actor).id
    const [createdAt, id] = call.position ?? []
    const after = typeof createdAt === 'number' && typeof id === 'string' ? { createdAt, id } : null
    const rows = await store.alerts.list(limit + 1, { accountId, after })
    const page = onePage(rows, limit, {
      positionOf: (row) => [row.alert.createdAt, row.alert.id],
      nextCursor: call.nextCursor,
    })
    return { data: page.rows.map(alertView), next_cursor: page.next_cursor }
  },
})

export const alertRoutes: readonly Route[] = [listAlerts]
