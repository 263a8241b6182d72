import {
  auditEntry,
  auditQuery,
  settings,
  settingsPatch,
  type AuditEntryView,
  type SettingsView,
} from '../../contract/administration.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { setLimitsOnWire } from '../../access/account-limits-on-wire.ts'
import { type AuditEntry, changesBetween } from '../../access/audit.ts'
import { onePage } from '../api/paging.ts'
import { readSetLimits } from '../account-limits.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
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
  handle: (_call, { store }) => allSettings(store),
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
    const { account_limits: wantedLimits, ...ofPlace } = call.body
    const wanted = Object.fromEntries(Object.entries(ofPlace).filter(([, value]) => value !== undefined))
    const limits = wantedLimits === undefined ? null : readSetLimits(wantedLimits, 'account_limits')
    const { after, change } = await call.change(async (store, audit) => {
      const before = await allSettings(store)
      await writeSettings(store.settings, { ...(await readSettings(store.settings)), ...wanted })
      const made = limits === null ? null : await store.accounts.setStandardLimits(limits.limits ?? null)
      const now = await allSettings(store)
      const changes = changesBetween(before, now)
      if (Object.keys(changes).length > 0) {
        await audit({ action: 'settings.update', subject: null, accountId: null, changes })
      }
      return { after: now, change: made }
    })
    await call.reachNodes(change)
    return after
  },
})

export const auditRoutes: readonly Route[] = [readPlaceSettings, changeSettings, listAudit]

async function allSettings({
  settings: stored,
  accounts,
}: Pick<ChangeableStores, 'settings' | 'accounts'>): Promise<SettingsView> {
  const [ofPlace, limits] = await Promise.all([readSettings(stored), accounts.standardLimits()])
  return { ...ofPlace, account_limits: setLimitsOnWire(limits ?? undefined) }
}

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
