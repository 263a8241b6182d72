import type { ModelPrices } from '../../core/price-rules.ts'
import type { ImportNotes, ImportSettings } from '../import-plan.ts'
import { dividedBy, isSame, type Rational, rational, times, NANO, ONE, NANO_OF_MILLION } from '../rational.ts'
import { entriesOf, jsonOf } from '../source.ts'
import { WrittenAmounts } from '../written-amounts.ts'
import { builtInCompletion } from './built-in-completion.ts'
import { type Options, quotaPerUsd, ratiosIn } from './options.ts'
import { BY_EXPRESSION, RATIOS, type RatioName, readSitePrices } from './site-prices.ts'
import { readTieredExpression } from './tiered-expression.ts'
import { cataloguePrice } from '../catalogue-price.ts'

/** Ratios of the price of input, and of output by audio. */
type OtherRatio = Exclude<RatioName, 'ModelRatio' | 'CompletionRatio'>
/** Where the source has no ratio for a model. null: such tokens are charged as others are. */
const STANDARD: Readonly<Record<OtherRatio, Rational | null>> = {
  CacheRatio: null,
  CreateCacheRatio: rational(5n, 4n),
  ImageRatio: null,
  AudioRatio: null,
  AudioCompletionRatio: ONE,
}
const HOUR_OF_CACHE_WRITE = rational(8n, 5n)

/** Beginnings of names for which a completion ratio is built into some releases that may win over the stored one. */
const BUILT_IN_COMPLETION =
  /^(?:gpt-|chatgpt|o[1-9]|claude-|gemini-|command|mistral-|ernie-|deepseek-|grok-|llama|qwen|glm-)/i
/** Names for which other ratios may be built in, where their option was never changed. */
const BUILT_IN: Readonly<Record<OtherRatio, RegExp>> = {
  CacheRatio: BUILT_IN_COMPLETION,
  CreateCacheRatio: BUILT_IN_COMPLETION,
  ImageRatio: /image/i,
  AudioRatio: /audio|realtime|tts|transcribe|whisper|live/i,
  AudioCompletionRatio: /audio|realtime|tts|live/i,
}
const OF_INPUT: readonly OtherRatio[] = [
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
]
/** Completion ratios that stand in its table before anyone changes it. */
const FIRST_COMPLETIONS: ReadonlyMap<string, Rational> = new Map([
  ['gpt-image-1', rational(8n)],
  ['gpt-4o-gizmo-*', rational(3n)],
])
/** What the source calls a ratio that was never set, where it is asked for its prices. */
const UNSET = rational(75n, 2n)
/** The only model whose ratio is built in as the highest. */
const IS_THAT_DEAR = /^gpt-4\.5-preview/
const REFUSED = 'have no ratio there, which its answer calls 37.5: the source refuses them'
const SELF_USE =
  'have no ratio there, and are charged 75 USD for a million tokens in its self-use mode, which was never set as a price'
const ADVICE = 'name the source’s answer of /api/pricing with --pricing, or --accept catalogue'

/** Returns what a model costs by the ratios of new-api; null: nothing that may be sold. */
export function pricesIn(options: Options, about: PricesAbout): (name: string) => ModelPrices | null {
  const { settings, notes } = about
  const site = readSitePrices(settings.pricing)
  const ratios = ratiosBy(options, { site, about })
  const fixed = ratiosIn(options, 'ModelPrice')
  const expressions = expressionsIn(options)
  const perRatio = dividedBy(NANO_OF_MILLION, quotaPerUsd(options))
  return (name) => {
    const written = new WrittenAmounts(name, { settings, notes })
    const price = site?.fixed.get(name) ?? fixed?.get(matchingName(name))
    const expression = site?.expressions.get(name) ?? expressions.get(name)
    if (expression !== undefined) return ofExpression(expression, { name, written, notes })
    if (price !== undefined) {
      noteFree(name, price, notes)
      return written.prices({ per_request: times(price, NANO) })
    }
    const ratio = ratios.ofModel(name)
    if (ratio === 'unset') return null
    // A site that says its prices leaves out those that it has not.
    if (ratio === null) return site === null ? listed(name, about, ADVICE) : null
    noteFree(name, ratio, notes)
    const completion = ratios.ofOutput(name)
    const found = OF_INPUT.map((each) => ratios.sure(each, name))
    if (completion === 'unsure' || found.includes('unsure')) return null
    const [cached, writing, pictures, sound, soundOut] = found.map((each) => (each === 'unsure' ? null : each))
    const input = times(ratio, perRatio)
    const cacheWrite = times(input, writing ?? ONE)
    const heard = sound == null ? null : times(input, sound)
    return written.prices({
      input,
      output: times(input, completion),
      ...(cached == null ? {} : { cache_read: times(input, cached) }),
      cache_write: cacheWrite,
      cache_write_1h: times(cacheWrite, HOUR_OF_CACHE_WRITE),
      ...(pictures == null ? {} : { image_input: times(input, pictures) }),
      ...(heard === null ? {} : { audio_input: heard, audio_output: times(heard, soundOut ?? ONE) }),
    })
  }
}

/** Expressions by model, where the source prices it so. */
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
  /** null: neither database nor site has one. `unset`: the source says one that was never set, and it is noted. */
  ofModel(model: string): Rational | null | 'unset'
  /** The ratio of output to input. `unsure`: it may be built in, and it is noted. */
  ofOutput(model: string): Rational | 'unsure'
  /** null: the source has none, and none is built into it. `unsure`: it may have one, and it is noted which. */
  sure(name: OtherRatio, model: string): Rational | null | 'unsure'
}

/** The site’s word is worth more than the database’s, which has only the options that were changed. */
function ratiosBy(
  options: Options,
  { site, about }: { site: ReturnType<typeof readSitePrices>; about: PricesAbout },
): Ratios {
  const { notes, settings } = about
  const changed = Object.fromEntries(Object.keys(RATIOS).map((name) => [name, ratiosIn(options, name)]))
  const isSelfUse = options.get('SelfUseModeEnabled')?.trim() === 'true'
  const stored = (name: RatioName, key: string) => changed[name]?.get(key) ?? null
  const isNeverSet = (model: string, ratio: Rational) =>
    site?.isComputed === true &&
    isSame(ratio, UNSET) &&
    stored('ModelRatio', matchingName(model)) === null &&
    !(changed['ModelRatio'] === null && IS_THAT_DEAR.test(model))
  const asked = (model: string, of: string, accept: 'completion-ratio' | 'built-in-ratio') => {
    const what = `have no ${of} that is sure: name the source’s answer of /api/pricing with --pricing, or --accept ${accept}`
    notes.note('models', model, what)
    return 'unsure' as const
  }
  return {
    ofModel(model) {
      const said = site?.ratios.ModelRatio?.get(model)
      if (said !== undefined && isNeverSet(model, said)) {
        notes.note('models', model, isSelfUse ? SELF_USE : REFUSED)
        return 'unset'
      }
      return said ?? stored('ModelRatio', matchingName(model))
    },
    ofOutput(model) {
      const said = site?.isComputed === true ? site.ratios.CompletionRatio?.get(model) : undefined
      if (said !== undefined) return said
      // An option that was changed is the whole of its table, and so is that of a site.
      const ofSite = (site?.isComputed === false ? site.ratios.CompletionRatio : null) ?? null
      const found = completionIn(ofSite ?? changed['CompletionRatio'] ?? null, matchingName(model))
      const { ratio } = found
      // Releases that say their tables take such names from them.
      const isSure = found.isSure || (ofSite !== null && found.isSet)
      if (isSure) return ratio
      if (!settings.accepted.has('completion-ratio')) return asked(model, 'completion ratio', 'completion-ratio')
      notes.approximate('completion-ratio', model)
      return ratio
    },
    sure(name, model) {
      const said = site?.ratios[name] ?? null
      if (said !== null) return said.get(model) ?? STANDARD[name]
      // Ratios of sound are of the name that stands for several, the others of the name itself.
      const key = name.startsWith('Audio') ? matchingName(model) : model
      const isSure = changed[name] != null || !BUILT_IN[name].test(model)
      if (isSure || settings.accepted.has('built-in-ratio')) return stored(name, key) ?? STANDARD[name]
      return asked(model, RATIOS[name].replaceAll('_', ' '), 'built-in-ratio')
    },
  }
}

/** `table`: what was set at the source; null: nothing. */
function completionIn(
  table: ReadonlyMap<string, Rational> | null,
  model: string,
): { readonly ratio: Rational; readonly isSure: boolean; readonly isSet: boolean } {
  const set = table?.get(model)
  if (set !== undefined && model.includes('/')) return { ratio: set, isSure: true, isSet: true }
  const builtIn = builtInCompletion('new-api', model)
  const first = table === null ? FIRST_COMPLETIONS.get(model) : undefined
  return {
    ratio: builtIn?.isFixed === true ? builtIn.ratio : (set ?? first ?? builtIn?.ratio ?? ONE),
    isSure: table !== null && builtIn === null && !BUILT_IN_COMPLETION.test(model),
    isSet: set !== undefined && builtIn?.isFixed !== true,
  }
}

/** The name that stands for several in tables of prices. */
function matchingName(model: string): string {
  const [thinking] = /^gemini-2\.5-(?:flash-lite|flash|pro)(?=.*-thinking-)/.exec(model) ?? []
  if (thinking !== undefined) return `${thinking}-thinking-*`
  const [gizmo] = /^gpt-4o?-gizmo/.exec(model) ?? []
  return gizmo === undefined ? model : `${gizmo}-*`
}

export interface PricesAbout {
  readonly settings: ImportSettings
  readonly notes: ImportNotes
}

/** The price that the shipped list has for a model of which the database says none, where that is accepted. */
export function listed(
  name: string,
  about: PricesAbout,
  advice = 'take it with --accept catalogue',
): ModelPrices | null {
  return cataloguePrice(name, (catalogue) => catalogue.priceOf(name), { ...about, source: 'database', advice })
}

/** What costs nothing is named, since a price of 0 is easily one that was never set. */
export function noteFree(name: string, price: Rational, notes: ImportNotes): void {
  if (price.over === 0n) notes.note('models', name, 'cost nothing there, and so here')
}
