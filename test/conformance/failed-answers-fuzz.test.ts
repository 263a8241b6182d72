import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import { totalOutput } from '../../src/core/tokens.ts'
import { CHAT_WIRES, type ChatWire } from '../../src/core/wire.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { StreamReader } from '../../src/protocols/protocol.ts'
import { fixedSeed, inSuite } from '../support/run/suite.ts'
import { type Chance, chanceOf, damagedStream, damagedWhole, goodStreams, goodWholes } from './answer-damage.ts'
import { type Said, saidInStream, saidInWhole } from './answer-oracle.ts'
import { hasGoodEnd, isEnded } from './success-ends.ts'
import { translatedHello } from './translation-by-hand.ts'

/**
 * Cases of each pair, half of them streamed. `FUZZ_CASES=100000` is what a change of the readers is tried with: one to three minutes
 * for a pair.
 */
const CASES = Number(process.env['FUZZ_CASES'] ?? inSuite({ long: 10_000, short: 400 }))
const PAIRS = CHAT_WIRES.flatMap((upstream) => CHAT_WIRES.map((client) => ({ upstream, client })))

/** One damaged answer that broke a law. */
class Broken extends Error {
  constructor(law: string, about: { seed: number; bytes: string }) {
    super(`${law}: seed ${about.seed}\n${about.bytes.slice(-1200)}`)
  }
}

describe('damaged and odd answers', { timeout: 3_600_000 }, () => {
  test.for(PAIRS)(
    'of $upstream for $client: none breaks a reader, ends well without a good end, or is charged beyond what came',
    ({ upstream, client }) => {
      const first = fixedSeed(process.env) ?? randomInt(2 ** 31)
      const [streams, wholes] = [goodStreams(upstream), goodWholes(upstream)]
      const kinds = new Map<string, number>()
      for (let at = 0; at < CASES; at++) {
        const seed = first + at
        const chance = chanceOf(seed)
        const isStream = at % 2 === 0
        const bytes = isStream
          ? damagedStream(streams[chance(streams.length)] ?? [], chance)
          : damagedWhole(wholes[chance(wholes.length)] ?? '', chance)
        const kind = isStream
          ? streamed({ upstream, client }, { seed, bytes, chance })
          : whole({ upstream, client }, { seed, bytes })
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
      // Both kinds are many, or nothing was tried.
      expect(kinds.get('complete') ?? 0).toBeGreaterThan(CASES / 50)
      expect(kinds.get('failed') ?? 0).toBeGreaterThan(CASES / 50)
    },
  )
})

interface Pair {
  readonly upstream: ChatWire
  readonly client: ChatWire
}

function streamed({ upstream, client }: Pair, about: { seed: number; bytes: string; chance: Chance }): string {
  const { bytes, chance } = about
  const reader = open({ upstream, client })
  let sent = ''
  let kind: string
  try {
    for (let at = 0; at < bytes.length && !reader.ended;) {
      const size = 1 + chance(600)
      sent += reader.push(Buffer.from(bytes.slice(at, at + size)))?.toString() ?? ''
      at += size
    }
    const end = reader.finish()
    kind = end.kind
    if (kind === 'complete') sent += end.held.toString()
  } catch (error) {
    return refused(error, about)
  }
  const said = saidInStream(upstream, bytes, upstream === client)
  if (kind === 'complete') judge(said, { output: totalOutput(reader.usage), about })
  else if (upstream !== client && (hasGoodEnd(client, sent) || isEnded(client, sent)))
    throw new Broken('a failure says that it ended well', about)
  if (kind === 'complete' && upstream !== client && said.hasOpenCall && hasGoodEnd(client, sent) && hasCall(sent)) {
    throw new Broken('a call that is open was closed as complete', about)
  }
  return kind
}

function open({ upstream, client }: Pair): StreamReader {
  const protocol = protocolOf(upstream)
  if (upstream !== client) return translatedOf({ upstream, client }, true).openStream()
  if (!protocol.streams) throw new Error('a chat wire has streams')
  return protocol.openStream({ dropUsageChunk: false })
}

function whole({ upstream, client }: Pair, about: { seed: number; bytes: string }): string {
  const body = Buffer.from(about.bytes)
  try {
    const answer = protocolOf(upstream).readAnswer(body, { isTranslated: upstream !== client })
    if (answer.kind !== 'answer') return 'failed'
    if (upstream !== client) translatedOf({ upstream, client }, false).answer(body, answer.usage)
    judge(saidInWhole(upstream, about.bytes, upstream === client), {
      output: totalOutput(answer.usage),
      about,
      isWhole: true,
    })
    return 'complete'
  } catch (error) {
    return refused(error, about)
  }
}

const translations = new Map<string, ReturnType<typeof translatedHello>>()

function translatedOf({ upstream, client }: Pair, isStream: boolean): ReturnType<typeof translatedHello> {
  const key = `${upstream} ${client} ${isStream}`
  const known = translations.get(key) ?? translatedHello(client, upstream, isStream)
  translations.set(key, known)
  return known
}

/** Only what a caller is to hear of may be thrown. */
function refused(error: unknown, about: { seed: number; bytes: string }): string {
  if (error instanceof Broken) throw error
  if (error instanceof Fault && error.code === 'upstream_malformed') return 'failed'
  throw new Broken(`a reader threw ${String(error)}`, about)
}

function judge(
  said: Said,
  {
    output,
    about,
    isWhole = false,
  }: { output: number | null; about: { seed: number; bytes: string }; isWhole?: boolean },
): void {
  if (said.failure !== null) throw new Broken(`${said.failure} was taken for a good answer`, about)
  if (!said.hasEnded && !isWhole) throw new Broken('a stream without an end was taken for a good answer', about)
  if (output !== null && output > (said.mostOutput ?? 0))
    throw new Broken('more output is charged than was reported', about)
}

function hasCall(sent: string): boolean {
  return /"tool_use"|"tool_calls":\[|"type":"function_call"|"functionCall"/.test(sent)
}
