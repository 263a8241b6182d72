/** Token counts: what an answer reports as used, and how they are derived when a test doesn't name them. */
import { crc32 } from 'node:zlib'

/**
 * Tokens of one answer. `input`, `cached` and `cacheWrite` don't overlap (the OpenAI wires report their sum as the
 * prompt, the messages wire reports each apart); `reasoning` is a part of `output`.
 */
export interface Usage {
  readonly input: number
  readonly cached: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

export const NO_TOKENS: Usage = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    cached: left.cached + right.cached,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
  }
}

/** All input tokens, as the OpenAI wires count them. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cached + usage.cacheWrite
}

/** What was used when about half of the answer had been written: the earlier number of a growing count. */
export function halfOfOutput(usage: Usage): Usage {
  return { ...usage, output: Math.floor(usage.output / 2), reasoning: Math.floor(usage.reasoning / 2) }
}

/**
 * Usage that follows from the bytes of the body, so it is the same for the same body and it cannot be guessed without
 * reading the answer. Never more input tokens than a third of the body's bytes, never more output than the answer's.
 */
export function deriveUsage(body: Buffer, answerBytes: number): Usage {
  const seed = crc32(body)
  const sixth = Math.floor(body.length / 6)
  const prompt = 1 + sixth + (seed % (sixth + 1))
  const cached = seed % 3 === 0 ? Math.floor(prompt / 2) : 0
  const cacheWrite = seed % 7 === 0 ? Math.floor(prompt / 5) : 0
  const output = answerBytes === 0 ? 0 : 1 + ((seed >>> 8) % Math.ceil(answerBytes / 2))
  const reasoning = seed % 5 === 0 ? Math.floor(output / 3) : 0
  return { input: prompt - cached - cacheWrite, cached, cacheWrite, output, reasoning }
}
