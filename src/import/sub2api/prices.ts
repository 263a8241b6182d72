import type { ImportNotes } from '../import-plan.ts'
import { type Rational, rational, times, dividedBy, NANO, NOTHING, ONE, NANO_OF_MILLION, isSame } from '../rational.ts'
import { isSetValue } from '../set-values.ts'
import { decimalIn, entriesOf, integerIn, jsonIn, type Row, textIn } from '../source.ts'
import type { ExactAmounts, CallAmounts, WrittenTierAmounts } from '../written-amounts.ts'
import { type PriceCard, TOKEN_COLUMNS } from './channel-tables.ts'
import { platformOf } from './platforms.ts'
import { builtInCacheWrite, builtInLong, type ListedCost, type Sub2apiList } from './price-list.ts'
import { ONE_PPM } from '../../core/money.ts'

const BY_TOKENS = ['', 'token']
const BY_REQUEST = ['per_request', 'image']

/** What a group is charged for a model there, before its multiplier, in nano-USD. */
export interface SourcePrice {
  readonly amounts: ExactAmounts
  /** Tiers of longer requests, which are charged at them as a whole. */
  readonly tiers: readonly WrittenTierAmounts[]
  readonly services: Readonly<Record<string, ServiceAmounts>>
  readonly calls: CallAmounts
}

export interface PriceAbout {
  readonly list: Sub2apiList
  readonly notes: ImportNotes
}

/** What is asked for: a model under the name by which it is charged. */
export interface PriceAsked {
  readonly name: string
  readonly platform: string
  /** The group is charged by length, where a price is by length. */
  readonly isLong: boolean
}

/** The price of a card, with the list's for what it leaves out; null: it is none that can be carried, which is noted. */
export function priceOfCard(card: PriceCard, asked: PriceAsked, about: PriceAbout): SourcePrice | null {
  const mode = textIn(card.row, 'billing_mode')
  // Of a group's own prices it does not count there.
  if (card.id !== null && hasHours(card.row))
    note(
      about,
      asked.name,
      'are dearer or cheaper at some hours there (time_pricing), and cost the same at all hours here',
    )
  if (BY_TOKENS.includes(mode)) return ofTokens(card, asked, about)
  if (BY_REQUEST.includes(mode)) return ofRequest(card, asked, about)
  note(about, asked.name, `are charged by ${mode.slice(0, 40)} there, which nothing is here`)
  return null
}

/** The price of a model that the list alone has. */
export function priceOfList(listed: ListedCost, asked: PriceAsked): SourcePrice {
  const base = { ...listed.amounts, ...writingCache(asked.name, listed.amounts) }
  return priced(base, asked.isLong ? [...listed.tiers, ...ladder(base, listed.long)] : [], {
    asked,
    listed,
    card: null,
  })
}

function hasHours(row: Row): boolean {
  return isSetValue(Object.fromEntries(entriesOf(jsonIn(row, 'time_pricing')))['periods'])
}

function ofTokens(card: PriceCard, asked: PriceAsked, about: PriceAbout): SourcePrice | null {
  const listed = about.list.costOf(asked.name)
  const own = ownAmounts(card.row)
  const known = { ...beside(asked.name, listed, about.list), ...listed?.amounts }
  const { cache_write_1h: hour, ...others } = known
  // A price for writing the cache is one for an hour of it too.
  const withOwn = {
    ...others,
    ...(own.cache_write === undefined && hour !== undefined ? { cache_write_1h: hour } : {}),
    ...own,
  }
  const flat = { ...withOwn, ...(own.cache_write === undefined ? writingCache(asked.name, withOwn) : {}) }
  noteGaps(flat, { asked, about, isFilled: listed !== null && USUAL.some((kind) => own[kind] === undefined) })
  const steps = stepsOf(card.intervals, flat)
  const [first] = steps
  const base = first?.above === 0 ? first.amounts : flat
  if (base.input === undefined || base.output === undefined) {
    note(
      about,
      asked.name,
      'have no price of input and output in the database, where sub2api takes its list’s: give it with --pricing',
    )
    return null
  }
  const longer =
    steps.length > 0 ? steps.filter(({ above }) => above > 0) : ladder(base, listed?.long ?? builtInLong(asked.name))
  if (decimalIn(card.row, 'image_output_price') !== null)
    note(
      about,
      asked.name,
      'have a price for the tokens of pictures that they make (image_output_price), which are other output here',
    )
  return priced(base, asked.isLong ? longer : [], { asked, listed, card })
}

function priced(
  amounts: ExactAmounts,
  tiers: readonly WrittenTierAmounts[],
  { asked, listed, card }: { asked: PriceAsked; listed: ListedCost | null; card: PriceCard | null },
): SourcePrice {
  const services =
    amounts.input === undefined
      ? {}
      : servicesOf({ amounts, tiers }, { platform: asked.platform, listed, row: card?.row ?? {} })
  return { amounts, tiers, services, calls: card === null ? (listed?.calls ?? {}) : {} }
}

/** Adds the price of writing the cache, which some names have though no list or channel says so. */
function writingCache(name: string, { input, cache_write: write = NOTHING }: ExactAmounts): ExactAmounts {
  const builtIn = builtInCacheWrite(name)
  return builtIn === null || input === undefined || write.over > 0n ? {} : { cache_write: times(input, builtIn) }
}

/** A name that its list has not is priced there by what it looks like, where it looks like one of these. */
const LOOKS_LIKE = /claude|opus|sonnet|haiku|codex|gemini|grok|glm|kimi|deepseek|qwen|minimax|^gpt-/i

/** What no price is known for costs nothing there, where the list says all. */
function beside(name: string, listed: ListedCost | null, list: Sub2apiList): ExactAmounts {
  const isAll = listed !== null || (list.kind === 'own' && !LOOKS_LIKE.test(name))
  return isAll ? { cache_read: NOTHING, cache_write: NOTHING } : {}
}

/** Kinds that nearly every request has. */
const USUAL = ['input', 'output', 'cache_read'] as const

/** A channel that prices a model without its cache leaves that to the list. `isFilled`: the list says some of it. */
function noteGaps(
  amounts: ExactAmounts,
  { asked, about, isFilled }: { asked: PriceAsked; about: PriceAbout; isFilled: boolean },
): void {
  const kinds = [
    ...(amounts.cache_read === undefined ? ['cached input'] : []),
    ...(platformOf(asked.platform).writesCache && amounts.cache_write === undefined ? ['writing the cache'] : []),
  ]
  if (about.list.kind === 'catalogue' && isFilled)
    about.notes.approximate('catalogue', `${asked.name}, where its channel has no price`)
  if (kinds.length === 0 || amounts.input === undefined) return
  if (about.list.kind === null && about.list.isUsual(asked.name)) {
    about.notes.approximate('catalogue', `${asked.name}, ${kinds.join(' and ')}`)
    return
  }
  const why =
    about.list.kind === 'own'
      ? 'nor in the list, where sub2api takes that of another model by what the name looks like'
      : 'where sub2api takes that of its list: --pricing gives it'
  note(
    about,
    asked.name,
    `have no price of ${kinds.join(' and ')} in the database, ${why}; here it costs what other input does`,
  )
}

/** An interval begins behind its least and ends with its most; where none is, the card's own prices hold. */
function stepsOf(intervals: readonly Row[], own: ExactAmounts): readonly WrittenTierAmounts[] {
  const bound = (row: Row, column: string) => Number(integerIn(row, column) ?? 0n)
  return intervals.flatMap((row, i) => {
    const above = bound(row, 'min_tokens')
    const end = bound(row, 'max_tokens')
    const next = intervals[i + 1]
    const isGap = end > above && (next === undefined || bound(next, 'min_tokens') > end)
    return [{ above, amounts: within(row, own) }, ...(isGap ? [{ above: end, amounts: own }] : [])]
  })
}

/** Amounts of an interval: its own price of a kind, else that of the card, times the interval's multiplier where it has one. */
function within(interval: Row, own: ExactAmounts): ExactAmounts {
  const multiplied = Object.fromEntries(
    Object.entries(TOKEN_COLUMNS).flatMap(([column, kind]): (readonly [string, Rational])[] => {
      const factor = decimalIn(interval, column.replace('_price', '_multiplier'))
      const amount = own[kind]
      return factor === null || amount === undefined ? [] : [[kind, times(amount, factor)]]
    }),
  )
  const hour = decimalIn(interval, 'cache_write_multiplier')
  const prices = ownAmounts(interval)
  const { cache_write_1h: ofHour, ...others } = own
  const isHour = ofHour !== undefined && prices.cache_write === undefined
  return {
    ...others,
    ...(isHour ? { cache_write_1h: hour === null ? ofHour : times(ofHour, hour) } : {}),
    ...multiplied,
    ...prices,
  }
}

/** What is built into the source for long requests of some models; cached input and writing the cache are input there. */
function ladder(base: ExactAmounts, long: LongContextOrNone): readonly WrittenTierAmounts[] {
  if (long === null || (!isAboveOne(long.input) && !isAboveOne(long.output))) return []
  const amounts = Object.fromEntries(
    Object.entries(base).map(([kind, amount]) => [
      kind,
      times(amount, OF_OUTPUT.includes(kind) ? long.output : long.input),
    ]),
  )
  return [{ above: long.above, amounts }]
}

type LongContextOrNone = ListedCost['long']
const OF_OUTPUT = ['output', 'reasoning_output', 'audio_output']

function isAboveOne({ over, under }: Rational): boolean {
  return over > under
}

function ofRequest(card: PriceCard, asked: PriceAsked, about: PriceAbout): SourcePrice | null {
  const unit = textIn(card.row, 'billing_mode') === 'image' ? 'per_image' : 'per_request'
  const [first, ...others] = [card.row, ...card.intervals].flatMap((row) => decimalIn(row, 'per_request_price') ?? [])
  if (first === undefined) return null
  if (others.some((other) => !isSame(other, first))) {
    note(
      about,
      asked.name,
      'have several prices for one request there, by its length or the size of a picture, and one here: not carried',
    )
    return null
  }
  return { amounts: { [unit]: times(first, NANO) }, tiers: [], services: {}, calls: {} }
}

function ownAmounts(row: Row): ExactAmounts {
  const pictures = decimalIn(row, 'image_input_price')
  return {
    ...Object.fromEntries(
      Object.entries(TOKEN_COLUMNS).flatMap(([column, name]): (readonly [string, Rational])[] => {
        const usd = decimalIn(row, column)
        return usd === null ? [] : [[name, times(usd, NANO_OF_MILLION)]]
      }),
    ),
    ...(pictures === null || pictures.over === 0n ? {} : { image_input: times(pictures, NANO_OF_MILLION) }),
  }
}

function note({ notes }: PriceAbout, name: string, what: string): void {
  notes.note('models', name, what)
}

/** A factor on all prices of tokens, or own ones. */
type ServiceAmounts =
  | { readonly factor: Rational }
  | { readonly amounts: ExactAmounts; readonly tiers: readonly WrittenTierAmounts[] }

interface Plain {
  readonly amounts: ExactAmounts
  readonly tiers: readonly WrittenTierAmounts[]
}

/** What classes of service cost. `row`: of the card; empty: the list's price alone. */
function servicesOf(
  plain: Plain,
  { platform, listed, row }: { platform: string; listed: ListedCost | null; row: Row },
): Readonly<Record<string, ServiceAmounts>> {
  const { classes } = platformOf(platform)
  return Object.fromEntries(
    classes.map(({ name, builtIn, column, isDear }) => {
      const own = decimalIn(row, column)
      const listedPrices = isDear && own === null ? multiplesOf(listed) : null
      return [name, listedPrices === null ? byFactor(plain, own ?? builtIn) : byKinds(plain, listedPrices)]
    }),
  )
}

/** Says by kind how many times its plain price a list asks for the dear class; null: it asks nothing of its own. */
function multiplesOf(listed: ListedCost | null): ReadonlyMap<string, Rational> | null {
  const plain = new Map(Object.entries(listed?.amounts ?? {}))
  const multiples = Object.entries(listed?.priority ?? {}).flatMap(([kind, dear]): (readonly [string, Rational])[] => {
    const usual = plain.get(kind)
    return usual === undefined || usual.over === 0n ? [] : [[kind, dividedBy(dear, usual)]]
  })
  return multiples.length === 0 ? null : new Map(multiples)
}

/** Factors here have three places; what is finer is written out. */
function byFactor(plain: Plain, factor: Rational): ServiceAmounts {
  const places = times(factor, rational(ONE_PPM / 1_000n))
  return places.over % places.under === 0n ? { factor } : byKinds(plain, new Map(), factor)
}

function byKinds(
  { amounts, tiers }: Plain,
  multiples: ReadonlyMap<string, Rational>,
  usual: Rational = ONE,
): ServiceAmounts {
  const dearer = (all: ExactAmounts): ExactAmounts =>
    Object.fromEntries(Object.entries(all).map(([kind, amount]) => [kind, times(amount, multiples.get(kind) ?? usual)]))
  return { amounts: dearer(amounts), tiers: tiers.map((tier) => ({ ...tier, amounts: dearer(tier.amounts) })) }
}
