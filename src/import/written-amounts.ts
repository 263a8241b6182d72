import { mustBe } from '../core/must-be.ts'
import { CALL_KINDS, type CallKind } from '../core/calls.ts'
import { type NanoUsd, nanoUsd, parseMultiplier, type PartsPerMillion } from '../core/money.ts'
import type { ModelPrices } from '../core/price-rules.ts'
import { priceOfMillion } from '../core/prices.ts'
import { modelPricesOf, objectionToWritten, type WrittenPrices } from '../metering/prices/written-prices.ts'
import type { ImportNotes, ImportSettings } from './import-plan.ts'
import { nearest, type Rational, wholeOf } from './rational.ts'

/** Exact amounts in nano-USD: of a million tokens, or of one request or image. */
export type ExactAmounts = {
  readonly [Name in Exclude<keyof WrittenPrices, 'tiers' | 'service_tiers' | 'inference_geo' | 'per_call'>]?: Rational
}

export type CallAmounts = { readonly [Kind in CallKind]?: Rational }

/** Prices of prompts longer than `above`. */
export interface WrittenTierAmounts {
  readonly above: number
  readonly amounts: ExactAmounts
}

type WrittenServiceAmounts =
  | { readonly factor: number }
  | { readonly amounts: ExactAmounts; readonly tiers: readonly WrittenTierAmounts[] }

/** What else than the length of the prompt changes prices, and fees for calls. */
interface RuleAmounts {
  readonly services?: Readonly<Record<string, WrittenServiceAmounts>>
  /** Factors by place. */
  readonly places?: Readonly<Record<string, number>>
  readonly calls?: CallAmounts
}

/** Makes prices of exact amounts, and notes those that are none here. */
export class WrittenAmounts {
  readonly #name: string
  readonly #about: { readonly settings: ImportSettings; readonly notes: ImportNotes }

  constructor(name: string, about: { settings: ImportSettings; notes: ImportNotes }) {
    this.#name = name
    this.#about = about
  }

  /** `amounts`: in nano-USD, of a million tokens or of one request or image. `tiers`: by length. */
  prices(
    amounts: ExactAmounts,
    tiers: readonly WrittenTierAmounts[] = [],
    { services = {}, places = {}, calls = {} }: RuleAmounts = {},
  ): ModelPrices | null {
    const { settings, notes } = this.#about
    const own = Object.values(services).flatMap((service) => ('factor' in service ? [] : [service]))
    const lengths = [...tiers, ...own.flatMap((service) => service.tiers)].map((tier) => tier.amounts)
    const all = [amounts, calls, ...lengths, ...own.map((service) => service.amounts)].flatMap((each) =>
      Object.values(each),
    )
    const refused = (why: string) => {
      notes.note('models', this.#name, why)
      return null
    }
    if (all.some(({ over }) => over < 0n)) return refused('have a price below zero, which cannot be charged')
    if (all.some((amount) => wholeOf(amount) === null) && !settings.accepted.has('price'))
      return refused('have a price finer than one nano-USD per million tokens: --accept price rounds it')
    const written = {
      ...rounded(amounts),
      tiers: tiers.map(writtenTier),
      service_tiers: mapped(services, (service) =>
        'factor' in service
          ? { factor: factorOf(service.factor) }
          : { ...rounded(service.amounts), tiers: service.tiers.map(writtenTier) },
      ),
      inference_geo: mapped(places, (factor) => ({ factor: factorOf(factor) })),
      per_call: rounded(calls),
    }
    const objection = objectionToWritten(written)
    if (objection === null) return modelPricesOf(written)
    const { path, takes } = objection
    return refused(`have a price that cannot be charged (${path.join('.')} ${mustBe(takes)})`)
  }
}

function writtenTier({ above, amounts }: WrittenTierAmounts) {
  return { above_input_tokens: above, ...rounded(amounts) }
}

function factorOf(factor: number): PartsPerMillion {
  return parseMultiplier(String(factor))
}

function mapped<From, To>(
  all: Readonly<Record<string, From>>,
  write: (each: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, write(each)]))
}

const OF_ONE: readonly string[] = ['per_request', 'per_image', 'per_second', ...CALL_KINDS]

function rounded(amounts: ExactAmounts | CallAmounts): Readonly<Record<string, NanoUsd | null>> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const nano = nanoUsd(nearest(amount))
      return [name, OF_ONE.includes(name) ? priceOfMillion(nano) : nano]
    }),
  )
}
