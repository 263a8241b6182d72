import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { FORMS, MENU } from './menu.ts'
import type { LoadKey, Order } from './orders.ts'
import { type Sighting, watch } from './watching-client.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** The model writes at most so many output tokens for each choice. */
const HELD_OUTPUT_TOKENS = 64_000n
/** A refusal is remembered for a moment, and the last requests of a load may not be settled when their clients are done. */
const PAUSE_MS = 40

/**
 * Asks by one key for everything that is left to it: a request that may cost `left` nano-USD and costs little. It can only
 * be admitted when nothing of that is held any more. Tries again for a moment; returns all tries, the last one last. None
 * where less is left than anything costs.
 */
export async function askForAll(
  key: LoadKey,
  about: { left: () => Promise<bigint>; origin: string; label: string },
): Promise<readonly Sighting[]> {
  const agent = new Agent()
  const deadline = performance.now() + PATIENCE_MS
  const sightings: Sighting[] = []
  for (let attempt = 0; ; attempt++) {
    const order = orderForAll(key, { left: await about.left(), tag: `${about.label}-${attempt}` })
    if (order === null) return sightings
    const sighting = await watch(order, { origin: about.origin, agent })
    sightings.push(sighting)
    if (sighting.status === 200 || performance.now() > deadline) return sightings
    await pause(PAUSE_MS)
  }
}

const QUESTION = 'All of it?'
const BODY_BYTES = 120n

function orderForAll(key: LoadKey, { left, tag }: { left: bigint; tag: string }): Order | null {
  const [model] = MENU
  const form = FORMS.find(({ wire, isStream }) => wire === 'openai-chat' && !isStream)
  if (model === undefined || form === undefined) throw new Error('the menu is empty')
  const { choices, outputLimit } = outputFor(left, { key, prices: model.prices })
  if (choices === 0) return null
  const messages = [{ role: 'user', content: QUESTION }]
  const json = JSON.stringify({ model: model.name, messages, max_tokens: outputLimit, n: choices })
  return { tag, form, model, key, body: Buffer.from(json.padEnd(Number(BODY_BYTES), ' ')), hangUp: null }
}

/** How much output costs, with the input, just not more than `left`; no choices where not even one token does. */
function outputFor(
  left: bigint,
  { key, prices }: { key: LoadKey; prices: { output: bigint; cacheWrite: bigint | null } },
): { choices: number; outputLimit: number } {
  const inputTokens = BODY_BYTES / 3n
  const before = (left * 1_000_000_000_000n) / key.multiplier - inputTokens * (prices.cacheWrite ?? 0n)
  const tokens = before / prices.output
  const choices = (tokens + HELD_OUTPUT_TOKENS - 1n) / HELD_OUTPUT_TOKENS
  if (choices < 1n) return { choices: 0, outputLimit: 0 }
  return { choices: Number(choices), outputLimit: Number(tokens / choices) }
}
