import { isDeepStrictEqual } from 'node:util'
import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import { changesBetween } from '../../access/audit.ts'
import { readSetLimits } from '../../control/accounts/account-limits.ts'
import {
  readDeclaredSettings,
  readSettings,
  settingsUpdated,
  writeDeclaredSettings,
  writeSettings,
} from '../../control/settings/instance-settings.ts'
import type { ApplyStep } from './apply-step.ts'
import { namedChange } from './named-change.ts'

/** What the file says of the installation's settings; what it leaves out stays as it is. */
export async function applySettings({ file, store, change, notes }: ApplyStep): Promise<void> {
  const { account_limits: limits, ...written } = file.declaration.settings ?? {}
  const said = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  // The API refuses to change what the file says, since the next start would take it back.
  const named = [...Object.keys(said), ...(limits === undefined ? [] : ['account_limits'])].toSorted()
  const namedBefore = await readDeclaredSettings(store.settings)
  const before = await readSettings(store.settings)
  // What YAML made has no prototype, which would count as a difference.
  const after = structuredClone({ ...before, ...said })
  const wanted = limits == null ? null : (readSetLimits(limits).limits ?? null)
  const standard = await store.accounts.standardLimits()
  const areOthers = limits !== undefined && !isDeepStrictEqual(wanted, standard)
  const isDifferent = !isDeepStrictEqual(before, after)
  const areNamed = isDeepStrictEqual(namedBefore, named)
  if (!isDifferent && !areOthers && areNamed) return
  const limitsAre = (are: typeof standard) => (areOthers ? { account_limits: setLimitsOnWire(are ?? undefined) } : {})
  const [was, is] = [
    { ...before, ...limitsAre(standard) },
    { ...after, ...limitsAre(wanted) },
  ]
  await change(async ({ settings, accounts }, audit) => {
    if (!areNamed) await writeDeclaredSettings(settings, named)
    if (isDifferent) await writeSettings(settings, after)
    if (areOthers) await accounts.setStandardLimits(wanted)
    const changes = { ...changesBetween(was, is), ...changesBetween({ managed: namedBefore }, { managed: named }) }
    await audit(settingsUpdated(changes))
  })
  if (!isDifferent && !areOthers) return
  notes.changes.push(namedChange('settings', { before: was, after: is, written: (settings) => settings }))
}
