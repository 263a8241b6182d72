/** Ten ways in which new-api prices a model, and what it takes for a request by each: the formulas, apart from any import. */
import { nearest, type Rational, rational, readRational, times } from '../../../src/import/rational.ts'

/** What an upstream reports: input without any of the kinds that stand beside it, and output without sound. */
export interface OldUsage {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly written?: number
  readonly writtenForAnHour?: number
  readonly pictures?: number
  readonly soundIn?: number
  readonly soundOut?: number
}

export interface OldModel {
  readonly name: string
  readonly upstream: 'openai' | 'anthropic'
  readonly usage: OldUsage
  /** The cost in its own units of which so many are a USD, before the ratio of the group. */
  cost(perUsd: bigint): Rational
}

/** The options that set them. */
export const OLD_OPTIONS = {
  ModelRatio: '{"plain":1.25,"answers":0.375,"cached":1.5,"writes":1.5,"hours":2.5,"pictures":2,"sound":1.25}',
  CompletionRatio: '{"answers":4,"cached":5,"writes":5,"hours":5,"pictures":3,"sound":4}',
  CacheRatio: '{"cached":0.1,"writes":0.1,"hours":0.1}',
  CreateCacheRatio: '{"writes":1.3}',
  ImageRatio: '{"pictures":1.6}',
  AudioRatio: '{"sound":16}',
  AudioCompletionRatio: '{"sound":2}',
  ModelPrice: '{"fixed":0.0415}',
  'billing_setting.billing_mode': '{"flat":"tiered_expr","short":"tiered_expr","long":"tiered_expr"}',
  'billing_setting.billing_expr': JSON.stringify({
    flat: 'tier("base", p * 2.5 + c * 15 + cr * 0.25)',
    short: 'len <= 2000 ? tier("short", p * 1.25 + c * 10) : tier("long", p * 2.5 + c * 15)',
    long: 'len <= 2000 ? tier("short", p * 1.25 + c * 10) : tier("long", p * 2.5 + c * 15)',
  }),
}

const OF_MILLION = '0.000001'

export const OLD_MODELS: readonly OldModel[] = [
  openai('plain', { input: 1_237, output: 89 }, (u) => ofRatio('1.25', [u.input], [u.output])),
  openai('answers', { input: 1_237, output: 89 }, (u) => ofRatio('0.375', [u.input], [u.output, '4'])),
  openai('cached', { input: 1_001, output: 89, cached: 301 }, (u) =>
    ofRatio('1.5', [u.input], [u.cached, '0.1'], [u.output, '5']),
  ),
  {
    ...openai('writes', { input: 211, output: 89, cached: 301, written: 977 }, (u) =>
      ofRatio('1.5', [u.input], [u.cached, '0.1'], [u.written, '1.3'], [u.output, '5']),
    ),
    upstream: 'anthropic',
  },
  {
    // Its ratio of writes is the standard one, and for an hour they cost 1.6 times that.
    ...openai('hours', { input: 211, output: 89, written: 401, writtenForAnHour: 1_013 }, (u) =>
      ofRatio('2.5', [u.input], [u.written, '1.25'], [u.writtenForAnHour, '1.25', '1.6'], [u.output, '5']),
    ),
    upstream: 'anthropic',
  },
  openai('pictures', { input: 307, output: 89, pictures: 1_105 }, (u) =>
    ofRatio('2', [u.input], [u.pictures, '1.6'], [u.output, '3']),
  ),
  openai('sound', { input: 307, output: 41, soundIn: 703, soundOut: 207 }, (u) =>
    ofRatio('1.25', [u.input], [u.output, '4'], [u.soundIn, '16'], [u.soundOut, '16', '2']),
  ),
  openai('fixed', { input: 1_237, output: 89 }, (_u, perUsd) => times(read('0.0415'), rational(perUsd))),
  openai('flat', { input: 1_237, output: 89, cached: 301 }, (u, perUsd) =>
    ofUsd(perUsd, [u.input, '2.5'], [u.cached, '0.25'], [u.output, '15']),
  ),
  openai('short', { input: 1_237, output: 89 }, (u, perUsd) => ofUsd(perUsd, [u.input, '1.25'], [u.output, '10'])),
  openai('long', { input: 2_001, output: 89 }, (u, perUsd) => ofUsd(perUsd, [u.input, '2.5'], [u.output, '15'])),
]

/** What it takes of a balance in its own units, rounded as it rounds: to the nearest, and never to nothing. */
export function oldUnits(model: OldModel, { groupRatio, perUsd }: { groupRatio: string; perUsd: bigint }): bigint {
  const units = nearest(times(model.cost(perUsd), read(groupRatio)))
  return units > 0n ? units : 1n
}

/** The amount in its own units that is nearest to so many nano-USD. */
export function unitsNear(nano: bigint, perUsd: bigint): bigint {
  return nearest(rational(nano * perUsd, 1_000_000_000n))
}

type Factors = readonly [count: number | undefined, ...ratios: readonly string[]]

function openai(name: string, usage: OldUsage, cost: (usage: OldUsage, perUsd: bigint) => Rational): OldModel {
  return { name, upstream: 'openai', usage, cost: (perUsd) => cost(usage, perUsd) }
}

/** A token at the ratio 1 is a unit, whatever a unit is worth. */
function ofRatio(ratio: string, ...parts: readonly Factors[]): Rational {
  return sum(...parts.map(([count, ...ratios]): Factors => [count, ...ratios, ratio]))
}

/** The cost by an expression: USD for a million tokens. */
function ofUsd(perUsd: bigint, ...parts: readonly Factors[]): Rational {
  return times(sum(...parts.map(([count, ...usd]): Factors => [count, ...usd, OF_MILLION])), rational(perUsd))
}

function sum(...parts: readonly Factors[]): Rational {
  return parts
    .map(([count = 0, ...ratios]) => times(rational(BigInt(count)), ...ratios.map(read)))
    .reduce((a, b) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under }))
}

function read(text: string): Rational {
  const value = readRational(text)
  if (value === null) throw new Error(`${text} is not a number`)
  return value
}
