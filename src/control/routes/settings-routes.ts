import { givenFields } from '../../core/given-fields.ts'
import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import { type AuditStore, changesBetween } from '../../access/audit.ts'
import { settingsPatch, type SettingsRead, settingsRead, type SettingsView } from '../../contract/administration.ts'
import { configuration, configurationExport, type ConfigurationView } from '../../contract/configuration.ts'
import { withoutTexts } from '../../core/alert-template.ts'
import { endCaptures } from '../audit/capture-notes.ts'
import { readSetLimits } from '../accounts/account-limits.ts'
import { Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { versionOf } from '../api/version.ts'
import {
  lockSettings,
  readDeclaredSettings,
  readSettings,
  settingsUpdated,
  writeSettings,
} from '../settings/instance-settings.ts'
import { STANDARD } from '../settings/upkeep-settings.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { hasRight } from '../who/actor.ts'
import { withoutTemplateTexts } from '../settings/alert-template.ts'
import { auditEntryView } from '../views/audit-entry-view.ts'

const route = routesOf('Administration')

const readInstanceSettings = route('get /api/settings', {
  summary: 'Read the settings of the server',
  description:
    'Of "alert_template", others than admins see the fields and placeholders, since its texts may hold a secret.',
  who: 'staff',
  answer: settingsRead,
  async handle({ actor }, { store }) {
    const settings = withVersion(await allSettings(store))
    const { alert_template: template } = settings
    if (template === null || hasRight(actor, 'admin')) return settings
    return { ...settings, alert_template: { ...withoutTexts(template) } }
  },
})

const changeSettings = route('patch /api/settings', {
  summary: 'Change settings of the server',
  description:
    'What is left out stays as it is. Takes effect at once, on every node. What the declarative file sets is changed there alone.',
  who: 'admin',
  body: settingsPatch,
  answer: settingsRead,
  problems: ['managed'],
  example: { body: { site_name: 'Models at Example', registration: 'invitation' } },
  async handle(call) {
    const { account_limits: wantedLimits, ...ofInstance } = call.body
    const wanted = givenFields(ofInstance)
    const limits = wantedLimits === undefined ? null : readSetLimits(wantedLimits, 'account_limits')
    const {
      after,
      change,
      endedCaptures: stopped,
    } = await call.change(async (store, audit) => {
      await lockSettings(store)
      const before = await allSettings(store)
      const asked = {
        ...before,
        ...wanted,
        ...(limits === null ? {} : { account_limits: setLimitsOnWire(limits.limits) }),
      }
      call.requireVersion({ before, after: asked })
      await refuseDeclared(store, Object.keys(changesBetween(before, asked)))
      await writeSettings(store.settings, { ...(await readSettings(store.settings)), ...wanted })
      const made = limits === null ? null : await store.accounts.setStandardLimits(limits.limits ?? null)
      const now = await allSettings(store)
      const changes = changesBetween(before, now)
      if (Object.keys(changes).length > 0) await audit(settingsUpdated(changes))
      const endedCaptures =
        before.capture_requests && !now.capture_requests ? await endCaptures(store, audit, call.nowMs) : []
      return { after: now, change: made, endedCaptures }
    })
    await call.reachNodes(change, ...stopped)
    return withVersion(after)
  },
})

const readConfiguration = route('get /api/configuration', {
  summary: 'Read where each setting comes from',
  description: 'The settings of the API, and the environment of the node that answers. Secrets are not in it.',
  who: 'staff',
  answer: configuration,
  async handle(_call, { store, variables }) {
    const [now, declared] = await Promise.all([allSettings(store), readDeclaredSettings(store.settings)])
    const standard: SettingsView = { ...STANDARD, account_limits: null }
    const changed = changesBetween(standard, now)
    const changes = await lastChanges(store.audit, { ...now })
    return {
      settings: Object.entries(standard).map(([name, value]) => ({
        name,
        source: declared.includes(name)
          ? ('file' as const)
          : name in changed
            ? ('stored' as const)
            : ('default' as const),
        standard: value,
        changed: declared.includes(name) ? null : (changes.get(name) ?? null),
      })),
      variables: variables(),
    }
  },
})

const exportConfiguration = route('post /api/configuration/export', {
  summary: 'Write the installation as a declarative file',
  description:
    'As `tollgate export` does: applied to an empty installation with the same TOLLGATE_SECRET, the file makes the same one. Credentials stay encrypted; of secrets of keys and of passwords there are hashes. With more than 1,000 accounts or 5,000 keys the command alone writes it. The audit has who had it.',
  who: 'admin',
  limits: { needsConfirmation: true, isRepeatable: false },
  answer: configurationExport,
  problems: ['conflict'],
  async handle(call, { exportFile }) {
    // Before it is made: who had it is known, also where the answer never comes.
    await call.change((_, audit) =>
      audit({ action: 'configuration.export', subject: null, accountId: null, changes: {} }),
    )
    const exported = await exportFile(call.nowMs)
    if (exported === null) {
      const why = 'This installation has too many accounts or keys to be exported while it serves requests.'
      throw new Problem('conflict', `${why} Run "tollgate export FILE" on its host.`)
    }
    return { file: exported.text, remarks: [...exported.remarks] }
  },
})

export const settingsRoutes: readonly ApiRoute[] = [
  readInstanceSettings,
  changeSettings,
  readConfiguration,
  exportConfiguration,
]

/** The next start would take such a change back. Throws Problem `managed`. */
async function refuseDeclared(store: Pick<ChangeableStores, 'settings'>, fields: readonly string[]): Promise<void> {
  const declared = await readDeclaredSettings(store.settings)
  const field = fields.find((name) => declared.includes(name))
  if (field === undefined) return
  throw new Problem('managed', `The declarative file sets ${field}: change it there, and apply it.`, { field })
}

async function allSettings({
  settings: stored,
  accounts,
}: Pick<ChangeableStores, 'settings' | 'accounts'>): Promise<SettingsView> {
  const [ofInstance, limits] = await Promise.all([readSettings(stored), accounts.standardLimits()])
  return { ...ofInstance, account_limits: setLimitsOnWire(limits ?? undefined) }
}

function withVersion(settings: SettingsView): SettingsRead {
  return { ...settings, version: versionOf(settings) }
}

type SettingChange = NonNullable<ConfigurationView['settings'][number]['changed']>

/** A setting that was changed before so many other changes is shown without who changed it. */
const ENTRIES_READ = 200

/**
 * Who last changed each setting that the audit knows of, and when. A change whose outcome is not the value of `now` is left out:
 * the declarative file, or another version, has set another one since.
 */
async function lastChanges(
  audit: Pick<AuditStore, 'page'>,
  now: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, SettingChange>> {
  // As the audit has them: texts of a template are in neither.
  const values = withoutTemplateTexts(changesBetween({}, now))
  const seen = new Set<string>()
  const last = new Map<string, SettingChange>()
  const entries = await audit.page({ action: 'settings.update', after: null, limit: ENTRIES_READ })
  for (const entry of entries.map(auditEntryView)) {
    for (const [name, { after }] of Object.entries(entry.changes)) {
      if (seen.has(name)) continue
      seen.add(name)
      if (JSON.stringify(after) !== JSON.stringify(values[name]?.after ?? null)) continue
      const { created_at, actor, actor_email, via } = entry
      last.set(name, { created_at, actor, actor_email, via })
    }
  }
  return last
}
