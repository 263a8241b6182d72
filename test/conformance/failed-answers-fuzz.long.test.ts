import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import { totalOutput } from '../../src/core/tokens.ts'
import { CHAT_WIRES, type ChatWire, HUB_WIRES, type HubWire } from '../../src/core/wire.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { StreamReader } from '../../src/protocols/protocol.ts'
import { eventsBySmithy, framesOf, heardOf } from '../support/aws-frames.ts'
import { fixedSeed, inSuite } from '../support/run/suite.ts'
import {
  type Chance,
  chanceOf,
  damagedFrames,
  damagedStream,
  damagedWhole,
  goodStreams,
  goodWholes,
} from './answer-damage.ts'
import { type Said, saidInStream, saidInWhole } from './answer-oracle.ts'
import { hasGoodEnd, isEnded } from './success-ends.ts'
import { translatedHello } from './translation-by-hand.ts'

/**
 * Cases of each pair, half of them streamed. `FUZZ_CASES=100000` is what a change of the readers is tried with: one to three minutes
 * for a pair.
 */
const CASES = Number(process.env['FUZZ_CASES'] ?? inSuite({ long: 10_000, short: 400 }))
const PAIRS = HUB_WIRES.flatMap((upstream) => CHAT_WIRES.map((client) => ({ upstream, client })))

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
  readonly upstream: HubWire
  readonly client: ChatWire
}

interface Case {
  readonly seed: number
  readonly bytes: string
  readonly chance: Chance
}

/** A stream as it comes to a reader, and what it says to one that has nothing of ours. */
interface Arriving {
  readonly pieces: readonly Buffer[]
  readonly says: string
  /** The frames of the stream were damaged, or an exception ended it. */
  readonly isBroken: boolean
}

function streamed({ upstream, client }: Pair, about: Case): string {
  const { pieces, says, isBroken } = upstream === FRAMED ? inFrames(about) : inPieces(about)
  const reader = open({ upstream, client })
  let sent = ''
  let kind: string
  try {
    for (const piece of pieces) if (!reader.ended) sent += reader.push(piece)?.toString() ?? ''
    const end = isBroken && !reader.ended ? BROKEN : reader.finish()
    kind = end.kind
    if (end.kind === 'complete') sent += end.held.toString()
  } catch (error) {
    return refused(error, about)
  }
  const said = saidInStream(upstream, says, upstream === client)
  if (kind === 'complete') judge(said, { output: totalOutput(reader.usage), about })
  else if (upstream !== client && (hasGoodEnd(client, sent) || isEnded(client, sent)))
    throw new Broken('a failure says that it ended well', about)
  const saysItIsUncut = hasGoodEnd(client, sent) && !CUT_AT_A_LIMIT.test(sent)
  if (kind === 'complete' && upstream !== client && said.hasOpenCall && saysItIsUncut && hasCall(sent)) {
    throw new Broken('a call that is open was closed as complete', about)
  }
  return kind
}

const FRAMED = 'bedrock-converse'
const BROKEN = { kind: 'failed' } as const

function inPieces({ bytes, chance }: Case): Arriving {
  return { pieces: cut(Buffer.from(bytes), chance), says: bytes, isBroken: false }
}

function cut(bytes: Buffer, chance: Chance): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const size = 1 + chance(600)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

/** The stream in frames, by way of the dialect. What Smithy’s codec refuses is what ours must. */
function inFrames(about: Case): Arriving {
  const bytes = damagedFrames(framesOf(FRAMED, about.bytes), about.chance)
  const { pieces, fault } = heardOf(FRAMED, cut(bytes, about.chance))
  const { events, isDamaged } = eventsBySmithy(bytes)
  if (isDamaged !== (fault !== null))
    throw new Broken(`frames are damaged: ${isDamaged}, and the fault is ${fault}`, about)
  return { pieces, says: events, isBroken: fault !== null }
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

/** The words by which a client of messages hears that its calls may be cut, before the event that ends every message. */
const CUT_AT_A_LIMIT = /"stop_reason":"(?:max_tokens|refusal)"/

function hasCall(sent: string): boolean {
  return /"tool_use"|"tool_calls":\[|"type":"function_call"|"functionCall"/.test(sent)
}
