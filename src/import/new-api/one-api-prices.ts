import type { ModelPrices } from '../../core/price-rules.ts'
import { dividedBy, isSame, type Rational, times, ONE, NANO_OF_MILLION } from '../rational.ts'
import { WrittenAmounts } from '../written-amounts.ts'
import { builtInCompletion } from './built-in-completion.ts'
import type { ChannelModel } from './channels.ts'
import { listed, noteFree, type PricesAbout } from './prices.ts'
import { ONE_API_MODEL_RATIOS } from './one-api-ratios.ts'
import { type Options, quotaPerUsd, ratiosIn } from './options.ts'

const NO_RATIOS: ReadonlyMap<string, Rational> = new Map()
/** Models that are charged by the picture, by the second or by the character there. */
const NO_TOKENS = /^(?:dall-e|cogview|wanx|ali-stable-diffusion|step-1x|whisper|tts-)/
const OTHER_MEASURE = 'are charged by pictures, characters or texts there, and not by tokens: set their price'
const BY_CHANNEL = 'have another price at each of their channels there: set the one that they are to have'
const BUILT_IN =
  'have the ratio that is built into one-api’s last release, since its database has none: where yours is older, compare them'

/** What a token costs. `isBuiltIn`: the database says nothing of the model. */
interface TokenCharge {
  readonly ratio: Rational
  readonly completion: Rational
  readonly isBuiltIn: boolean
}

/**
 * Returns what a model costs; null: nothing that may be sold. one-api charges by the name under which the provider is asked,
 * and by the type of the channel.
 */
export function oneApiPricesIn(
  options: Options,
  { served, ...about }: PricesAbout & { readonly served: readonly Pick<ChannelModel, 'name' | 'type' | 'target'>[] },
): (name: string) => ModelPrices | null {
  const ratios = ratiosIn(options, 'ModelRatio') ?? NO_RATIOS
  const completions = ratiosIn(options, 'CompletionRatio') ?? NO_RATIOS
  const perRatio = dividedBy(NANO_OF_MILLION, quotaPerUsd(options))
  const { settings, notes } = about
  return (name) => {
    const asked = served.filter((each) => each.name === name)
    if (asked.some(({ target }) => NO_TOKENS.test(target.model))) return unpriced(name, OTHER_MEASURE, about)
    const found = asked.map(({ target, type }) => chargedBy(target.model, type, { ratios, completions }))
    const [first, ...others] = found
    // Without a ratio it charges 30 there, which was never set as a price.
    const otherwise = () => unpriced(name, BY_CHANNEL, about)
    if (first == null) return found.some((each) => each != null) ? otherwise() : listed(name, about)
    if (others.some((each) => each == null || !isSamePrice(each, first))) return otherwise()
    if (first.isBuiltIn) notes.note('models', name, BUILT_IN)
    noteFree(name, first.ratio, notes)
    const input = times(first.ratio, perRatio)
    return new WrittenAmounts(name, { settings, notes }).prices({ input, output: times(input, first.completion) })
  }
}

function unpriced(name: string, why: string, { notes }: PricesAbout): null {
  notes.note('models', name, why)
  return null
}

function isSamePrice(a: TokenCharge, b: TokenCharge): boolean {
  return isSame(a.ratio, b.ratio) && isSame(a.completion, b.completion)
}

/** null: its database says nothing of the model, nor is anything built in. */
function chargedBy(
  model: string,
  type: string,
  { ratios, completions }: Readonly<Record<'ratios' | 'completions', ReadonlyMap<string, Rational>>>,
): TokenCharge | null {
  // With a search of the web it has the price of the model without.
  const plain = model.replace(/^(qwen-.*)-internet$/, '$1')
  const searching = plain.replace(/^(command-.*)-internet$/, '$1')
  const typed = `${searching}(${type})`
  const stored = ratios.get(typed)
  const builtIn = ONE_API_MODEL_RATIOS.get(typed)
  const ratio = stored ?? builtIn ?? ratios.get(searching) ?? ONE_API_MODEL_RATIOS.get(searching)
  if (ratio === undefined) return null
  const completion =
    completions.get(`${plain}(${type})`) ?? completions.get(plain) ?? builtInCompletion('one-api', plain)?.ratio ?? ONE
  return {
    ratio,
    completion,
    isBuiltIn: stored === undefined && (builtIn !== undefined || !ratios.has(searching)),
  }
}
