import type { PriceCalculation } from '../../../../../src/contract/price-calculation.ts'
import { LEFT_OUT_REASONS, type LeftOut } from '../../../../../src/price-lists/listed-price.ts'

/** A price as it is written here. */
export type CataloguePrice = PriceCalculation['price']

export const CATALOGUE_FORMS = ['litellm', 'models_dev', 'tollgate', 'shipped'] as const
export type CatalogueForm = (typeof CATALOGUE_FORMS)[number]

/** A model as a catalogue of prices has it. */
export interface CatalogueEntry {
  /** The provider as the catalogue names it; empty: it does not. */
  readonly provider: string
  /** The name without the provider in front of it. */
  readonly name: string
  /** What it names, and nothing else. */
  readonly price: CataloguePrice
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  /** Prices of the catalogue that have no counterpart here. */
  readonly left: readonly LeftOut[]
}

/** What a catalogue says of models. */
export interface CatalogueEntries {
  /** The entries with a price that can be read. */
  readonly entries: readonly CatalogueEntry[]
  /** The others. */
  readonly unpriced: readonly CatalogueEntry[]
}

export interface Catalogue extends CatalogueEntries {
  readonly form: CatalogueForm
  /** The host that was asked for it, or the day of which its prices are; left out: neither is known. */
  readonly from?: string
}

/** The source of an import's prices as the audit names it. */
export function importSource({ form, from }: Pick<Catalogue, 'form' | 'from'>): string {
  return [form, ...(from === undefined ? [] : [from])].join(' ').slice(0, SOURCE_MOST)
}

/** Reads such a source: the form where it is known here, and what stands after it. */
export function readImportSource(source: string): { readonly form: CatalogueForm | null; readonly rest: string } {
  const [first = '', ...rest] = source.split(' ')
  const form = CATALOGUE_FORMS.find((each) => each === first) ?? null
  return { form, rest: form === null ? source : rest.join(' ') }
}

/** The longest source that the server takes. */
const SOURCE_MOST = 100

export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A price that a catalogue has as a number of USD, for so many: exact to a nanodollar. null: it is none. */
export function amountOf(value: unknown, of: number): string | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return null
  // Floats of catalogues are right to some fifteen digits; what comes behind is none of their makers'.
  const text = Number((number * of).toPrecision(12)).toFixed(9)
  return text.replace(/\.?0+$/, '')
}

/** The amounts that are there, by our names; `names` are the catalogue's for each of ours. */
export function amountsIn<Name extends string>(
  fields: Fields,
  names: { readonly [Ours in Name]: string },
  of: number,
): { readonly [Ours in Name]?: string } {
  const found: { [Ours in Name]?: string } = {}
  for (const [ours, theirs] of Object.entries(names) as [Name, string][]) {
    const amount = amountOf(fields[theirs], of)
    if (amount !== null) found[ours] = amount
  }
  return found
}

export function countOf(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : null
}

/** Prices of a catalogue that are left out for one reason. */
interface LeftOutFor {
  readonly because: LeftOut['because']
  /** The count over all models together. */
  readonly count: number
  /** Each once, those of the most models first. */
  readonly fields: readonly string[]
}

/** What of a catalogue is not imported, by the reason: what may cost an admin money first. */
export function leftOutOf({ entries, unpriced }: CatalogueEntries): readonly LeftOutFor[] {
  return byReason([...entries, ...unpriced].flatMap((entry) => entry.left))
}

/** Gathers what was left out of some prices by its reason. */
export function byReason(left: readonly LeftOut[]): readonly LeftOutFor[] {
  return LEFT_OUT_REASONS.flatMap((because): LeftOutFor[] => {
    const own = left.filter((each) => each.because === because)
    const counts = Map.groupBy(own, ({ field }) => field)
    const fields = [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([field]) => field)
    return own.length === 0 ? [] : [{ because, count: own.length, fields }]
  })
}
