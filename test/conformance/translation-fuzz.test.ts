import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import type { JsonObject } from '../../src/protocols/hub/json-object.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { StreamEnd } from '../../src/protocols/protocol.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { cutAt } from './protocols-fixtures.ts'
import { answerFrom, bodyOf, callOf, MODELS, streamOf, translatedHello, translationOf } from './translation-by-hand.ts'
import { answers, PAIRS, partsOf, requests, USAGE } from './translation-values.ts'

/** 12 pairs: together more than 100,000 cases. */
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
  const copy = JSON.parse(JSON.stringify(value)) as Json
  for (const { place, value: next, key } of list) {
    const containers: (Json[] | { [key: string]: Json })[] = []
    const look = (each: Json): void => {
      if (typeof each !== 'object' || each === null) return
      containers.push(each)
      for (const inner of Object.values(each)) look(inner)
    }
    look(copy)
    const at = containers[place % Math.max(1, containers.length)]
    if (at === undefined) continue
    const keys = Object.keys(at)
    const chosen = key ?? keys[place % Math.max(1, keys.length)] ?? '0'
    if (next === undefined) delete (at as { [key: string]: Json })[chosen]
    else (at as { [key: string]: Json })[chosen] = JSON.parse(JSON.stringify(next)) as Json
  }
  return copy
}

/** What is damaged: drawn once, since drawing takes longer than what is tested. */
const someRequests = fc.constantFrom(...fc.sample(requests, { numRuns: 150, seed: 20_261_121 }))
const someAnswers = fc.constantFrom(...fc.sample(answers, { numRuns: 150, seed: 20_261_121 }))

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
    fc.assert(
      fc.property(someRequests, changes, fc.boolean(), (request, list, isStream) => {
        const json = changed(bodyOf(client, request, isStream), list) as JsonObject
        const code = faultOf(() => {
          const translated = translationOf(client, json, isStream).to(upstream, {
            model: MODELS[upstream],
            maxOutputTokens: null,
          })
          expect(JSON.parse(translated.body.toString())).toBeTypeOf('object')
        })
        expect([null, 'request_invalid']).toContain(code)
      }),
      { numRuns: BODIES },
    )
  })

  test.for(PAIRS)('a damaged stream from $upstream to $client ends, and never breaks', ({ client, upstream }) => {
    const translated = translatedHello(client, upstream, true)
    const streams = fc.record({
      answer: someAnswers,
      size: fc.integer({ min: 1, max: 30 }),
      list: changes,
      at: fc.nat(),
    })
    const bytes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 })
    fc.assert(
      fc.property(streams, bytes, fc.array(fc.nat(), { maxLength: 4 }), ({ answer, size, list, at }, damage, cuts) => {
        const whole = streamOf(upstream, partsOf(answerFrom(upstream, answer), size)).toString()
        const events = whole.split(/(?<=\n\n)/)
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
        expect([null, 'upstream_malformed']).toContain(code)
        if (code === null) expect(end).not.toBeNull()
      }),
      { numRuns: STREAMS },
    )
  })

  test.for(PAIRS)(
    'a damaged whole answer from $upstream to $client is carried or malformed',
    ({ client, upstream }) => {
      const translated = translatedHello(client, upstream, false)
      fc.assert(
        fc.property(someAnswers, changes, (answer, list) => {
          const written = SPOKES[upstream].writeAnswer(answerFrom(upstream, answer), callOf(upstream), USAGE)
          const body = Buffer.from(JSON.stringify(changed(written, list)))
          const code = faultOf(() => {
            const judged = protocolOf(upstream).readAnswer(body)
            if (judged.kind !== 'answer') return
            const passed = translated.answer(body, judged.usage)
            expect(protocolOf(client).readAnswer(passed).kind).toBe('answer')
          })
          expect([null, 'upstream_malformed']).toContain(code)
        }),
        { numRuns: WHOLES },
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
