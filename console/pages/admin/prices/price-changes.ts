import type { AuditEntryView } from '../../../../src/contract/administration.ts'
import type { PricesView } from '../../../../src/contract/models.ts'
import { TOKEN_KINDS, type TokenKind, UNIT_KINDS, type UnitKind } from '../../../api/price-kinds.ts'

/** A change of a price, as the audit has it. */
interface PriceChange {
  readonly entry: AuditEntryView
  readonly amounts: readonly {
    readonly kind: TokenKind | UnitKind
    readonly before: string | null
    readonly after: string | null
  }[]
  /** Also the prices of long prompts, of classes of service, of places or calls. */
  readonly hasOtherRules: boolean
  /** All of the price from before it, as the API writes prices; null: there was none. */
  readonly before: PricesView | null
}

const RULES = ['tiers', 'service_tiers', 'inference_geo', 'per_call']

/** The entries that changed the price, in their order, with the amounts that are others. */
export function priceChanges(entries: readonly AuditEntryView[]): readonly PriceChange[] {
  return entries.flatMap((entry) => {
    const { price } = entry.changes
    if (price === undefined) return []
    const before = fieldsOf(price.before)
    // The server wrote it, in the one form that prices have.
    const whole = Object.keys(before).length === 0 ? null : (before as unknown as PricesView)
    return [{ entry, ...priceDifference(price.before, price.after), before: whole }]
  })
}

/** The amounts in which two prices differ, as the API writes prices. */
export function priceDifference(was: unknown, is: unknown): Pick<PriceChange, 'amounts' | 'hasOtherRules'> {
  const [before, after] = [fieldsOf(was), fieldsOf(is)]
  const amounts = [...TOKEN_KINDS, ...UNIT_KINDS].flatMap((kind) => {
    const [old, now] = [textOf(before[kind]), textOf(after[kind])]
    return old === now ? [] : [{ kind, before: old, after: now }]
  })
  const hasOtherRules = RULES.some((rule) => JSON.stringify(before[rule]) !== JSON.stringify(after[rule]))
  return { amounts, hasOtherRules }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
