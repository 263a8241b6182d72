import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalInput } from '../../src/core/tokens.ts'
import type { HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import type { NeutralAnswer } from '../../src/protocols/hub/neutral-answer.ts'
import type { NeutralRequest } from '../../src/protocols/hub/neutral-request.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { cutAt, playStream } from './protocols-fixtures.ts'
import {
  answerFrom,
  bodyOf,
  callOf,
  ANY_MODEL,
  MODELS,
  read,
  readStream,
  streamOf,
  translatedHello,
  translationOf,
  WIRES,
} from './translation-by-hand.ts'
import { meaningOf, meaningOfAnswer } from './translation-meaning.ts'
import { answers, PAIRS, partsOf, requests, USAGE } from './translation-values.ts'
import { runsInSuite } from '../support/run/suite.ts'

/** What every pair of wires keeps to. A new wire is in SPOKES: nothing else to do. */

/** Converse has no word for tools that are there and may not be called (`write-tools.ts` of its spoke). */
function canSay(wire: HubWire, { toolChoice }: NeutralRequest): boolean {
  return wire !== 'bedrock-converse' || toolChoice?.kind !== 'none'
}

describe('requests', () => {
  test.for(WIRES)('%s: what it writes it reads as the same', (wire) => {
    fc.assert(
      fc.property(requests, (request) => {
        fc.pre(canSay(wire, request))
        const asked = meaningOf(request) as { limits: unknown[] }
        const got = meaningOf(read(wire, bodyOf(wire, request))) as { limits: unknown[] }
        if (asked.limits[0] === null) got.limits[0] = null
        expect(got).toEqual(asked)
      }),
      { numRuns: runsInSuite(200) },
    )
  })

  test.for(PAIRS)('from $client to $upstream: the meaning is kept', ({ client, upstream }) => {
    fc.assert(
      fc.property(requests, (request) => {
        fc.pre(canSay(upstream, request))
        const translated = translationOf(client, bodyOf(client, request)).to(upstream, {
          model: MODELS[upstream],
          takesLike: ANY_MODEL,
          maxOutputTokens: null,
        })
        const body = JSON.parse(translated.body.toString()) as JsonObject
        const asked = meaningOf(request) as { limits: unknown[] }
        const got = meaningOf(read(upstream, body)) as { limits: unknown[] }
        // Anthropic's wire has to name a limit, where the request names none.
        if (asked.limits[0] === null) got.limits[0] = null
        expect(got).toEqual(asked)
      }),
      { numRuns: runsInSuite(150) },
    )
  })
})

describe('answers', () => {
  test.for(WIRES)('%s: a whole answer that it writes it reads as the same', (wire) => {
    fc.assert(
      fc.property(answers, (some) => {
        const answer = answerFrom(wire, some)
        const written = SPOKES[wire].writeAnswer(answer, callOf(wire), USAGE)
        const body = Buffer.from(JSON.stringify(written))
        expect(meaningOfAnswer(SPOKES[wire].readAnswer(JSON.parse(body.toString()) as JsonObject))).toEqual(
          meaningOfAnswer(answer),
        )
        const metered = protocolOf(wire).readAnswer(body)
        expect(metered).toMatchObject({ kind: 'answer', usage: { output: USAGE.output, cacheRead: USAGE.cacheRead } })
        if (metered.kind === 'answer') expect(totalInput(metered.usage)).toBe(totalInput(USAGE))
      }),
      { numRuns: runsInSuite(200) },
    )
  })

  test.for(PAIRS)('from $upstream to $client: whole answers keep their meaning and usage', ({ client, upstream }) => {
    fc.assert(
      fc.property(answers, (some) => {
        const answer = answerFrom(upstream, some)
        const body = Buffer.from(JSON.stringify(SPOKES[upstream].writeAnswer(answer, callOf(upstream), USAGE)))
        const translated = translatedHello(client, upstream, false)
        const written = translated.answer(body, USAGE)
        const got = SPOKES[client].readAnswer(JSON.parse(written.toString()) as JsonObject)
        expect(meaningOfAnswer(got)).toEqual(meaningOfAnswer(answer))
        const metered = protocolOf(client).readAnswer(written)
        expect(metered).toMatchObject({ kind: 'answer', usage: { output: USAGE.output, cacheRead: USAGE.cacheRead } })
      }),
      { numRuns: runsInSuite(100) },
    )
  })
})

describe('streams', () => {
  test.for(WIRES)('%s: a stream that it writes it reads as the same, and it is complete', (wire) => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 20 }), (some, size) => {
        const answer = answerFrom(wire, some)
        const bytes = streamOf(wire, partsOf(answer, size))
        expect(meaningOfAnswer(readStream(wire, bytes))).toEqual(meaningOfAnswer(answer))
        const metered = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [bytes])
        expect(metered).toMatchObject({ end: 'complete', usageIsFinal: true, usage: { output: USAGE.output } })
        expect(totalInput(metered.usage)).toBe(totalInput(USAGE))
      }),
      { numRuns: runsInSuite(150) },
    )
  })

  test.for(PAIRS)('from $upstream to $client: the same in any pieces, one end, one meaning', ({ client, upstream }) => {
    const translated = translatedHello(client, upstream, true)
    fc.assert(
      fc.property(
        answers,
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(4_000), { maxLength: 12 }),
        (some, size, cuts) => {
          const answer = answerFrom(upstream, some)
          const bytes = streamOf(upstream, partsOf(answer, size))
          const whole = playStream(translated.openStream(), [bytes])
          expect(whole.end).toBe('complete')
          const pieces = cutAt(
            bytes,
            cuts.map((at) => at % bytes.length),
          )
          const cut = playStream(translated.openStream(), pieces)
          expect(cut.sent + cut.held).toBe(whole.sent + whole.held)
          const written = Buffer.from(whole.sent + whole.held, 'latin1')
          expect(meaningOfAnswer(readStream(client, written))).toEqual(meaningOfAnswer(answer))
          const metered = playStream(protocolOf(client).openStream({ dropUsageChunk: false }), [written])
          expect(metered).toMatchObject({ end: 'complete', usageIsFinal: true, usage: { output: USAGE.output } })
          expect(totalInput(metered.usage)).toBe(totalInput(USAGE))
        },
      ),
      { numRuns: runsInSuite(100) },
    )
  })

  test.for(PAIRS)(
    'from $upstream to $client: cut at any byte nothing says that it was whole',
    ({ client, upstream }) => {
      const translated = translatedHello(client, upstream, true)
      const answer: NeutralAnswer = {
        choices: [{ blocks: [{ kind: 'text', text: 'Hello there' }], stop: { reason: 'end', sequence: null } }],
      }
      const bytes = streamOf(upstream, partsOf(answer, 4))
      for (let length = 0; length < bytes.length; length += 7) {
        const reader = translated.openStream()
        const sent = reader.push(bytes.subarray(0, length))?.toString('latin1') ?? ''
        const own = playStream(protocolOf(client).openStream({ dropUsageChunk: false }), [Buffer.from(sent, 'latin1')])
        expect(own.end === 'complete' && own.held !== '').toBe(false)
        if (reader.finish().kind === 'complete') expect(length).toBeGreaterThan(bytes.length / 2)
      }
    },
  )

  test.for(PAIRS)(
    'from $upstream to $client: ended early it is an answer that reached its limit',
    ({ client, upstream }) => {
      const translated = translatedHello(client, upstream, true)
      fc.assert(
        fc.property(answers, fc.nat(), (some, at) => {
          const parts = partsOf(answerFrom(upstream, some), 3)
          const begun = parts.slice(0, at % parts.length)
          const writer = SPOKES[upstream].openWriter(callOf(upstream))
          const reader = translated.openStream()
          const sent = reader.push(Buffer.from(begun.map((part) => writer.write(part)).join('')))
          const about = { includeUsage: true, model: 'm', requestId: 'req_1', nowMs: 1_790_000_000_000 }
          const rest = reader.finishEarly({ inputTokens: 100, outputTokens: 40, ...about })
          const written = Buffer.concat([sent ?? Buffer.alloc(0), rest])
          const metered = playStream(protocolOf(client).openStream({ dropUsageChunk: false }), [written])
          expect(metered).toMatchObject({ end: 'complete', usage: { output: 40 } })
          expect(readStream(client, written).choices[0]?.stop.reason ?? 'length').toBe('length')
        }),
        { numRuns: runsInSuite(60) },
      )
    },
  )
})
