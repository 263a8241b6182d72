import { partsPerMillion } from '../../core/money.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { PlannedGroup, PlannedModel } from '../import-plan.ts'
import { isSetColumn } from '../left-behind.ts'
import { dividedBy, minus, nearest, type Rational, rational, times, wholeOf } from '../rational.ts'
import { isSetValue } from '../set-values.ts'
import { entriesOf, jsonIn, type Row } from '../source.ts'
import type { Amounts } from '../written-amounts.ts'
import type { Sub2apiGroups } from './groups.ts'
import { plainAmounts, TOKEN_PRICES } from './prices.ts'

const ONE = rational(1n)

/**
 * The groups of a plan. Where the prices that a group has of its own are all the same multiple of those that its models have
 * here, that is part of its multiplier; else they are noted.
 */
export function withOwnPrices(
  groups: Sub2apiGroups,
  about: {
    readonly models: readonly PlannedModel[]
    readonly amounts: ReadonlyMap<string, Amounts>
    readonly notes: ImportNotes
  },
): readonly PlannedGroup[] {
  const factors = new Map<string, Rational>()
  for (const [id, row] of groups.rows) {
    if (!isSetColumn(row, 'model_pricing')) continue
    const names = groups.allOf(id)
    const served = about.models.filter(({ targets }) =>
      targets.some((target) => target.groups.some((name) => names.includes(name))),
    )
    const factor = factorOf(ownAmounts(row), served, about.amounts)
    if (factor === null) about.notes.note('groups', id, OTHER_PRICES)
    else for (const name of names) factors.set(name, factor)
  }
  return groups.groups.map((group) => {
    const factor = factors.get(group.name)
    return factor === undefined ? group : multiplied(group, factor, about.notes)
  })
}

const OTHER_PRICES =
  'have model_pricing, which is not carried: a price here is the same in all groups, times their multiplier, and these are different multiples of those'

function multiplied(group: PlannedGroup, factor: Rational, notes: ImportNotes): PlannedGroup {
  const exact = times(rational(group.multiplier), factor)
  if (wholeOf(exact) === null) notes.approximate('multiplier', group.name)
  return { ...group, multiplier: partsPerMillion(nearest(exact)) }
}

/** What stands in an entry of such prices beside those that are compared: of what they are, and nothing that is charged. */
const KNOWN = ['id', 'channel_id', 'platform', 'models', 'billing_mode', 'per_request_price', ...TOKEN_PRICES]

/** By model; a model whose price has more in it than can be compared has none. */
function ownAmounts(row: Row): ReadonlyMap<string, Amounts> {
  const entries = jsonIn(row, 'model_pricing')
  const own = new Map<string, Amounts>()
  for (const entry of Array.isArray(entries) ? entries.map(entriesOf) : []) {
    const isPlain = entry.every(([name, value]) => KNOWN.includes(name) || !isSetValue(value))
    const models = Object.fromEntries(entry)['models']
    const amounts = isPlain
      ? plainAmounts(Object.fromEntries(entry.map(([name, value]) => [name, textOf(value)])), false)
      : null
    for (const name of Array.isArray(models) ? models.map(String) : []) {
      if (amounts !== null && !own.has(name)) own.set(name, amounts)
    }
  }
  return own
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** By how much each of its models is dearer than here; null: not all of them by the same. */
function factorOf(
  own: ReadonlyMap<string, Amounts>,
  served: readonly Pick<PlannedModel, 'name'>[],
  amounts: ReadonlyMap<string, Amounts>,
): Rational | null {
  let factor: Rational | null = null
  for (const { name } of served) {
    const [there, here] = [own.get(name), amounts.get(name)]
    const found = there === undefined || here === undefined ? null : multipleOf(there, here)
    if (found === null || (factor !== null && !isSame(factor, found))) return null
    factor = found
  }
  return factor
}

/** null: some amounts are another multiple than others, or there on one side alone. */
function multipleOf(there: Amounts, here: Amounts): Rational | null {
  const dear = new Map(Object.entries(there))
  let multiple: Rational | null = null
  for (const [name, amount] of Object.entries(here)) {
    const own = dear.get(name)
    dear.delete(name)
    const isFree = amount.over === 0n
    if (own === undefined || isFree !== (own.over === 0n)) return null
    if (isFree) continue
    const found = dividedBy(own, amount)
    if (multiple !== null && !isSame(multiple, found)) return null
    multiple = found
  }
  return dear.size === 0 ? (multiple ?? ONE) : null
}

function isSame(a: Rational, b: Rational): boolean {
  return minus(a, b).over === 0n
}
