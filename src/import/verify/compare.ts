import { formatUsd, type NanoUsd, nanoUsd } from '../../core/money.ts'
import { minus, nearest, rational } from '../rational.ts'
import type { PlanHere } from './here.ts'
import { type SaidCharge, type SaidPrices, FIXED_USAGES } from './source-word.ts'

const NAMES_SHOWN = 20

/** What of two lists is in one alone, a sentence each. */
export function differingNames(there: ReadonlySet<string>, here: ReadonlySet<string>): readonly string[] {
  const lacking = [...there].filter((name) => !here.has(name)).sort()
  const added = [...here].filter((name) => !there.has(name)).sort()
  return [
    ...(lacking.length === 0 ? [] : [`there and not here: ${shownNames(lacking)}`]),
    ...(added.length === 0 ? [] : [`here and not there: ${shownNames(added)}`]),
  ]
}

export function shownNames(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** What a model costs there and here, where that is not the same. `isSaid`: the source says a price of it at all. */
export function differingPrice(
  { model, group }: { readonly model: string; readonly group: string },
  { here, said }: { readonly here: PlanHere; readonly said: SaidPrices },
): { readonly isSaid: boolean; readonly sentence: string | null } {
  let isSaid = false
  const parts = FIXED_USAGES.flatMap((usage) => {
    const charges = said.chargesOf(model, group, usage) ?? []
    if (charges.length > 0) isSaid = true
    const other = charges.flatMap((charge) => {
      const own = here.charge(model, usage, charge.isMultiplied ? group : null)
      return own === null || isNear(own, charge) ? [] : [partOf(usage.name, own, charge)]
    })
    return other.slice(0, 1)
  })
  return { isSaid, sentence: parts.length === 0 ? null : parts.join('; ') }
}

/** Each rounds once: the source to its unit, and this gateway up to one nano-USD. */
function isNear(own: NanoUsd, { nano, unit }: SaidCharge): boolean {
  const { over, under } = minus(rational(own), nano)
  return (over < 0n ? -over : over) <= (unit + 1n) * under
}

function partOf(name: string, own: NanoUsd, { nano, isMultiplied }: SaidCharge): string {
  const there = nanoUsd(nearest(nano))
  const apart = own - there
  const plain = isMultiplied ? '' : ', without a multiplier'
  return `${name} here $${formatUsd(own)}, there $${formatUsd(there)} (${apart > 0n ? '+' : '-'}$${formatUsd(nanoUsd(apart > 0n ? apart : -apart))}${plain})`
}
