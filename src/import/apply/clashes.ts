import { formatMultiplier } from '../../core/money.ts'
import { shownText } from '../../core/shown-text.ts'
import type { ImportedObject } from '../import-store.ts'
import { reportOf } from '../report.ts'
import { ImportRefusal } from '../source.ts'
import { differs } from './apply-groups.ts'
import { type ImportStep, importedBefore } from './apply-step.ts'
import { sourceIdOf, storedSecret } from './apply-keys.ts'

/** What of a plan is here already and was not imported from this source: to be looked at before anything is written. */
interface Clashes {
  /** Addresses that accounts here have. */
  readonly emails: readonly string[]
  /** Groups that are here in other terms, and that keys are in. */
  readonly groups: readonly string[]
  /** Rows of keys whose secret a key here has. */
  readonly keys: readonly string[]
  readonly models: readonly string[]
  /** The name under which most of the same users and keys were imported before; null: they were not. */
  readonly standingAs: string | null
  /** The name of this import is another installation's, whose rows have the same ids. */
  readonly isTaken: boolean
}

export async function clashesOf(
  step: Pick<ImportStep, 'plan' | 'source' | 'target' | 'hashSecret' | 'hashState'>,
): Promise<Clashes> {
  const { plan, target } = step
  const before = {
    account: await importedBefore(step, 'account'),
    group: await importedBefore(step, 'group'),
    key: await importedBefore(step, 'key'),
    model: await importedBefore(step, 'model'),
  }
  return target.together(async ({ accounts, catalog, groups, keys, imported }) => {
    const emails: string[] = []
    for (const { id, email } of plan.accounts) {
      if (!before.account.has(id) && (await accounts.findByEmail(email)) !== null) emails.push(email)
    }
    const taken = new Map<string, { readonly id: string; readonly keyId: string }>()
    for (const planned of plan.keys) {
      const row = sourceIdOf(step, planned)
      const { hash, brought } = storedSecret(step, planned)
      const there = before.key.has(row) ? null : await keys.findByHash(hash, brought)
      if (there !== null) taken.set(row, { id: planned.id, keyId: there.key.id })
    }
    let standingAs: string | null = null
    for (const source of taken.size === 0 ? [] : await imported.sources('key')) {
      const own = await imported.all(source, 'key')
      const people = await imported.all(source, 'account')
      const sameKeys = [...taken].filter(([row, { keyId }]) => own.get(row)?.objectId === keyId)
      const samePeople = plan.accounts.filter(({ id, madeOf }) => people.get(id)?.state['madeOf'] === madeOf)
      const isSame = sameKeys.length * 2 > plan.keys.length && samePeople.length * 2 > plan.accounts.length
      if (isSame) standingAs ??= source
    }
    const counts = await groups.keyCounts()
    const here = new Map((await groups.groups()).map((group) => [group.name, group]))
    const others = plan.groups.flatMap((planned) => {
      const there = here.get(planned.name)
      const { keys: inIt = 0, fallbackKeys = 0 } = counts.get(there?.id ?? '') ?? {}
      const isSame = there === undefined || there.isManaged || planned.isOnlyAPlace || !differs(there, planned)
      if (isSame || before.group.has(planned.name) || inIt + fallbackKeys === 0) return []
      const terms = ({ multiplier, isOpen }: Pick<typeof there, 'multiplier' | 'isOpen'>) =>
        `×${formatMultiplier(multiplier)}, ${isOpen ? 'open' : 'closed'}`
      return [`${planned.name}: ${terms(there)} here with ${inIt + fallbackKeys} keys, ${terms(planned)} there`]
    })
    const names = new Set((await catalog.models()).map(({ name }) => name))
    const models = plan.models.flatMap(({ name }) => (names.has(name) && !before.model.has(name) ? [name] : []))
    const isTaken = isOtherInstallation(plan, before.account)
    return { emails, groups: others, keys: [...taken.values()].map(({ id }) => id), models, standingAs, isTaken }
  })
}

/**
 * Other gateways do not always check that an email address is its user's. A key that came with such an address would spend what
 * the account here has, so accounts are joined only where that was decided; and keys here are charged otherwise only then.
 */
export function requireDecided(
  { emails, groups, standingAs, isTaken }: Clashes,
  { accepted, plan, source }: Pick<ImportStep, 'accepted' | 'plan' | 'source'>,
): void {
  if (isTaken) throw new ImportRefusal(takenSentence(plan, source))
  if (standingAs !== null) throw new ImportRefusal(`${standingSentence(standingAs)} Nothing was imported.`)
  if (emails.length > 0 && !accepted.has('same-email')) {
    throw new ImportRefusal(
      `${emails.length} of the email addresses there ${emails.length === 1 ? 'is an account’s' : 'are accounts’'} here already (${some(emails)}), and nothing says that they are the same people: --accept same-email adds their balances and keys to the accounts here, or change the addresses first.`,
    )
  }
  if (groups.length > 0 && !accepted.has('same-group')) {
    throw new ImportRefusal(
      `${groups.length === 1 ? 'A group is' : `${groups.length} groups are`} here already in other terms (${some(groups)}): --accept same-group gives those of there to the keys here too, or rename the groups here first.`,
    )
  }
}

/** What a dry run says of them; empty where there are none. */
export function clashesReport(
  { emails, groups, keys, models, standingAs, isTaken }: Clashes,
  { plan, source }: Pick<ImportStep, 'plan' | 'source'>,
): string {
  const lines = [
    ...(isTaken ? [`  all of it: ${takenSentence(plan, source)}`] : []),
    ...(standingAs === null ? [] : [`  all of it: ${standingSentence(standingAs)}`]),
    ...emails.map((email) => `  account ${email}: is here, and is joined only with --accept same-email`),
    ...groups.map((group) => `  group ${group}: only with --accept same-group`),
    ...keys.map((id) => `  key ${id}: is here already, and is not imported`),
    ...models.map((name) => `  model ${name}: is here already, and stays as it is`),
  ]
  return lines.length === 0 ? '' : reportOf(['Here already:', ...lines])
}

/** A second time under another name, all balances would be here twice. */
function standingSentence(source: string): string {
  return `The same source was imported as ${JSON.stringify(source)} before: give it that name with --as, and what changed since comes over.`
}

/** Rows of two installations have the same ids: what one of them left must not be taken for the other's. */
function isOtherInstallation({ accounts }: ImportStep['plan'], before: ReadonlyMap<string, ImportedObject>): boolean {
  const common = accounts.filter(({ id }) => before.has(id))
  const others = common.filter(({ id, madeOf }) => before.get(id)?.state['madeOf'] !== madeOf)
  return others.length * 2 > common.length
}

function takenSentence({ product }: ImportStep['plan'], source: string): string {
  return `Another ${product} was imported as ${JSON.stringify(source)} before: give this one a name of its own with --as NAME.`
}

const SHOWN = 3

function some(all: readonly string[]): string {
  return `${all.slice(0, SHOWN).map(shownText).join('; ')}${all.length > SHOWN ? '; …' : ''}`
}
