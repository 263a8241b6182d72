import type { CallKind } from '../core/calls.ts'
import {
  exactUsd,
  listedAmount,
  type ListedAmount,
  type PricedCount,
  type LeftOut,
  type ListedAmounts,
  type ListedPrice,
  type ListedService,
  type ListedTier,
  TOKEN_KINDS,
  type TokenKind,
  type UnitKind,
} from './listed-price.ts'
import { type FieldMeaning, isPriceField, meaningOf, type ReadField } from './litellm-fields.ts'

type PriceEntry = Readonly<Record<string, unknown>>
type Table = { [Kind in TokenKind]?: ListedAmount }

const MILLION = 1_000_000

/**
 * The price of a model from its fields in LiteLLM's `model_prices_and_context_window.json`, or in `litellm_params` and `model_info`
 * of its configuration. Every field about money is read or named in `left`. What a longer prompt or a class of service has no
 * price for costs what it costs plainly, as LiteLLM charges it.
 */
export function readLitellmPrice(name: string, fields: PriceEntry): ListedPrice {
  const model = new LitellmModel(name, fields)
  for (const [field, value] of Object.entries(fields)) {
    const isEmpty = value === null || value === undefined || value === ''
    if (isPriceField(field) && !isEmpty) model.read(field, value)
  }
  return model.price()
}

/** Why a field is left out. `instead`: the kind of token at whose price its tokens are charged. */
interface Left {
  readonly because: LeftOut['because']
  readonly instead: TokenKind | null
}

const UNREADABLE: Left = { because: 'unreadable', instead: null }
const NOT_COUNTED: Left = { because: 'not_counted', instead: null }
const OTHER_UNIT: Left = { because: 'other_unit', instead: null }

/** The price of one model while its fields are read, one by one. */
class LitellmModel {
  readonly #name: string
  readonly #fields: PriceEntry
  /** Tables by class of service, then by the length above which they hold; the plain ones under an empty name and 0. */
  readonly #tables = new Map<string, Map<number, Table>>()
  readonly #left: (Left & { readonly field: string; readonly exact: bigint | null })[] = []
  readonly #units: { [Kind in UnitKind]?: ListedAmount } = {}
  /** Fields of prices that are not plain. */
  readonly #ruled: string[] = []
  readonly #calls: { [Kind in CallKind]?: ListedAmount } = {}
  readonly #services: Record<string, ListedService> = {}
  readonly #places: Record<string, number> = {}

  constructor(name: string, fields: PriceEntry) {
    this.#name = name
    this.#fields = fields
  }

  read(field: string, value: unknown): void {
    const meaning = meaningOf(field)
    if (meaning.kind === 'tokens') this.#tokens(field, value, meaning)
    else if (meaning.kind === 'read') this.#readAs[meaning.as](field, value)
    else this.#leave(field, value, meaning)
  }

  price(): ListedPrice {
    const plain = this.#plainTable()
    const hasBoth = plain.input !== undefined && plain.output !== undefined
    if (!hasBoth) this.#leaveRules()
    const carried = setApart(plain)
    const tiers = hasBoth ? this.#tiersOf('', carried) : []
    const services = [...this.#tables.keys()].flatMap((service): [string, ListedService][] => {
      if (service === '' || !hasBoth) return []
      const own = this.#tables.get(service)?.get(0) ?? {}
      const pictures = this.#drawsByTheToken() ? dearer(own, { output: plain.output }) : {}
      const amounts = { ...carried, ...own, ...pictures }
      return [[service, { amounts: ordered(amounts), tiers: this.#tiersOf(service, amounts) }]]
    })
    return {
      amounts: { ...ordered(plain), ...this.#units },
      tiers,
      services: { ...Object.fromEntries(services), ...this.#services },
      places: this.#places,
      calls: this.#calls,
      left: this.#left.map((left) => ({ field: left.field, because: left.because, isDearer: isDearer(left, plain) })),
    }
  }

  /** Long prompts and classes of service stand beside plain prices of input and output. */
  #leaveRules(): void {
    for (const field of this.#ruled) this.#left.push({ ...UNREADABLE, field, exact: null })
  }

  #tokens(field: string, value: unknown, { of, above, service }: Extract<FieldMeaning, { kind: 'tokens' }>): void {
    const amount = this.#amount(field, value, MILLION)
    if (amount === null) return
    if (service !== '' || above > 0) this.#ruled.push(field)
    const table = this.#table(service, above)
    // A kind may have two names, as a cached token and a cache hit.
    if (amount.exact >= (table[of]?.exact ?? 0n)) table[of] = amount
  }

  #table(service: string, above: number): Table {
    const tables = this.#tables.get(service) ?? new Map<number, Table>()
    const table = tables.get(above) ?? {}
    this.#tables.set(service, tables.set(above, table))
    return table
  }

  #plainTable(): Table {
    const own = this.#tables.get('')?.get(0) ?? {}
    // An embedding has no output, which has to be said.
    const isOnlyRead = own.output === undefined && own.input !== undefined && this.#fields['mode'] === 'embedding'
    if (isOnlyRead) return { ...own, output: { usd: 0, of: MILLION, exact: 0n } }
    // Beside pictures at the price of the output, reasoning is words.
    const words = this.#drawsByTheToken() ? listedAmount(this.#fields['output_cost_per_token'], MILLION) : null
    return words === null ? own : { reasoning_output: words, ...own }
  }

  /**
   * A longer prompt never costs less than a shorter one here. A class of service without prices for long ones costs what is dearer:
   * its own price, or the plain one for these.
   */
  #tiersOf(service: string, base: ListedAmounts): readonly ListedTier[] {
    const lengths = new Set([...(this.#tables.get('')?.keys() ?? []), ...(this.#tables.get(service)?.keys() ?? [])])
    const tiers: ListedTier[] = []
    let shorter = base
    for (const above of [...lengths].filter((length) => length > 0).toSorted((a, b) => a - b)) {
      const own = this.#tables.get(service)?.get(above) ?? {}
      const plain = service === '' ? {} : (this.#tables.get('')?.get(above) ?? {})
      const asked = { ...base, ...dearer(base, plain), ...own }
      const amounts = { ...asked, ...dearer(asked, shorter) }
      if (!isSame(amounts, shorter)) tiers.push({ above, amounts: ordered(amounts) })
      shorter = amounts
    }
    return tiers
  }

  /** Whether the output is pictures, at the price of their tokens, in whatever class of service. */
  #drawsByTheToken(): boolean {
    return this.#fields['mode'] === 'image_generation' && isAbove0(this.#fields['output_cost_per_image_token'])
  }

  /** Names what is not an amount. */
  #amount(field: string, value: unknown, of: PricedCount): ListedAmount | null {
    const amount = listedAmount(value, of)
    if (amount === null) this.#left.push({ ...UNREADABLE, field, exact: null })
    return amount
  }

  /** A price of 0 in a field that is not carried loses nothing. */
  #leave(field: string, value: unknown, { because, instead }: Left): void {
    const exact = exactUsd(value)
    if (exact !== 0n) this.#left.push({ field, because, instead, exact })
  }

  /** The larger of two fields for one unit. A price of 0 says that the unit has none. */
  #unit(kind: UnitKind, amount: ListedAmount | null): void {
    if (amount !== null && amount.exact > (this.#units[kind]?.exact ?? 0n)) this.#units[kind] = amount
  }

  #call(kind: CallKind, amount: ListedAmount | null): void {
    if (amount !== null && amount.exact > 0n) this.#calls[kind] = amount
  }

  #isFor(...modes: readonly string[]): boolean {
    const { mode } = this.#fields
    return mode === undefined || (typeof mode === 'string' && modes.includes(mode))
  }

  readonly #readAs: Readonly<Record<ReadField, (field: string, value: unknown) => void>> = {
    // Pictures are all that these write; of others the tokens of pictures and words are counted as one.
    image_tokens: (field, value) => {
      const amount = this.#amount(field, value, MILLION)
      const words = exactUsd(this.#fields['output_cost_per_token']) ?? 0n
      if (amount === null) return
      if (this.#drawsByTheToken() && amount.exact >= words) this.#table('', 0).output = amount
      else this.#leave(field, value, { because: 'no_price_apart', instead: 'output' })
    },
    image: (field, value) => {
      if (isAbove0(this.#fields['output_cost_per_image_token'])) this.#leave(field, value, OTHER_UNIT)
      else this.#unit('per_image', this.#amount(field, value, 1))
    },
    request: (field, value) => this.#unit('per_request', this.#amount(field, value, 1)),
    query: (field, value) => {
      if (this.#isFor('rerank')) this.#unit('per_request', this.#amount(field, value, 1))
      else this.#leave(field, value, NOT_COUNTED)
    },
    second: (field, value) => {
      if (this.#isFor('audio_transcription', 'audio_speech')) this.#unit('per_second', this.#amount(field, value, 1))
      else this.#leave(field, value, NOT_COUNTED)
    },
    character: (field, value) => {
      if (this.#isFor('audio_speech')) this.#unit('per_million_characters', this.#amount(field, value, MILLION))
      else this.#leave(field, value, NOT_COUNTED)
    },
    search: (field, value) => {
      const amount = this.#amount(field, dearestIn(value), 1)
      if (this.#searchesAlways()) this.#unit('per_request', amount)
      else this.#call(this.#isGrounded() ? 'grounded_prompt' : 'web_search', amount)
    },
    maps: (field, value) => this.#call('maps_grounding', this.#amount(field, value, 1)),
    file_search: (field, value) => this.#call('file_search', this.#amount(field, value, 0.001)),
    code_interpreter: (field, value) => this.#call('code_interpreter', this.#amount(field, value, 1)),
    tiers: (field, value) => this.#readTiers(field, value),
    factors: (_, value) => this.#readFactors(value),
  }

  /** Perplexity's models search with every request, but for the one that counts its searches. */
  #searchesAlways(): boolean {
    return this.#fields['litellm_provider'] === 'perplexity' && !this.#name.includes('deep-research')
  }

  /** Google's models are charged by the prompt that searched, unless the list says that each search is. */
  #isGrounded(): boolean {
    const isGoogles = GOOGLES.has(this.#fields['litellm_provider']) || /gemini/.test(this.#name)
    return isGoogles && this.#fields['web_search_billing_unit'] !== 'per_query'
  }

  /** `[{ "range": [0, 256000], "input_cost_per_token": … }, …]`; a request has the prices of its whole length. */
  #readTiers(field: string, value: unknown): void {
    for (const tier of Array.isArray(value) ? value : [value]) {
      const { range, ...prices } = typeof tier === 'object' && tier !== null ? (tier as PriceEntry) : {}
      const from: unknown = Array.isArray(range) ? range[0] : undefined
      if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
        this.#left.push({ ...UNREADABLE, field, exact: null })
        return
      }
      for (const [name, price] of Object.entries(prices)) {
        const meaning = meaningOf(name)
        if (meaning.kind === 'tokens') this.#tokens(`${field}.${name}`, price, { ...meaning, above: from })
        else if (isPriceField(name)) this.#leave(`${field}.${name}`, price, { because: 'unknown', instead: null })
      }
    }
  }

  /** Anthropic's factors: `us` for a place, `fast` for a class of service. Its other entries are not prices. */
  #readFactors(value: unknown): void {
    const { us, fast } = typeof value === 'object' && value !== null ? (value as PriceEntry) : {}
    if (isFactor(us)) this.#places['us'] = rounded(us)
    if (isFactor(fast)) this.#services['fast'] = { factor: rounded(fast) }
  }
}

/** LiteLLM's names of Google's APIs. */
const GOOGLES: ReadonlySet<unknown> = new Set(['gemini', 'vertex_ai-language-models'])

function isFactor(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value)
}

/** Factors have six places here. */
function rounded(factor: number): number {
  return Number(factor.toFixed(6))
}

function isAbove0(value: unknown): boolean {
  return (exactUsd(value) ?? 0n) > 0n
}

/** The dearest of several sizes: which of them a request has, its client chooses. */
function dearestIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.values(value).reduce<unknown>(
    (most, each) => ((exactUsd(each) ?? -1n) > (exactUsd(most) ?? -1n) ? each : most),
    null,
  )
}

/** What of the second is dearer than in the first. */
function dearer(one: ListedAmounts, other: { readonly [Kind in TokenKind]?: ListedAmount | undefined }): ListedAmounts {
  return Object.fromEntries(
    TOKEN_KINDS.flatMap((kind) => {
      const amount = other[kind]
      return amount !== undefined && amount.exact > (one[kind]?.exact ?? 0n) ? [[kind, amount] as const] : []
    }),
  )
}

function isSame(one: ListedAmounts, other: ListedAmounts): boolean {
  return TOKEN_KINDS.every((kind) => one[kind]?.exact === other[kind]?.exact)
}

/** What a kind costs that has no price of its own. */
const PART_OF: Readonly<Partial<Record<TokenKind, TokenKind>>> = {
  reasoning_output: 'output',
  audio_output: 'output',
  audio_input: 'input',
  image_input: 'input',
}

/** The prices that a longer prompt or a class of service takes over: not those that are only the input's or output's once more. */
function setApart(amounts: ListedAmounts): ListedAmounts {
  return Object.fromEntries(
    TOKEN_KINDS.flatMap((kind) => {
      const [amount, whole] = [amounts[kind], PART_OF[kind]]
      const isRepeated = whole !== undefined && amount?.exact === amounts[whole]?.exact
      return amount === undefined || isRepeated ? [] : [[kind, amount] as const]
    }),
  )
}

/** Sorts amounts into the order in which prices are shown, and leaves out a price of reasoning that is that of all output. */
function ordered(amounts: ListedAmounts): ListedAmounts {
  return Object.fromEntries(
    TOKEN_KINDS.flatMap((kind) => {
      const amount = amounts[kind]
      const isRepeated = kind === 'reasoning_output' && amount?.exact === amounts.output?.exact
      return amount === undefined || isRepeated ? [] : [[kind, amount] as const]
    }),
  )
}

/** Whether requests may cost more than is charged without the field: nothing stands for it, or a cheaper price. */
function isDearer({ because, instead, exact }: Left & { readonly exact: bigint | null }, plain: Table): boolean {
  if (because === 'unknown' || because === 'unreadable' || because === 'not_counted') return true
  if (because !== 'no_price_apart' || instead === null) return false
  const charged = plain[instead] ?? plain[instead === 'output' ? 'output' : 'input']
  return (exact ?? 0n) > (charged?.exact ?? 0n)
}
