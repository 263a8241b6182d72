import { isDeepStrictEqual } from 'node:util'
import { setLimitsOnWire } from '../../access/account-limits-on-wire.ts'
import { readSetLimits } from '../../control/account-limits.ts'
import {
  readDeclaredSettings,
  readSettings,
  writeDeclaredSettings,
  writeSettings,
} from '../../control/instance-settings.ts'
import type { ApplyStep } from './apply-step.ts'
import { namedChange } from './named-change.ts'

/** What the file says of the installation's settings; what it leaves out stays as it is. */
export async function applySettings({ file, store, notes }: ApplyStep): Promise<void> {
  const { account_limits: limits, ...written } = file.declaration.settings ?? {}
  const said = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  await rememberNames(store.settings, [...Object.keys(said), ...(limits === undefined ? [] : ['account_limits'])])
  const before = await readSettings(store.settings)
  // What YAML made has no prototype, which would count as a difference.
  const after = structuredClone({ ...before, ...said })
  const wanted = limits == null ? null : (readSetLimits(limits).limits ?? null)
  const standard = await store.accounts.standardLimits()
  const areOthers = limits !== undefined && !isDeepStrictEqual(wanted, standard)
  if (!isDeepStrictEqual(before, after)) await writeSettings(store.settings, after)
  else if (!areOthers) return
  if (areOthers) await store.accounts.setStandardLimits(wanted)
  const limitsAre = (are: typeof standard) => (areOthers ? { account_limits: setLimitsOnWire(are ?? undefined) } : {})
  const [was, is] = [
    { ...before, ...limitsAre(standard) },
    { ...after, ...limitsAre(wanted) },
  ]
  notes.changes.push(namedChange('settings', { before: was, after: is, written: (settings) => settings }))
}

/** The API refuses to change what the file says, since the next start would take it back. */
async function rememberNames(store: ApplyStep['store']['settings'], names: readonly string[]): Promise<void> {
  const sorted = names.toSorted()
  if (isDeepStrictEqual(await readDeclaredSettings(store), sorted)) return
  await writeDeclaredSettings(store, sorted)
}
