import { auditEntry, auditQuery } from '../../contract/administration.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { idAt, onePage } from '../api/paging.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import type { ControlStores } from '../parts.ts'
import { auditEntryView } from '../views/audit-entry-view.ts'

const route = routesOf('Administration')

const listAudit = route('get /api/audit', {
  summary: 'List who did what, from where',
  description: 'Newest first. Entries outlive what they are about.',
  who: 'staff',
  query: auditQuery,
  answer: pageOf(auditEntry),
  async handle(call, parts) {
    const { limit, from, to, ...filter } = call.query
    const rows = await parts.store.audit.page({
      actor: filter.actor === undefined ? undefined : await actorOf(filter.actor, parts.store),
      action: filter.action,
      address: filter.address,
      subject: filter.subject,
      account: filter.account,
      fromMs: from === undefined ? undefined : Date.parse(from),
      toMs: to === undefined ? undefined : Date.parse(to),
      after: idAt(call.position),
      limit: limit + 1,
    })
    const page = onePage(rows, call, ({ id }) => [id])
    return { data: page.rows.map(auditEntryView), next_cursor: page.next_cursor }
  },
})

export const auditRoutes: readonly ApiRoute[] = [listAudit, ...listFiles(listAudit, { name: 'audit' })]

/** People know an address; what was done is kept with the id. */
async function actorOf(named: string, { accounts }: Pick<ControlStores, 'accounts'>): Promise<string> {
  if (!named.includes('@')) return named
  return (await accounts.findByEmail(named.toLowerCase()))?.id ?? named
}
