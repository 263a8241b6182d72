import type { ModelPrices } from '../../core/price-rules.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { ApproximationName, Product } from '../import-plan.ts'
import type { ImportSettings } from '../import-settings.ts'
import { dividedBy, type Rational, rational, times } from '../rational.ts'
import { entriesOf, jsonOf } from '../source.ts'
import { WrittenAmounts } from '../written-amounts.ts'
import { type Options, quotaPerUsd, ratiosIn } from './options.ts'
import { BY_EXPRESSION, RATIOS, type RatioName, readSitePrices } from './site-prices.ts'
import { readTieredExpression } from './tiered-expression.ts'

const ONE = rational(1n)
/** Where the source has no ratio for a model. null: such tokens are charged as others are. */
const STANDARD: Readonly<Record<Exclude<RatioName, 'ModelRatio'>, Rational | null>> = {
  CompletionRatio: ONE,
  CacheRatio: null,
  CreateCacheRatio: rational(5n, 4n),
  ImageRatio: null,
  AudioRatio: null,
  AudioCompletionRatio: ONE,
}
const HOUR_OF_CACHE_WRITE = rational(8n, 5n)
/** A ratio of 1 is so many nano-USD for a million tokens, times 10⁶ ÷ the quota of a USD. */
const NANO_OF_MILLION = rational(1_000_000_000n * 1_000_000n)

/** For names that begin so, a completion ratio that is built into the source may win over the stored one. */
const BUILT_IN_COMPLETION =
  /^(?:gpt-[345]|chatgpt|o[1-9]|claude-|gemini-|command|mistral-|ernie-|deepseek-|grok-|llama|qwen|glm-)/i
/** Of such names other ratios may be built in, where its option was never changed. */
const BUILT_IN: Readonly<Partial<Record<RatioName, RegExp>>> = {
  CacheRatio: BUILT_IN_COMPLETION,
  CreateCacheRatio: BUILT_IN_COMPLETION,
  ImageRatio: /image/i,
  AudioRatio: /audio|realtime|tts|transcribe|whisper|live/i,
  AudioCompletionRatio: /audio|realtime|tts|live/i,
}
const OF_INPUT: readonly Exclude<RatioName, 'ModelRatio'>[] = [
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
]

interface PricesAbout {
  readonly product: Product
  readonly settings: ImportSettings
  readonly notes: ImportNotes
}

/** Returns what a model costs by the ratios of the source; null: nothing that may be sold. */
export function pricesIn(options: Options, about: PricesAbout): (name: string) => ModelPrices | null {
  const { product, settings, notes } = about
  const site = readSitePrices(settings.pricing)
  const ratios = ratiosBy(options, { site, about })
  const fixed = ratiosIn(options, 'ModelPrice')
  const expressions = expressionsIn(options)
  const perRatio = dividedBy(NANO_OF_MILLION, quotaPerUsd(options))
  return (name) => {
    const written = new WrittenAmounts(name, { settings, notes })
    const price = site?.fixed.get(name) ?? fixed?.get(name)
    const expression = site?.expressions.get(name) ?? expressions.get(name)
    if (expression !== undefined) return ofExpression(expression, { name, written, notes })
    if (price !== undefined) return written.prices({ per_request: times(price, rational(1_000_000_000n)) })
    const ratio = ratios.stored('ModelRatio', name)
    // A site that says its prices leaves out those that it has not.
    if (ratio === null) return site === null ? listed(name, about) : null
    const completion = ratios.sure('CompletionRatio', name)
    if (completion === 'unsure') return null
    const input = times(ratio, perRatio)
    const plain = { input, output: times(input, completion ?? ONE) }
    if (product !== 'new-api') return written.prices(plain)
    const found = OF_INPUT.map((each) => ratios.sure(each, name))
    if (found.includes('unsure')) return null
    const [cached, writing, pictures, sound, soundOut] = found.map((each) => (each === 'unsure' ? null : each))
    const cacheWrite = times(input, writing ?? ONE)
    const heard = sound == null ? null : times(input, sound)
    return written.prices({
      ...plain,
      ...(cached == null ? {} : { cache_read: times(input, cached) }),
      cache_write: cacheWrite,
      cache_write_1h: times(cacheWrite, HOUR_OF_CACHE_WRITE),
      ...(pictures == null ? {} : { image_input: times(input, pictures) }),
      ...(heard === null ? {} : { audio_input: heard, audio_output: times(heard, soundOut ?? ONE) }),
    })
  }
}

/** Prices that were never changed are built into the source, and in no database. */
function listed(name: string, { settings: { catalogue, accepted }, notes }: PricesAbout): ModelPrices | null {
  const price = catalogue?.priceOf(name) ?? null
  if (catalogue == null || price === null) return null
  if (accepted.has('catalogue')) {
    notes.approximate('catalogue', `${name}, by ${catalogue.named}`)
    return price
  }
  notes.note(
    'models',
    name,
    `have no price in the database, and one in the price list that is shipped here (${catalogue.named}): name the source’s answer of /api/pricing with --pricing, or --accept catalogue`,
  )
  return null
}

/** By model, where the source prices it so. */
function expressionsIn(options: Options): ReadonlyMap<string, string> {
  const written = new Map(entriesOf(jsonOf(options.get('billing_setting.billing_expr') ?? '')))
  const modes = entriesOf(jsonOf(options.get('billing_setting.billing_mode') ?? ''))
  const expressionOf = (name: string) => {
    const expression = written.get(name)
    return typeof expression === 'string' ? expression : ''
  }
  return new Map(modes.flatMap(([name, mode]) => (mode === BY_EXPRESSION ? [[name, expressionOf(name)]] : [])))
}

function ofExpression(
  expression: string,
  { name, written, notes }: { name: string; written: WrittenAmounts; notes: ImportNotes },
): ModelPrices | null {
  const [base, ...longer] = readTieredExpression(expression) ?? []
  if (base !== undefined) return written.prices(base.amounts, longer)
  notes.note('models', name, 'are priced by an expression that is more than sums by length, which is not carried')
  return null
}

interface Ratios {
  stored(name: RatioName, model: string): Rational | null
  /** null: the source has none, and none is built into it. `unsure`: it may have one, and it is noted which. */
  sure(name: Exclude<RatioName, 'ModelRatio'>, model: string): Rational | null | 'unsure'
}

/** The site’s word is worth more than the database’s, which has only the options that were changed. */
function ratiosBy(
  options: Options,
  { site, about }: { site: ReturnType<typeof readSitePrices>; about: PricesAbout },
): Ratios {
  const changed = Object.fromEntries(Object.keys(RATIOS).map((name) => [name, ratiosIn(options, name)]))
  const stored = (name: RatioName, model: string) => site?.ratios[name]?.get(model) ?? changed[name]?.get(model) ?? null
  return {
    stored,
    sure(name, model) {
      const isCompletion = name === 'CompletionRatio'
      const said = site?.ratios[name] ?? null
      if (said !== null && (!isCompletion || said.has(model))) return said.get(model) ?? STANDARD[name]
      // An option that was changed is the whole of its table.
      const isTable = changed[name] != null
      const isSure = isCompletion ? isTable && !BUILT_IN_COMPLETION.test(model) : isTable || !isBuiltIn(name, model)
      const accept: ApproximationName = isCompletion ? 'completion-ratio' : 'built-in-ratio'
      if (isSure || about.settings.accepted.has(accept)) return stored(name, model) ?? STANDARD[name]
      about.notes.note(
        'models',
        model,
        `have no ${RATIOS[name].replaceAll('_', ' ')} that is sure: name the source’s answer of /api/pricing with --pricing, or --accept ${accept}`,
      )
      return 'unsure'
    },
  }
}

function isBuiltIn(name: RatioName, model: string): boolean {
  return BUILT_IN[name]?.test(model) === true
}
