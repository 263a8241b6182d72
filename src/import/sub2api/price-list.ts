import { CALL_KINDS } from '../../core/calls.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { ModelPrices, TierPrices } from '../../core/price-rules.ts'
import { UNITS_PER_PRICE } from '../../core/units.ts'
import type { ImportSettings, ListPrices } from '../import-plan.ts'
import { type Rational, rational, readRational, times, NOTHING, ONE, NANO_OF_MILLION } from '../rational.ts'
import { entriesOf, ImportRefusal } from '../source.ts'
import type { ExactAmounts, CallAmounts, WrittenTierAmounts } from '../written-amounts.ts'

/** A dearer price of the whole request where its input is longer than `above`. */
export interface LongContext {
  readonly above: number
  readonly input: Rational
  readonly output: Rational
}

/** What a model costs by a list, in nano-USD of a million tokens. */
export interface ListedCost {
  readonly amounts: ExactAmounts
  /** Prices of the class `priority`, of kinds that have one of their own in it. */
  readonly priority: ExactAmounts
  readonly long: LongContext | null
  readonly tiers: readonly WrittenTierAmounts[]
  readonly calls: CallAmounts
}

/** The prices of models that no channel has. */
export interface Sub2apiList {
  /**
   * `own`: the list of the source, which says all that it charges; `catalogue`: the one that is shipped here stands for it; null:
   * neither was given.
   */
  readonly kind: 'own' | 'catalogue' | null
  costOf(name: string): ListedCost | null
  /** Whether the list of the source is likely to have it, as the one that is shipped here does. */
  isUsual(name: string): boolean
  /** What it lists of the maker of a platform, in the order of the list. */
  namesFor(platform: string): readonly string[]
}

/** Throws ImportRefusal where `--pricing` names something else than such a list. */
export function listFrom({ pricing, catalogue = null, accepted }: ImportSettings): Sub2apiList {
  const isUsual = (name: string) => catalogue !== null && catalogue.priceOf(name) !== null
  if (pricing !== null && pricing !== undefined) return { kind: 'own', ...ownList(pricing), isUsual }
  if (catalogue === null || !accepted.has('catalogue')) {
    return { kind: null, costOf: () => null, isUsual, namesFor: () => [] }
  }
  return { kind: 'catalogue', costOf: (name) => costIn(catalogue, name), isUsual, namesFor: () => [] }
}

const PRICED = ['input_cost_per_token', 'output_cost_per_token']
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  openai: ['openai'],
  anthropic: ['anthropic'],
  gemini: ['gemini'],
  grok: ['xai'],
  kimi: ['moonshot'],
  zhipu: ['zai'],
  deepseek: ['deepseek'],
}
const OF_CHATS = ['chat', 'responses', 'completion', 'embedding']

function ownList(pricing: unknown): Pick<Sub2apiList, 'costOf' | 'namesFor'> {
  const entries = new Map(
    entriesOf(pricing).flatMap(([name, entry]) => {
      const fields = new Map(entriesOf(entry))
      return name !== 'sample_spec' && PRICED.some((field) => typeof fields.get(field) === 'number')
        ? [[name, fields] as const]
        : []
    }),
  )
  if (entries.size === 0) {
    throw new ImportRefusal(
      '--pricing names no list in the form of LiteLLM’s: name the model_prices_and_context_window.json of sub2api (its setting pricing.fallback_file).',
    )
  }
  const byBase = Map.groupBy(entries.keys(), (name) => baseName(name.toLowerCase()))
  return {
    costOf(name) {
      const found = lookedUp(name, { entries, byBase })
      return found === null ? null : listedCost(name, found)
    },
    namesFor: (platform) =>
      [...entries].flatMap(([name, fields]) =>
        MAKERS[platform]?.includes(said(fields, 'litellm_provider')) === true &&
        OF_CHATS.includes(said(fields, 'mode') || 'chat') &&
        !name.includes('/')
          ? [name]
          : [],
      ),
  }
}

type ListFields = ReadonlyMap<string, unknown>

/**
 * Looks a name up as the source does: as it is written, without what stands before it, without a date. What it makes of a name
 * that it does not find so, by the family that the name looks like, is a guess, and not made here.
 */
function lookedUp(
  name: string,
  {
    entries,
    byBase,
  }: { entries: ReadonlyMap<string, ListFields>; byBase: ReadonlyMap<string | undefined, readonly string[]> },
): ListFields | null {
  const small = name.trim().toLowerCase()
  const forms = [small.replace(/^\/{0,8}(?:models\/|publishers\/google\/models\/)?/, ''), small, lastPart(small)]
  for (const form of [...forms, ...forms.map((each) => each.replaceAll('-4-5-', '-4.5-'))]) {
    const exact = entries.get(form)
    if (exact !== undefined) return exact
  }
  const near = (byBase.get(baseName(forms[0] ?? small)) ?? []).map((each) => entries.get(each))
  const [first, ...others] = near
  // Of several it takes any.
  const isSure =
    first !== undefined && others.every((other) => PRICED.every((field) => other?.get(field) === first.get(field)))
  return isSure ? first : null
}

/** A text or number of an entry, as it is written; empty: there is none. */
function said(fields: ListFields, field: string): string {
  const value = fields.get(field)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The name without dates and versions. */
function baseName(name: string): string {
  return name
    .split('-')
    .filter((part) => !/^\d{8}$/.test(part) && !part.includes(':'))
    .join('-')
}

/** Models of which a longer input costs more and, of some, writing the cache a quarter more than input, whatever a list says of it. */
const LADDER = /^gpt-5\.(?:4|5|5-pro)(?:-\d{4}-\d\d-\d\d)?$/
const WITH_CACHE_WRITES = /^gpt-5\.6(?:-|$)/
const LONG: LongContext = { above: 272_000, input: rational(2n), output: rational(3n, 2n) }

/** The ladder that is built into the source for some names, where a list or channel has none. */
export function builtInLong(name: string): LongContext | null {
  const small = lastPart(name.trim().toLowerCase())
  return LADDER.test(small) || WITH_CACHE_WRITES.test(small) ? LONG : null
}

/** What writing the cache costs of input for some names, where nothing else says so. */
export function builtInCacheWrite(name: string): Rational | null {
  return WITH_CACHE_WRITES.test(lastPart(name.trim().toLowerCase())) ? rational(5n, 4n) : null
}

function listedCost(name: string, fields: ListFields): ListedCost {
  const usd = (field: string) => readRational(said(fields, field))
  const nano = (field: string) => times(usd(field) ?? NOTHING, NANO_OF_MILLION)
  const [write, hour] = [nano('cache_creation_input_token_cost'), nano('cache_creation_input_token_cost_above_1hr')]
  const pictures = nano('input_cost_per_image_token')
  const above = Number(fields.get('long_context_input_token_threshold') ?? 0)
  const builtIn = builtInLong(name)
  const isLong = Number.isSafeInteger(above) && above > 0
  return {
    amounts: {
      input: nano('input_cost_per_token'),
      output: nano('output_cost_per_token'),
      cache_read: nano('cache_read_input_token_cost'),
      cache_write: write,
      ...(isMore(hour, write) ? { cache_write_1h: hour } : {}),
      ...(pictures.over > 0n ? { image_input: pictures } : {}),
    },
    priority: Object.fromEntries(
      Object.entries(PRIORITY).flatMap(([field, kind]) => (nano(field).over > 0n ? [[kind, nano(field)]] : [])),
    ),
    long: isLong
      ? {
          above,
          input: aboveZero(usd('long_context_input_cost_multiplier')) ?? builtIn?.input ?? ONE,
          output: aboveZero(usd('long_context_output_cost_multiplier')) ?? builtIn?.output ?? ONE,
        }
      : builtIn,
    tiers: [],
    calls: {},
  }
}

const PRIORITY = {
  input_cost_per_token_priority: 'input',
  output_cost_per_token_priority: 'output',
  cache_creation_input_token_cost_priority: 'cache_write',
  cache_read_input_token_cost_priority: 'cache_read',
} as const

function aboveZero(amount: Rational | null): Rational | null {
  return amount !== null && amount.over > 0n ? amount : null
}

function isMore(a: Rational, b: Rational): boolean {
  return a.over * b.under > b.over * a.under
}

function costIn(catalogue: ListPrices, name: string): ListedCost | null {
  const prices = catalogue.priceOf(name)
  if (prices === null) return null
  const tiers = prices.rules?.lengthTiers ?? []
  return {
    amounts: { ...amountsOf(prices), ...unitAmounts(prices) },
    priority: {},
    long: null,
    tiers: tiers.map((tier) => ({ above: tier.aboveInputTokens, amounts: amountsOf(tier.prices) })),
    calls: Object.fromEntries(
      CALL_KINDS.flatMap((kind) => {
        const price = prices.calls?.[kind]
        return price === undefined ? [] : [[kind, ofOne(price)]]
      }),
    ),
  }
}

function amountsOf({ input, output, cacheRead, cacheWrite, cacheWrite1h, other }: TierPrices): ExactAmounts {
  return set({
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    cache_write_1h: cacheWrite1h,
    reasoning_output: other?.reasoningOutput,
    audio_input: other?.audioInput,
    image_input: other?.imageInput,
    audio_output: other?.audioOutput,
  })
}

function unitAmounts({ units }: ModelPrices): ExactAmounts {
  const { request = null, image = null, second = null, character } = units ?? {}
  const ones = { per_request: request, per_image: image, per_second: second }
  return {
    ...set({ per_million_characters: character }),
    ...Object.fromEntries(
      Object.entries(ones).flatMap(([name, price]) => (price === null ? [] : [[name, ofOne(price)]])),
    ),
  }
}

function ofOne(price: NanoUsd): Rational {
  return rational(price, UNITS_PER_PRICE)
}

function set(prices: Readonly<Record<string, NanoUsd | null | undefined>>): ExactAmounts {
  return Object.fromEntries(
    Object.entries(prices).flatMap(([name, price]) => (price == null ? [] : [[name, rational(price)]])),
  )
}
