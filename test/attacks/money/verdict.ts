/** What must hold of a case that was played, in nano-USD. */
import { parseUsd } from '../../../src/core/money.ts'
import { CENT_USD } from './purses.ts'
import { CONTEXT_TOKENS } from './open-models.ts'
import { type Outcome, type Played } from './play-cases.ts'
import { INPUT_PRICE, OUTPUT_PRICE, STEP, usd } from './bill.ts'
import type { MoneyCase } from './money-case.ts'

/** Two tokenizers differ: so much less than the provider's bill may be charged where it reported nothing, in percent. */
const OWN_COUNT_PERCENT = 3n
/** A few tokens of input, which each provider adds or doesn't. */
const FEW_TOKENS = 10n * INPUT_PRICE
/** What an upstream writes before it hears that it was cancelled: two pieces of 25 words, as this one writes them. */
const MOMENT = 50n * OUTPUT_PRICE

/** The most that may be charged of a purse, however many requests run at once. */
function boundOf(one: MoneyCase, { alone, together: { served } }: Pick<Played, 'alone' | 'together'>): bigint {
  const purse = parseUsd(one.purseUsd ?? CENT_USD)
  const steps = purse + BigInt(served) * STEP
  const single = purse + (alone.charged > alone.dearest ? alone.charged : alone.dearest)
  return one.bound !== 'steps' && single > steps ? single : steps
}

/** One sentence for each way in which a case got more than it paid for. */
export function breaches(played: Played): string[] {
  const { one, alone, together } = played
  const found: string[] = []
  const bound = boundOf(one, played)
  // What a provider bills beyond the context that its model has here is charged to nothing.
  if (together.billed > bound && one.rule !== 'beyond-context')
    found.push(`at once: ${about(together)}, more than the bound of ${usd(bound)}`)
  const purse = parseUsd(one.purseUsd ?? CENT_USD)
  if (one.bound === 'calls' && together.fees > purse) found.push(`at once: ${usd(together.fees)} for calls alone`)
  if (one.isRefused === true && alone.served + together.served > 0) found.push('it was not refused')
  if (one.isRefused !== true && one.family === 'tools' && alone.fees === 0n) found.push('it called no tool')
  if (together.charged > bound) found.push(`at once: ${about(together)}, charged more than the bound of ${usd(bound)}`)
  if (alone.charged < leastOf(one, alone)) found.push(`alone: ${about(alone)}`)
  if (together.charged < leastOf(one, together)) found.push(`at once: ${about(together)}`)
  return found.map((sentence) => `${one.wire}: ${one.name}, ${sentence}`)
}

/** The least that has to be charged for what was billed. */
function leastOf({ rule }: MoneyCase, { billed, served, input }: Outcome): bigint {
  const readable = BigInt(served * CONTEXT_TOKENS)
  if (rule === 'beyond-context') return input > readable ? (billed * readable) / BigInt(input) : billed
  // Of the input alone; how much that was is known from the words that were sent.
  if (rule === 'left-early') return BigInt(served) * 4_000n * INPUT_PRICE
  if (rule === null || rule === 'at-the-bound') return billed
  if (rule === 'cancelled') return billed - BigInt(served) * MOMENT
  // Alone there is money enough, and no stream is ended.
  if (rule === 'ignores-limit') return served > 1 ? 0n : billed
  const allowed = (billed * OWN_COUNT_PERCENT) / 100n + BigInt(served) * FEW_TOKENS
  return billed - allowed
}

function about({ served, billed, charged, faults }: Outcome): string {
  const refusals = faults.length === 0 ? '' : ` (${faults.join(', ')})`
  return `${served} served, billed ${usd(billed)}, charged ${usd(charged)}${refusals}`
}
