import type { BudgetAlert } from '../../alerts/alert.ts'
import { alertFacts } from '../../alerts/webhook-formats.ts'
import { alert, alertPreview, alertPreviewQuestion, alertsQuery } from '../../contract/administration.ts'
import { alertTest } from '../../contract/configuration.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { filledTemplate } from '../../core/alert-template.ts'
import { DAY_MS } from '../../core/durations.ts'
import { parseUsd } from '../../core/money.ts'
import { accountMeant, ownAccount } from '../who/actor.ts'
import { onePage, placeAt, placeOf } from '../api/paging.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { alertView } from '../views/alert-view.ts'

const billingRoute = routesOf('Billing')
const adminRoute = routesOf('Administration')

const listAlerts = billingRoute('get /api/alerts', {
  summary: 'List your alerts about quotas and balance, newest first',
  who: 'account',
  query: alertsQuery,
  answer: pageOf(alert),
  async handle(call, { store }) {
    const { limit, account_id: wanted } = call.query
    const accountId = accountMeant(call, wanted) ?? ownAccount(call.actor).id
    const rows = await store.alerts.list(limit + 1, { accountId, after: placeAt(call.position) })
    const page = onePage(rows, call, (row) => placeOf(row.alert))
    return { data: page.rows.map(alertView), next_cursor: page.next_cursor }
  },
})

const previewAlert = adminRoute('post /api/alerts/preview', {
  summary: 'See what a template makes of an alert',
  description:
    'The body that would be posted of an example alert, whose key has quotes, tags and a line break in its name. Nothing is sent or kept; "alert_template" of the settings keeps one. Chats may write some signs of a fact as others, and Feishu\'s body is signed as well.',
  who: 'admin',
  body: alertPreviewQuestion,
  answer: alertPreview,
  example: { body: { template: { text: '{{title}}', severity: 'warning', account: '{{account_email}}' } } },
  handle: async ({ body, nowMs }) => ({ body: { ...filledTemplate(body.template, alertFacts(exampleAlert(nowMs))) } }),
})

const testAlertWays = adminRoute('post /api/alerts/test', {
  summary: 'Send a test to where alerts go',
  description:
    'To the webhook, and by mail to your own address: on each way that the environment sets up. Nothing is recorded.',
  who: 'admin',
  answer: alertTest,
  problems: ['account_needed'],
  handle: async ({ actor }, { testAlerts }) => ({ data: await testAlerts(ownAccount(actor)) }),
})

export const alertRoutes: readonly ApiRoute[] = [listAlerts, previewAlert, testAlertWays]

function exampleAlert(nowMs: number): BudgetAlert {
  return {
    id: 'key:key_01example:daily:80',
    kind: 'key_quota',
    accountId: 'acc_01example',
    accountEmail: 'ada@example.test',
    subjectId: 'key_01example',
    subjectName: 'the "new" <laptop>,\n{second line}',
    percent: 80,
    limit: parseUsd('5'),
    used: parseUsd('4.2'),
    window: null,
    resetsAt: nowMs + DAY_MS - (nowMs % DAY_MS),
    createdAt: nowMs,
  }
}
