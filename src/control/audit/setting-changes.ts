import { type AuditStore, changesBetween } from '../../access/audit.ts'
import type { ConfigurationView } from '../../contract/configuration.ts'
import { withoutTemplateTexts } from '../settings/alert-template.ts'
import { auditEntryView } from '../views/audit-entry-view.ts'

type SettingChange = NonNullable<ConfigurationView['settings'][number]['changed']>

/** A setting that was changed before so many other changes is shown without who changed it. */
const ENTRIES_READ = 200

/**
 * Who last changed each setting that the audit knows of, and when. A change whose outcome is not the value of `now` is left out:
 * the declarative file, or another version, has set another one since.
 */
export async function lastChanges(
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
