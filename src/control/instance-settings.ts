import type { z } from '@hono/zod-openapi'
import { settings, settingsPatch, type SettingsView } from '../contract/administration.ts'
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
}

/** One entry of the store holds all of it, so that a change is one write. */
const NAME = 'place_settings'

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

/** Reads settings of a declarative file; undefined: they are not what `PATCH /api/settings` takes. */
export function readWrittenSettings(value: unknown): WrittenSettings | undefined {
  const parsed = settingsPatch.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
