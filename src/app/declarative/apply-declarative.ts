import { BY_FILE, changesBetween } from '../../access/audit.ts'
import { DECLARED_STATUSES, readDeclaredStatuses, writtenDeclaredStatuses } from '../../access/declared-status.ts'
import type { DeclaredStatus } from '../../access/declared-status.ts'
import type { DeclarativeFile } from './declarative-file.ts'
import { auditedChange } from '../audited-change.ts'
import { attentionItems } from '../../entitlement/attention.ts'
import { applyAccounts } from './apply-accounts.ts'
import { applyGroups, applyModels, applyPlans, applyUpstreams, requireOwnSeals } from './apply-catalog.ts'
import { applyKeys } from './apply-keys.ts'
import type { ApplyStep, Installation, Notes } from './apply-step.ts'
import { judgeDeclaredCredentials, judgeDeclaredTargets, namesOf } from './judge-catalogue.ts'
import { judgeDeclaredKeys } from './judge-keys.ts'
import type { ExistingNames } from './cross-references.ts'
import { isDeepStrictEqual } from 'node:util'
import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import { readSetLimits } from '../../control/accounts/account-limits.ts'
import {
  readDeclaredSettings,
  readSettings,
  settingsUpdated,
  writeDeclaredSettings,
  writeSettings,
} from '../../control/settings/instance-settings.ts'
import { namedChange } from './named-change.ts'

/** A sentence for each object that was different from the file, and for what the file could not have its way with. */
export interface AppliedFile {
  readonly changes: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Makes the database what the file says, by name, and marks what stands in it as managed. Applying the same file again
 * writes nothing. Each object that is changed has its audit entry, in the transaction of the change. What left the file since the last time stays as it is, but is no longer managed; a key whose
 * `custom_key` was changed in the file is replaced by a new one, and the old secret stops working. Throws
 * ConfigurationError for a name that stands for nothing, for a custom key that is not available, and for a target that can
 * never do what is written of it.
 */
export async function applyDeclarativeFile(file: DeclarativeFile, installation: Installation): Promise<AppliedFile> {
  file.checkReferences(await existingNames(file, installation))
  requireOwnSeals(file, installation.sealer)
  await judgeDeclaredKeys(file, installation)
  await judgeDeclaredCredentials(file, installation)
  await judgeDeclaredTargets(file, installation)
  const notes: Notes = { changes: [], warnings: [] }
  const { store, nowMs } = installation
  const { settings } = store
  const stored = await settings.read(DECLARED_STATUSES)
  const statuses = { before: readDeclaredStatuses(stored), now: new Map<string, DeclaredStatus>() }
  const change: ApplyStep['change'] = (work) => auditedChange({ store, author: BY_FILE, nowMs }, work)
  const step: ApplyStep = { file, notes, statuses, change, ...installation }
  await applyUpstreams(step)
  // Targets of models name groups by their ids.
  await applyGroups(step)
  await applyModels(step)
  await applyPlans(step)
  await applyAccounts(step)
  await applyKeys(step)
  await applySettings(step)
  await warnOfCatalogue(step)
  const written = writtenDeclaredStatuses(statuses.now)
  // Last: what a crash cut short is enforced at the next start.
  if (written !== (stored ?? '{}')) await settings.write(DECLARED_STATUSES, written)
  return notes
}

/** What is sold below cost is sold all the same, and a target that is never used may stay: they may be meant. */
async function warnOfCatalogue({ store, notes }: ApplyStep): Promise<void> {
  const [groups, models, upstreams] = await Promise.all([
    store.groups.groups(),
    store.catalog.models(),
    store.catalog.upstreams(),
  ])
  const items = attentionItems({ groups, models, upstreams })
  notes.warnings.push(...items.filter(({ kind }) => kind !== 'no_target').map(({ detail }) => detail))
}

async function existingNames({ declaration }: DeclarativeFile, { store }: Installation): Promise<ExistingNames> {
  const [upstreams, models, groups, plans] = await Promise.all([
    store.catalog.upstreams(),
    store.catalog.models(),
    store.groups.groups(),
    store.plans.plans(),
  ])
  const accounts = new Set<string>()
  for (const email of new Set(declaration.keys.map((key) => key.email.toLowerCase()))) {
    if ((await store.accounts.findByEmail(email)) !== null) accounts.add(email)
  }
  return {
    upstreams: namesOf(upstreams),
    models: namesOf(models),
    groups: namesOf(groups),
    plans: namesOf(plans),
    accounts,
  }
}

/** What the file says of the installation's settings; what it leaves out stays as it is. */
async function applySettings({ file, store, change, notes }: ApplyStep): Promise<void> {
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
