import type { PricesView } from '../../../src/contract/models.ts'
import { CALL_KINDS, type CallKind, TOKEN_KINDS, UNIT_KINDS } from '../../api/price-kinds.ts'

/** The fields of a price that are one amount. */
export type PriceKind = Exclude<keyof PricesView, 'tiers' | 'service_tiers' | 'inference_geo' | 'per_call'>

/** Rows of a table of prices that belong together, with what they have in common. */
export interface PriceSection {
  readonly about: SectionAbout
  readonly rows: readonly PriceRow[]
}

export type SectionAbout =
  | { readonly kind: 'plain' }
  | { readonly kind: 'length'; readonly aboveTokens: number }
  | { readonly kind: 'service'; readonly name: string; readonly aboveTokens: number | null }
  | { readonly kind: 'factors' }
  | { readonly kind: 'calls' }

/** A row: what it is of, and one cell for each column. */
export interface PriceRow {
  readonly of:
    | { readonly kind: 'price'; readonly price: PriceKind }
    | { readonly kind: 'call'; readonly call: CallKind }
    | { readonly kind: 'service' | 'place'; readonly name: string }
  readonly cells: readonly PriceCell[]
}

/** An amount in USD, a factor on the prices above, or nothing. */
export type PriceCell = { readonly usd: string } | { readonly factor: string } | null

type Columns = readonly (PricesView | null)[]
type PriceColumn = { readonly [Kind in PriceKind]?: string | null | undefined }

/** All that a model costs, section by section; each column is one group's prices, and all have the same rules. */
export function priceSections(columns: Columns): readonly PriceSection[] {
  const rules = columns.find((price) => price !== null)
  if (rules === undefined || rules === null) return []
  const sections: PriceSection[] = [
    { about: { kind: 'plain' }, rows: rowsOf([...TOKEN_KINDS, ...UNIT_KINDS], columns) },
    ...(rules.tiers ?? []).map((tier, i): PriceSection => {
      return {
        about: { kind: 'length', aboveTokens: tier.above_input_tokens },
        rows: rowsOf(
          TOKEN_KINDS,
          columns.map((price) => price?.tiers?.[i] ?? null),
        ),
      }
    }),
    ...Object.keys(rules.service_tiers ?? {}).flatMap((name) => serviceSections(name, columns)),
    { about: { kind: 'factors' }, rows: factorRows(rules, columns) },
    { about: { kind: 'calls' }, rows: callRows(columns) },
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

/** The first length from which a longer prompt costs more; null: none. */
export function firstTier(price: PricesView): NonNullable<PricesView['tiers']>[number] | null {
  return price.tiers?.[0] ?? null
}

function rowsOf(kinds: readonly PriceKind[], columns: readonly (PriceColumn | null)[]): readonly PriceRow[] {
  return kinds.flatMap((kind) => {
    const cells = columns.map((price) => cellOf(price?.[kind]))
    return cells.every((cell) => cell === null) ? [] : [{ of: { kind: 'price', price: kind }, cells }]
  })
}

/** Own prices of a class of service; one that is a factor stands among the factors. */
function serviceSections(name: string, columns: Columns): readonly PriceSection[] {
  const services = columns.map((price) => price?.service_tiers?.[name] ?? null)
  const one = services.find((service) => service !== null)
  if (one === undefined || one === null || one.factor !== undefined) return []
  return [
    { about: { kind: 'service', name, aboveTokens: null }, rows: rowsOf(TOKEN_KINDS, services) },
    ...(one.tiers ?? []).map((tier, i): PriceSection => {
      return {
        about: { kind: 'service', name, aboveTokens: tier.above_input_tokens },
        rows: rowsOf(
          TOKEN_KINDS,
          services.map((service) => service?.tiers?.[i] ?? null),
        ),
      }
    }),
  ]
}

function factorRows(rules: PricesView, columns: Columns): readonly PriceRow[] {
  const services = Object.entries(rules.service_tiers ?? {}).flatMap(([name, { factor }]): PriceRow[] =>
    factor === undefined ? [] : [{ of: { kind: 'service', name }, cells: columns.map(() => ({ factor })) }],
  )
  const places = Object.entries(rules.inference_geo ?? {}).map(([name, { factor }]): PriceRow => {
    return { of: { kind: 'place', name }, cells: columns.map(() => ({ factor })) }
  })
  return [...services, ...places]
}

function callRows(columns: Columns): readonly PriceRow[] {
  return CALL_KINDS.flatMap((call) => {
    const cells = columns.map((price) => cellOf(price?.per_call?.[call]))
    return cells.every((cell) => cell === null) ? [] : [{ of: { kind: 'call', call }, cells }]
  })
}

function cellOf(usd: string | null | undefined): PriceCell {
  return usd == null ? null : { usd }
}
