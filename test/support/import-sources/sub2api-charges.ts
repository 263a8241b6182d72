/** What sub2api takes for a request: its formulas, apart from any import, in exact USD. By the rules of v0.1.179. */
import { minus, type Rational, rational, readRational, times } from '../../../src/import/rational.ts'

export interface OldCard {
  readonly mode: 'token' | 'per_request' | 'image'
  readonly input: string | null
  readonly output: string | null
  readonly read: string | null
  readonly write: string | null
  readonly once: string | null
  readonly fast: string | null
  readonly flex: string | null
  readonly intervals: readonly OldInterval[]
}

export interface OldInterval {
  readonly min: number
  readonly max: number | null
  readonly input: string | null
  readonly output: string | null
  readonly read: string | null
  readonly write: string | null
  readonly inputTimes: string | null
  readonly outputTimes: string | null
}

/** Prices of its list: USD of a token, as they stand there. */
export interface OldListed {
  readonly input: string
  readonly output: string
  readonly read: string | null
  readonly write: string | null
  readonly hour: string | null
  readonly priority: string | null
  readonly longAbove: number | null
}

/** Input that is neither read from nor written to a cache; hours are a part of what is written. */
export interface OldUsage {
  readonly input: number
  readonly output: number
  readonly read: number
  readonly write: number
  readonly hours: number
}

export interface OldRequest {
  readonly card: OldCard | null
  readonly listed: OldListed | null
  readonly isLong: boolean
  readonly multiplier: string
  readonly tier: 'default' | 'priority' | 'fast' | 'flex'
  readonly platform: 'openai' | 'anthropic'
  readonly usage: OldUsage
}

/** Prices of a token while they are put together. */
interface Prices {
  input: Rational
  output: Rational
  read: Rational
  write: Rational
  hour: Rational | null
  priority: Rational | null
}

const NONE = rational(0n)

function usd(text: string): Rational {
  const value = readRational(text)
  if (value === null) throw new Error(`${text} is not a number`)
  return value
}

export function oldCharge(request: OldRequest): Rational {
  const { card, multiplier } = request
  if (card !== null && card.mode !== 'token') return times(usd(card.once ?? '0'), usd(multiplier))
  return times(tokenCharge(request), usd(multiplier))
}

function tokenCharge({ card, listed, isLong, tier, usage }: OldRequest): Rational {
  const context = usage.input + usage.read + usage.write
  const prices = listedPrices(listed)
  overwrite(prices, card)
  const standing = card?.intervals ?? []
  const asked = isLong ? context : 1
  const interval = standing.find(({ min, max }) => asked > min && (max === null || asked <= max))
  if (interval !== undefined) narrow(prices, interval)
  const isClimbing = isLong && standing.length === 0 && listed?.longAbove != null && context > listed.longAbove
  const [ofInput, ofOutput] = isClimbing ? [rational(2n), rational(3n, 2n)] : [rational(1n), rational(1n)]
  const isFast = tier === 'priority' || tier === 'fast'
  const isDear = isFast && card?.fast == null && prices.priority !== null
  const ofTier = isDear ? rational(1n) : tierFactor(tier, card)
  const inputPrice = isDear && prices.priority !== null ? prices.priority : prices.input
  const written =
    prices.hour === null
      ? [[usage.write, prices.write] as const]
      : [[usage.write - usage.hours, prices.write] as const, [usage.hours, prices.hour] as const]
  const parts: readonly (readonly [number, Rational, Rational])[] = [
    [usage.input, inputPrice, ofInput],
    [usage.read, prices.read, ofInput],
    ...written.map(([count, price]) => [count, price, ofInput] as const),
    [usage.output, prices.output, ofOutput],
  ]
  return times(
    parts.map(([count, price, factor]) => times(rational(BigInt(count)), price, factor)).reduce(plus),
    ofTier,
  )
}

function plus(a: Rational, b: Rational): Rational {
  return minus(a, times(b, rational(-1n)))
}

/** An hour counts apart only where it is dearer. */
function listedPrices(listed: OldListed | null): Prices {
  const of = (text: string | null | undefined) => (text == null ? NONE : usd(text))
  const [write, hour] = [of(listed?.write), of(listed?.hour)]
  return {
    input: of(listed?.input),
    output: of(listed?.output),
    read: of(listed?.read),
    write,
    hour: minus(hour, write).over > 0n ? hour : null,
    priority: listed?.priority == null ? null : usd(listed.priority),
  }
}

function overwrite(prices: Prices, card: OldCard | null): void {
  if (card?.input != null) {
    // The dearer class keeps its proportion.
    if (prices.priority !== null) prices.priority = proportion(prices.priority, prices.input, usd(card.input))
    prices.input = usd(card.input)
  }
  if (card?.output != null) prices.output = usd(card.output)
  if (card?.read != null) prices.read = usd(card.read)
  if (card?.write != null) {
    prices.write = usd(card.write)
    prices.hour = null
  }
}

function proportion(dear: Rational, plain: Rational, other: Rational): Rational {
  return { over: other.over * dear.over * plain.under, under: other.under * dear.under * plain.over }
}

function narrow(prices: Prices, { input, output, read, write, inputTimes, outputTimes }: OldInterval): void {
  if (input !== null) {
    if (prices.priority !== null) prices.priority = proportion(prices.priority, prices.input, usd(input))
    prices.input = usd(input)
  } else if (inputTimes !== null) {
    if (prices.priority !== null) prices.priority = times(prices.priority, usd(inputTimes))
    prices.input = times(prices.input, usd(inputTimes))
  }
  if (output !== null) prices.output = usd(output)
  else if (outputTimes !== null) prices.output = times(prices.output, usd(outputTimes))
  if (read !== null) prices.read = usd(read)
  if (write !== null) {
    prices.write = usd(write)
    prices.hour = null
  }
}

function tierFactor(tier: OldRequest['tier'], card: OldCard | null): Rational {
  if (tier === 'priority' || tier === 'fast') return usd(card?.fast ?? '2')
  return tier === 'flex' ? usd(card?.flex ?? '0.5') : rational(1n)
}
