import type { ModelPrices } from '../core/price-rules.ts'
import type { Acceptable } from './import-plan.ts'

/** What the person who imports decides. */
export interface ImportSettings {
  readonly accepted: ReadonlySet<Acceptable>
  /** What becomes of balances below zero; null: they are refused. */
  readonly negative: 'keep' | 'zero' | null
  /** Whether admins of the source, whom the report names, are admins here. */
  readonly admins: 'keep' | 'none'
  /** The answer of `GET /api/pricing` of the running source; null: what its database has. */
  readonly pricing: unknown
  /** The price list that is shipped; null or absent: there is none. */
  readonly catalogue?: ListPrices | null
  /** The issuer of the OIDC provider that people sign in by here; null: none is set. */
  readonly oidcIssuer: string | null
  readonly nowMs: number
}

/** What providers ask for models. */
export interface ListPrices {
  /** The owner of the list, and its day. */
  readonly named: string
  /** The price at the provider that is named, where the list has it there; else of its maker. null: it has none of that name, or several. */
  priceOf(name: string, provider?: string): ModelPrices | null
  /** The names of a provider's models, by the list’s name of it; absent: the list is not asked for names. */
  namesOf?(provider: string): readonly string[]
}
