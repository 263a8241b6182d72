import type { PricesView } from '../../../../src/contract/models.ts'
import type { WrittenPrice } from '../../../api/price-admin.ts'
import {
  CALL_KINDS,
  type CallKind,
  TOKEN_KINDS,
  type TokenKind,
  UNIT_KINDS,
  type UnitKind,
} from '../../../api/price-kinds.ts'
import { amountOf, countOf, factorOf, isEmptyOr } from '../../../forms/typed-numbers.ts'

type Amounts<Kind extends string> = { readonly [Each in Kind]: string }

/** Prices of long prompts. `above`: the length from which they hold. */
export interface TierForm {
  readonly above: string
  readonly amounts: Amounts<TokenKind>
}

/** A class of service or a place with a factor on every price of tokens. */
export interface FactorForm {
  readonly name: string
  readonly factor: string
}

/** What is written in the form of a price; empty: not set. */
export interface PriceForm {
  readonly amounts: Amounts<TokenKind | UnitKind>
  readonly tiers: readonly TierForm[]
  readonly services: readonly FactorForm[]
  readonly places: readonly FactorForm[]
  readonly calls: Amounts<CallKind>
  /** Classes of service with prices of their own, which this form keeps as they are. */
  readonly ownServices: NonNullable<PricesView['service_tiers']>
}

/** Offered for a class of service. */
export const SERVICE_NAMES = ['priority', 'fast', 'flex', 'batch'] as const

export const NEW_TIER: TierForm = { above: '', amounts: amountsOf(TOKEN_KINDS, {}) }

/** The form of a price as it is; null: there is none yet. */
export function toForm(price: PricesView | null): PriceForm {
  const services = Object.entries(price?.service_tiers ?? {})
  return {
    amounts: amountsOf([...TOKEN_KINDS, ...UNIT_KINDS], price ?? {}),
    tiers: (price?.tiers ?? []).map((tier) => ({
      above: String(tier.above_input_tokens),
      amounts: amountsOf(TOKEN_KINDS, tier),
    })),
    services: services.flatMap(([name, { factor }]) => (factor === undefined ? [] : [{ name, factor }])),
    places: Object.entries(price?.inference_geo ?? {}).map(([name, { factor }]) => ({ name, factor })),
    calls: amountsOf(CALL_KINDS, price?.per_call ?? {}),
    ownServices: Object.fromEntries(services.filter(([, { factor }]) => factor === undefined)),
  }
}

/** The price as the API takes it; null: nothing is written, and the model is not served. */
export function priceOf(form: PriceForm): WrittenPrice | null {
  const plain = written(form.amounts)
  const calls = written(form.calls)
  const services = { ...form.ownServices, ...factorsOf(form.services) }
  const places = factorsOf(form.places)
  const price = {
    ...plain,
    ...(form.tiers.length === 0 ? {} : { tiers: form.tiers.map(tierOf).sort(byLength) }),
    ...(Object.keys(services).length === 0 ? {} : { service_tiers: services }),
    ...(Object.keys(places).length === 0 ? {} : { inference_geo: places }),
    ...(Object.keys(calls).length === 0 ? {} : { per_call: calls }),
  }
  return Object.keys(price).length === 0 ? null : price
}

type PriceProblem = 'amountForm' | 'tierPrice' | 'lengthForm' | 'factorForm' | 'nameForm' | 'twice'

/** What every length has for itself. */
const OWN_IN_TIERS = ['input', 'output'] as const
const LENGTH = { least: 1, most: 999_999_999 } as const

/** What is wrong with the form, by fields named as the API names them; empty: nothing. */
export function validate(form: PriceForm): Readonly<Record<string, PriceProblem>> {
  const problems: Record<string, PriceProblem> = {}
  const checkAmounts = (at: string, amounts: Readonly<Record<string, string>>): void => {
    for (const [kind, text] of Object.entries(amounts)) {
      if (!isEmptyOr(amountOf, text)) problems[`${at}.${kind}`] = 'amountForm'
    }
  }
  const checkFactors = (at: 'services' | 'places', rows: readonly FactorForm[], taken: readonly string[]): void => {
    for (const [i, { name, factor }] of rows.entries()) {
      const names = [...taken, ...rows.slice(0, i).map((row) => row.name.trim())]
      if (name.trim() === '') problems[`${at}.${i}.name`] = 'nameForm'
      else if (names.includes(name.trim())) problems[`${at}.${i}.name`] = 'twice'
      if (factorOf(factor) === null) problems[`${at}.${i}.factor`] = 'factorForm'
    }
  }
  checkAmounts('price', form.amounts)
  for (const [i, { above, amounts }] of form.tiers.entries()) {
    const at = `price.tiers.${i}`
    if (countOf(above, LENGTH) === null) problems[`${at}.above_input_tokens`] = 'lengthForm'
    for (const kind of OWN_IN_TIERS) if (amounts[kind].trim() === '') problems[`${at}.${kind}`] = 'tierPrice'
    checkAmounts(at, amounts)
  }
  checkFactors('services', form.services, Object.keys(form.ownServices))
  checkFactors('places', form.places, [])
  checkAmounts('price.per_call', form.calls)
  return problems
}

function amountsOf<Kind extends string>(
  kinds: readonly Kind[],
  price: { readonly [Each in Kind]?: string | null | undefined },
): Amounts<Kind> {
  return Object.fromEntries(kinds.map((kind) => [kind, price[kind] ?? ''])) as Amounts<Kind>
}

function written(amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([kind, text]) =>
      // What cannot be read is a change too; it is refused before it is sent.
      text.trim() === '' ? [] : [[kind, amountOf(text) ?? text.trim()]],
    ),
  )
}

function tierOf({ above, amounts }: TierForm) {
  return { above_input_tokens: countOf(above, LENGTH) ?? 0, ...written(amounts) }
}

function byLength(
  one: { readonly above_input_tokens: number },
  other: { readonly above_input_tokens: number },
): number {
  return one.above_input_tokens - other.above_input_tokens
}

function factorsOf(rows: readonly FactorForm[]): Record<string, { factor: string }> {
  return Object.fromEntries(
    rows.map(({ name, factor }) => [name.trim(), { factor: factorOf(factor) ?? factor.trim() }]),
  )
}
