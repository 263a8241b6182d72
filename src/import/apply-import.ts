import type { AuditAuthor } from '../access/audit.ts'
import { IMPORTED_KEYS } from '../access/imported-keys.ts'
import { applyAccounts } from './apply/apply-accounts.ts'
import { applyGroups } from './apply/apply-groups.ts'
import { applyKeys } from './apply/apply-keys.ts'
import { applyModels } from './apply/apply-models.ts'
import { applyCodes, applyPlans, applySubscriptions } from './apply/apply-sales.ts'
import { type ImportStep, type ImportCounts, ImportTrail } from './apply/apply-step.ts'
import { applyUpstreams } from './apply/apply-upstreams.ts'
import { clashesOf, requireDecided } from './apply/clashes.ts'
import { ImportNotes, type Note, type Product } from './import-plan.ts'

export type { ImportCounts } from './apply/apply-step.ts'
export { clashesOf, clashesReport } from './apply/clashes.ts'

/** What an import did. */
export interface AppliedImport {
  readonly counts: ImportCounts
  readonly notes: readonly Note[]
  /** The number of the last change, which running gateways follow. */
  readonly seq: number
}

/** Products whose keys clients send in several forms. */
const HAVE_FORMS: readonly Product[] = ['new-api', 'one-api']

/**
 * Makes a plan true: what was not imported yet is made, and what changed there since is changed here. Each portion is one
 * transaction with the notes by which it is known again, so it may be cut short at any moment and run again. `author`: in whose
 * name the audit has it.
 */
export async function applyImport({
  author,
  ...options
}: Omit<ImportStep, 'notes' | 'counts' | 'trail'> & { readonly author: AuditAuthor }): Promise<AppliedImport> {
  const notes = new ImportNotes()
  const counts: ImportCounts = new Map()
  const { plan, source, nowMs } = options
  const trail = new ImportTrail({ author, nowMs }, { product: plan.product, source })
  const step: ImportStep = { ...options, notes, counts, trail }
  requireDecided(await clashesOf(step), step)
  if (HAVE_FORMS.includes(step.plan.product)) {
    await step.target.together(({ settings }) => settings.write(IMPORTED_KEYS, step.plan.product))
  }
  const groups = await applyGroups(step)
  const upstreams = await applyUpstreams(step)
  await applyModels(step, { groups, upstreams })
  if (step.plan.isWithoutPeople !== true) await applyPeople(step, groups)
  const seq = await step.target.together(async ({ imported, audit }) => {
    await trail.finish(audit, counts)
    return imported.announce()
  })
  return { counts, notes: notes.notes, seq }
}

async function applyPeople(step: ImportStep, groups: ReadonlyMap<string, string>): Promise<void> {
  const accounts = await applyAccounts(step, groups)
  await applyKeys(step, { groups, accounts })
  const plans = await applyPlans(step, groups)
  await applySubscriptions(step, { accounts, plans })
  await applyCodes(step, plans)
}
