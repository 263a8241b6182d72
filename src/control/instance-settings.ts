import type { z } from '@hono/zod-openapi'
import { settings, settingsPatch, type SettingsView } from '../contract/administration.ts'
import { PLACE_SETTINGS } from './alert-template.ts'
import type { ControlStores } from './parts.ts'

/** What admins set for the whole server beside the limits of accounts, which the gateway reads as well. */
export type PlaceSettings = Omit<SettingsView, 'account_limits'>

/** The defaults. */
const STANDARD: PlaceSettings = {
  site_name: 'Tollgate',
  registration: 'invitation',
  imports: [],
  hidden_imports: [],
  top_up_url: null,
  support_address: null,
  alert_template: null,
}

/** One entry of the store holds all of it, so that a change is one write. */
const NAME = PLACE_SETTINGS

export async function readSettings(store: ControlStores['settings']): Promise<PlaceSettings> {
  const stored = await store.read(NAME)
  if (stored === null) return STANDARD
  // An entry of another version may lack fields or have some that are gone.
  const parsed = settings.omit({ account_limits: true }).partial().safeParse(JSON.parse(stored))
  return parsed.success ? { ...STANDARD, ...withoutUndefined(parsed.data) } : STANDARD
}

export async function writeSettings(store: ControlStores['settings'], wanted: PlaceSettings): Promise<void> {
  await store.write(NAME, JSON.stringify(wanted))
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [K in keyof Fields]: Exclude<Fields[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Settings as they stand in a declarative file. */
export type WrittenSettings = z.output<typeof settingsPatch>

/** Reads settings of a declarative file, or says which of them cannot be used and what it takes. */
export function readWrittenSettings(
  value: unknown,
): { readonly settings: WrittenSettings } | { readonly field: string | null; readonly takes: string | null } {
  const parsed = settingsPatch.safeParse(value)
  if (parsed.success) return { settings: parsed.data }
  const [issue] = parsed.error.issues
  const [field] = issue?.path ?? []
  // Other messages than ours have another form.
  const takes = issue?.code === 'custom' && issue.message.startsWith('takes ') ? issue.message.slice(6) : null
  return { field: typeof field === 'string' && takes !== null ? field : null, takes }
}
