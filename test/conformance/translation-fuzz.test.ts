import fc from 'fast-check'
import { describe, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import type { HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { StreamEnd } from '../../src/protocols/protocol.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { cutAt } from './protocols-fixtures.ts'
import {
  ANY_MODEL,
  answerFrom,
  bodyOf,
  callOf,
  MODELS,
  streamOf,
  translatedHello,
  translationOf,
} from './translation-by-hand.ts'
import { answers, PAIRS, partsOf, requests, USAGE } from './translation-values.ts'
import { inSuite, runsInSuite } from '../support/run/suite.ts'

/** 16 pairs: together more than 100,000 cases in the long suite. */
const BODIES = 3_400
const STREAMS = 3_400
const WHOLES = 1_700

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** One change somewhere in a JSON value: which place, and what stands there then (undefined: it is taken away). */
interface Change {
  readonly place: number
  readonly value: unknown
  readonly key: string | null
}

const KEYS = [
  'type', 'role', 'content', 'text', 'id', 'name', 'input', 'output', 'arguments', 'index', 'tools', 'parts', 'delta',
  'choices', 'message', 'item', 'response', 'usage', 'functionCall', 'functionResponse', 'candidates', '__proto__',
  'constructor', 'nobody_knows_this',
] // prettier-ignore
const VALUES = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<unknown>(null, '', 0, -1, 1e308, true, [], {}, [null], [{}], 'text', 'tool_use', 'function', 'user'),
  fc.jsonValue({ maxDepth: 2 }),
)
const changes = fc.array(
  fc.record<Change>({
    place: fc.nat(),
    value: VALUES,
    key: fc.option(fc.constantFrom(...KEYS), { nil: null, freq: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
)

/** The value with the changes made, each at one of its objects and lists. */
function changed(value: unknown, list: readonly Change[]): unknown {
  let containers: Container[] = []
  const copy = copied(value, containers)
  list.forEach(({ place, value: next, key }, at) => {
    // Those that the changes before have left.
    if (at > 0) containers = containersIn(copy)
    const container = containers[place % Math.max(1, containers.length)] as { [key: string]: Json } | undefined
    if (container === undefined) return
    const keys = Object.keys(container)
    const chosen = key ?? keys[place % Math.max(1, keys.length)] ?? '0'
    if (next === undefined) delete container[chosen]
    else put(container, chosen, copied(next))
  })
  return copy
}

type Container = Json[] | { [key: string]: Json }

/** A copy as through JSON, in a fifth of its time. What holds others is added to `containers`, outermost first. */
function copied(value: unknown, containers: Container[] = []): Json {
  if (typeof value !== 'object' || value === null) return value as Json
  if (Array.isArray(value)) {
    const list: Json[] = []
    containers.push(list)
    for (const each of value) list.push(copied(each ?? null, containers))
    return list
  }
  const object: { [key: string]: Json } = {}
  containers.push(object)
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue
    put(object, key, copied(each, containers))
  }
  return object
}

/** Sets a key as the parser of JSON would, for which `__proto__` is one like any other. */
function put(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function containersIn(value: Json): Container[] {
  const containers: Container[] = []
  const look = (each: Json): void => {
    if (typeof each !== 'object' || each === null) return
    containers.push(each)
    for (const inner of Object.values(each)) look(inner)
  }
  look(value)
  return containers
}

/** What is damaged: drawn once, since drawing takes longer than what is tested. */
const SAMPLES = inSuite({ long: 150, short: 40 })
const REQUESTS = fc.sample(requests, { numRuns: SAMPLES, seed: 20_261_121 })
const ANSWERS = fc.sample(answers, { numRuns: SAMPLES, seed: 20_261_121 })
/** Each answer in pieces of four sizes. */
const SIZES = fc.sample(fc.integer({ min: 1, max: 30 }), { numRuns: 4 * ANSWERS.length, seed: 20_261_121 })

/** The events of each answer's stream as this provider sends them, at each of its sizes; written once for all its clients. */
const eventsOf = onceFor((upstream) =>
  SIZES.map((size, at) => {
    const answer = answerFrom(upstream, ANSWERS[at % ANSWERS.length] ?? { choices: [] })
    return streamOf(upstream, partsOf(answer, size))
      .toString()
      .split(/(?<=\n\n)/)
  }),
)
/** Whole answers, made once for each upstream. */
const wholesOf = onceFor((upstream) =>
  ANSWERS.map((answer) => SPOKES[upstream].writeAnswer(answerFrom(upstream, answer), callOf(upstream), USAGE)),
)

function onceFor<T>(write: (upstream: HubWire) => readonly T[]): (upstream: HubWire) => fc.Arbitrary<T> {
  const written = new Map<HubWire, fc.Arbitrary<T>>()
  return (upstream) => {
    const some = written.get(upstream) ?? fc.constantFrom(...write(upstream))
    written.set(upstream, some)
    return some
  }
}

/** An `expect` takes a tenth of the time of a case. */
function isTrue(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Only what a caller is to hear of may be thrown. */
function faultOf(step: () => void): string | null {
  try {
    step()
    return null
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

describe('anything at all', { timeout: 600_000 }, () => {
  test.for(PAIRS)('a damaged body from $client to $upstream is carried or refused, and never breaks', (pair) => {
    const { client, upstream } = pair
    const bodies = [true, false].flatMap((isStream) =>
      REQUESTS.map((request) => ({ isStream, body: bodyOf(client, request, isStream) })),
    )
    fc.assert(
      fc.property(fc.constantFrom(...bodies), changes, ({ isStream, body }, list) => {
        const json = changed(body, list) as JsonObject
        const code = faultOf(() => {
          const translated = translationOf(client, json, isStream).to(upstream, {
            model: MODELS[upstream],
            takesLike: ANY_MODEL,
            maxOutputTokens: null,
          })
          isTrue(typeof JSON.parse(translated.body.toString()) === 'object', 'what is sent is an object')
        })
        isTrue(code === null || code === 'request_invalid', `not ${code}`)
      }),
      { numRuns: runsInSuite(BODIES) },
    )
  })

  test.for(PAIRS)('a damaged stream from $upstream to $client ends, and never breaks', ({ client, upstream }) => {
    const translated = translatedHello(client, upstream, true)
    const streams = fc.record({ whole: eventsOf(upstream), list: changes, at: fc.nat() })
    const bytes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 })
    fc.assert(
      fc.property(streams, bytes, fc.array(fc.nat(), { maxLength: 4 }), ({ whole, list, at }, damage, cuts) => {
        const events = [...whole]
        const chosen = at % events.length
        events[chosen] = damagedEvent(events[chosen] ?? '', list)
        const broken = Buffer.from(events.join(''))
        for (const [place, byte] of damage) broken[place % broken.length] = byte
        let end: StreamEnd | null = null
        const code = faultOf(() => {
          const reader = translated.openStream()
          for (const piece of cutAt(
            broken,
            cuts.map((place) => place % broken.length),
          )) {
            if (!reader.ended) reader.push(piece)
          }
          end = reader.finish()
        })
        isTrue(code === null || code === 'upstream_malformed', `not ${code}`)
        isTrue(code !== null || end !== null, 'without a fault there is an end')
      }),
      { numRuns: runsInSuite(STREAMS) },
    )
  })

  test.for(PAIRS)(
    'a damaged whole answer from $upstream to $client is carried or malformed',
    ({ client, upstream }) => {
      const translated = translatedHello(client, upstream, false)
      fc.assert(
        fc.property(wholesOf(upstream), changes, (written, list) => {
          const body = Buffer.from(JSON.stringify(changed(written, list)))
          const code = faultOf(() => {
            const judged = protocolOf(upstream).readAnswer(body)
            if (judged.kind !== 'answer') return
            const passed = translated.answer(body, judged.usage)
            const read = protocolOf(client).readAnswer(passed)
            // Gemini has a word for calls whose arguments are not JSON, which it cannot hold.
            const isMalformed = read.kind === 'failed' && read.error.code === 'MALFORMED_FUNCTION_CALL'
            isTrue(read.kind === 'answer' || isMalformed, 'what is carried is an answer')
          })
          isTrue(code === null || code === 'upstream_malformed', `not ${code}`)
        }),
        { numRuns: runsInSuite(WHOLES) },
      )
    },
  )
})

function damagedEvent(event: string, list: readonly Change[]): string {
  const [head = '', data = ''] = event.split(/data: ?/)
  try {
    return `${head}data: ${JSON.stringify(changed(JSON.parse(data), list))}\n\n`
  } catch {
    return event
  }
}
