import { z } from 'zod'
import type { SettingStore } from '../../store/store.ts'

/**
 * Calls `release` for each id that stood in the file the last time and is not among `ids` any more, then remembers `ids`.
 * Accounts and keys can be so many that asking the database for all managed ones is not an option.
 */
export async function releaseGone(
  memory: { readonly settings: SettingStore; readonly setting: string },
  ids: readonly string[],
  release: (id: string) => Promise<void>,
): Promise<void> {
  const stored = await memory.settings.read(memory.setting)
  const remembered = stored === null ? [] : z.array(z.string()).parse(JSON.parse(stored))
  const present = new Set(ids)
  for (const id of remembered) if (!present.has(id)) await release(id)
  const text = JSON.stringify(ids)
  // Last, so that whatever a crash cut short is done at the next start.
  if (text !== (stored ?? '[]')) await memory.settings.write(memory.setting, text)
}
