import type { z } from '@hono/zod-openapi'
import { givenFields } from '../../core/given-fields.ts'
import { settings, settingsPatch } from '../../contract/administration.ts'
import { INSTANCE_SETTINGS, withoutTemplateTexts } from './alert-template.ts'
import { type InstanceSettings, STANDARD } from './upkeep-settings.ts'
import type { ChangeableStores, KeptSettings } from '../changeable-stores.ts'
import type { AuditNote, Changes } from '../../access/audit.ts'

/** One entry of the store holds all of it, so that a change is one write. */
const NAME = INSTANCE_SETTINGS

export async function readSettings(store: KeptSettings): Promise<InstanceSettings> {
  const stored = await store.read(NAME)
  if (stored === null) return STANDARD
  // An entry of another version may lack fields or have some that are gone.
  const parsed = settings.omit({ account_limits: true }).partial().safeParse(JSON.parse(stored))
  return parsed.success ? { ...STANDARD, ...givenFields(parsed.data) } : STANDARD
}

export async function writeSettings(store: KeptSettings, wanted: InstanceSettings): Promise<void> {
  await store.write(NAME, JSON.stringify(wanted))
}

/** Within a change, before anything is read: two changes at one moment would each lose what the other set. */
export async function lockSettings({ settings: store }: Pick<ChangeableStores, 'settings'>): Promise<void> {
  await store.lock(NAME, '{}')
}

/** The entry that names the settings which the declarative file set when it was applied last. */
const DECLARED = 'declared_settings'

export async function readDeclaredSettings(store: Pick<KeptSettings, 'read'>): Promise<readonly string[]> {
  const names: unknown = JSON.parse((await store.read(DECLARED)) ?? '[]')
  return Array.isArray(names) ? names.map(String) : []
}

export async function writeDeclaredSettings(store: KeptSettings, names: readonly string[]): Promise<void> {
  await store.write(DECLARED, JSON.stringify(names.toSorted()))
}

/** Settings as they stand in a declarative file. */
export type WrittenSettings = z.output<typeof settingsPatch>

/** Reads settings of a declarative file, or returns which of them cannot be used and what it must be. */
export function readWrittenSettings(
  value: unknown,
): { readonly settings: WrittenSettings } | { readonly field: string | null; readonly takes: string | null } {
  const parsed = settingsPatch.safeParse(value)
  if (parsed.success) return { settings: parsed.data }
  const [issue] = parsed.error.issues
  const [field] = issue?.path ?? []
  // Other messages than ours have another form.
  const message = issue?.code === 'custom' ? issue.message : ''
  const takes = message.startsWith('must ') ? message : null
  return { field: typeof field === 'string' && takes !== null ? field : null, takes }
}

/** What the audit says of changes of settings, whichever way they are made. Texts of a template may hold a secret. */
export function settingsUpdated(changes: Changes): AuditNote {
  return { action: 'settings.update', subject: null, accountId: null, changes: withoutTemplateTexts(changes) }
}
