import { isDeepStrictEqual } from 'node:util'
import { readSetLimits } from '../../control/account-limits.ts'
import { readSettings, writeSettings } from '../../control/instance-settings.ts'
import type { ApplyStep } from './apply-step.ts'

/** What the file says of the installation's settings; what it leaves out stays as it is. */
export async function applySettings({ file, store, notes }: ApplyStep): Promise<void> {
  const { settings } = file.declaration
  if (settings == null) return
  const { account_limits: limits, ...written } = settings
  const before = await readSettings(store.settings)
  const said = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  // What YAML made has no prototype, which would count as a difference.
  const after = structuredClone({ ...before, ...said })
  const wanted = limits == null ? null : (readSetLimits(limits).limits ?? null)
  const areOthers = limits !== undefined && !isDeepStrictEqual(wanted, await store.accounts.standardLimits())
  if (!isDeepStrictEqual(before, after)) await writeSettings(store.settings, after)
  else if (!areOthers) return
  if (areOthers) await store.accounts.setStandardLimits(wanted)
  notes.changes.push('settings')
}
