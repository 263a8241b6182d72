import type { ModelView } from '../../../../../src/contract/models.ts'
import type { WrittenPrice } from '../../../../api/price-admin.ts'
import { TOKEN_KINDS, UNIT_KINDS } from '../../../../api/price-kinds.ts'
import { farMove } from '../far-move.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** Why a row is left out until it is ticked by hand. */
export type HoldReason = 'first' | 'zero' | 'far' | 'limit' | 'partial' | 'alias'

export interface AmountChange {
  /** A kind of price, or `context_tokens` and `max_output_tokens`. */
  readonly field: string
  readonly before: string | null
  readonly after: string
}

/** A model that is here with what a catalogue says of it. */
export interface ImportRow {
  readonly model: ModelView
  readonly entry: CatalogueEntry
  /** All of its price, with what the catalogue does not name as it is. */
  readonly price: WrittenPrice
  readonly limits: { readonly context_tokens?: number; readonly max_output_tokens?: number }
  readonly changes: readonly AmountChange[]
  /** Tiers, classes of service, regions or calls are others. */
  readonly hasOtherRules: boolean
  /** Empty: it can go with the others. */
  readonly held: readonly HoldReason[]
}

export interface Compared {
  readonly rows: readonly ImportRow[]
  /** Models whose price is the catalogue's already. */
  readonly same: number
  /** Models that several providers of the catalogue have at different prices. */
  readonly ambiguous: readonly string[]
  /** Models that the catalogue does not name. */
  readonly missing: readonly string[]
  /** Models whose price is locked, as far as it differs. */
  readonly locked: readonly string[]
  /** Models that come from the file. */
  readonly managed: readonly string[]
  /** Models that have the catalogue's price, of which a dearer part has no counterpart here. */
  readonly partial: readonly string[]
}

const KINDS = [...TOKEN_KINDS, ...UNIT_KINDS] as const
const NAMED_RULES = ['service_tiers', 'inference_geo', 'per_call'] as const
const RULES = ['tiers', ...NAMED_RULES] as const

export interface Comparison {
  /** Empty: whichever, where all of them say the same. */
  readonly provider: string
  /** Whether limits are compared as well: only some roles may change them. */
  readonly hasLimits: boolean
}

/**
 * The models that are here beside a catalogue. A name is matched as a whole, never by how it begins: the model's own, else the
 * one that all of its targets are asked by.
 */
export function comparePrices(
  models: readonly ModelView[],
  entries: readonly CatalogueEntry[],
  { provider, hasLimits }: Comparison,
): Compared {
  const byName = Map.groupBy(
    entries.filter((entry) => provider === '' || entry.provider === provider),
    ({ name }) => name,
  )
  const compared = {
    rows: [] as ImportRow[],
    same: [] as { readonly name: string; readonly isPartial: boolean }[],
    ambiguous: [] as string[],
    missing: [] as string[],
    locked: [] as string[],
    managed: [] as string[],
  }
  for (const model of models) {
    const found = byName.get(model.name) ?? byName.get(targetName(model)) ?? []
    const [entry, ...others] = found
    if (entry === undefined) compared.missing.push(model.name)
    else if (model.managed) compared.managed.push(model.name)
    else if (others.some((other) => !isSame(other.price, entry.price))) compared.ambiguous.push(model.name)
    else {
      const row = rowOf(model, entry, hasLimits)
      if (row === null) compared.same.push({ name: model.name, isPartial: isPartial(entry) })
      else if (model.price_locked) compared.locked.push(model.name)
      else compared.rows.push(row)
    }
  }
  const partial = compared.same.filter((each) => each.isPartial).map(({ name }) => name)
  return { ...compared, same: compared.same.length, partial }
}

/** Empty: it has no target, or they differ. */
function targetName({ targets = [] }: ModelView): string {
  const names = new Set(targets.map((target) => target.model))
  return names.size === 1 ? ([...names][0] ?? '') : ''
}

/** null: nothing would change. */
function rowOf(model: ModelView, entry: CatalogueEntry, hasLimits: boolean): ImportRow | null {
  const before = model.price
  const changes = KINDS.flatMap((field): AmountChange[] => {
    const [was, after] = [before?.[field] ?? null, entry.price[field] ?? null]
    return after === null || (was !== null && isSameAmount(was, after)) ? [] : [{ field, before: was, after }]
  })
  const limits = limitsOf(model, hasLimits ? entry : { contextTokens: null, maxOutputTokens: null })
  const rules = rulesOf(entry.price, before)
  const hasOtherRules = RULES.some((rule) => rules[rule] !== undefined && !isSame(rules[rule], before?.[rule]))
  if (changes.length === 0 && limits.changes.length === 0 && !hasOtherRules) return null
  return {
    model,
    entry,
    price: { ...keptOf(before), ...entry.price, ...rules },
    limits: limits.form,
    changes: [...changes, ...limits.changes],
    hasOtherRules,
    held: holdReasons({ model, entry, changes, isSmaller: limits.isSmaller }),
  }
}

/** The rules of the catalogue; classes of service, places and calls that it does not name stay as they are. */
function rulesOf(price: WrittenPrice, before: ModelView['price']): Pick<WrittenPrice, (typeof RULES)[number]> {
  const { tiers } = price
  return {
    ...(tiers === undefined ? {} : { tiers }),
    ...Object.fromEntries(
      NAMED_RULES.flatMap((rule) => (price[rule] === undefined ? [] : [[rule, { ...before?.[rule], ...price[rule] }]])),
    ),
  }
}

/** Whether the provider may charge more than the price says, for what has no counterpart here. */
function isPartial({ left }: Pick<CatalogueEntry, 'left'>): boolean {
  return left.some(({ isDearer }) => isDearer)
}

function limitsOf(model: ModelView, entry: Pick<CatalogueEntry, 'contextTokens' | 'maxOutputTokens'>) {
  const both = [
    ['context_tokens', entry.contextTokens] as const,
    ['max_output_tokens', entry.maxOutputTokens] as const,
  ].filter(([field, after]) => after !== null && after !== model[field])
  return {
    form: Object.fromEntries(both) as ImportRow['limits'],
    changes: both.map(([field, after]): AmountChange => {
      const was = model[field]
      return { field, before: was === null ? null : String(was), after: String(after) }
    }),
    isSmaller: both.some(([field, after]) => (model[field] ?? 0) > (after ?? 0)),
  }
}

function holdReasons(of: {
  readonly model: ModelView
  readonly entry: CatalogueEntry
  readonly changes: readonly AmountChange[]
  readonly isSmaller: boolean
}): readonly HoldReason[] {
  const { model, entry, changes, isSmaller } = of
  const moves = changes.flatMap(({ before, after }) => (before === null ? [] : [farMove(before, after)]))
  const reasons: Readonly<Record<HoldReason, boolean>> = {
    first: model.price === null,
    zero: moves.includes('zero'),
    far: moves.includes('far'),
    limit: isSmaller,
    partial: isPartial(entry),
    // What such a name means may have changed since.
    alias: entry.name !== model.name || /[-:]latest$/.test(model.name),
  }
  return (Object.keys(reasons) as HoldReason[]).filter((reason) => reasons[reason])
}

/** What stands in a price, in the form in which it is sent. */
function keptOf(price: ModelView['price']): WrittenPrice {
  if (price === null) return {}
  return Object.fromEntries(Object.entries(price).filter(([, value]) => value !== null))
}

function isSameAmount(one: string, other: string): boolean {
  return Number(one) === Number(other)
}

/** Whatever the order of fields, and however amounts are written; what is null is not there. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) return Number(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null && part !== undefined)
      .map(([name, part]) => [name, sorted(part)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
