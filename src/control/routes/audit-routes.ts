import { auditEntry, auditQuery, settings, settingsPatch, type AuditEntryView } from '../../contract/administration.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { type AuditEntry, changesBetween } from '../../access/audit.ts'
import { onePage } from '../api/paging.ts'
import { readSettings, writeSettings } from '../instance-settings.ts'
import { type Route, route } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'

const listAudit = route({
  method: 'get',
  path: '/api/audit',
  tag: 'Administration',
  summary: 'List who did what, from where',
  description: 'Newest first. Entries outlive what they are about.',
  who: 'admin',
  query: auditQuery,
  answer: pageOf(auditEntry),
  async handle(call, parts) {
    const { limit, from, to, ...filter } = call.query
    const [after] = call.position ?? []
    const rows = await parts.store.audit.page({
      actor: filter.actor,
      action: filter.action,
      subject: filter.subject,
      fromMs: from === undefined ? undefined : Date.parse(from),
      toMs: to === undefined ? undefined : Date.parse(to),
      after: typeof after === 'string' ? after : null,
      limit: limit + 1,
    })
    const page = onePage(rows, limit, { positionOf: ({ id }) => [id], nextCursor: call.nextCursor })
    return { data: page.rows.map(entryOnWire), next_cursor: page.next_cursor }
  },
})

const readPlaceSettings = route({
  method: 'get',
  path: '/api/settings',
  tag: 'Administration',
  summary: 'Read the settings of the server',
  who: 'admin',
  answer: settings,
  handle: (_call, parts) => readSettings(parts.store.settings),
})

const changeSettings = route({
  method: 'patch',
  path: '/api/settings',
  tag: 'Administration',
  summary: 'Change settings of the server',
  description: 'What is left out stays as it is. Takes effect at once, on every node.',
  who: 'admin',
  body: settingsPatch,
  answer: settings,
  example: { body: { site_name: 'Models at Example', registration: 'invitation' } },
  async handle(call) {
    const wanted = Object.fromEntries(Object.entries(call.body).filter(([, value]) => value !== undefined))
    return call.change(async (store, audit) => {
      const before = await readSettings(store.settings)
      const after = { ...before, ...wanted }
      await writeSettings(store.settings, after)
      const changes = changesBetween(before, after)
      if (Object.keys(changes).length > 0) {
        await audit({ action: 'settings.update', subject: null, accountId: null, changes })
      }
      return after
    })
  },
})

export const auditRoutes: readonly Route[] = [readPlaceSettings, changeSettings, listAudit]

function entryOnWire(entry: AuditEntry & { readonly actorEmail: string | null }): AuditEntryView {
  return {
    id: entry.id,
    created_at: timeOnWire(entry.createdAt),
    actor: entry.actor,
    actor_email: entry.actorEmail,
    via: entry.via,
    address: entry.address,
    action: entry.action,
    subject: entry.subject,
    account_id: entry.accountId,
    changes: { ...entry.changes },
  }
}
