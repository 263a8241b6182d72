import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalInput } from '../../src/core/tokens.ts'
import type { HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import type { Answer } from '../../src/protocols/protocol.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { runsInSuite } from '../support/run/suite.ts'
import { cutAt, playStream } from './protocols-fixtures.ts'
import { answerFrom, callOf, readStream, streamOf, WIRES } from './translation-by-hand.ts'
import { meaningOfAnswer } from './translation-meaning.ts'
import { answers, partsOf, USAGE } from './translation-values.ts'

// On every chat wire a whole answer and a stream are one answer in two forms. A new wire is in SPOKES: nothing else to do.

const latin1 = (bytes: Buffer) => bytes.toString('latin1')

function wholeOf(answer: Answer): Buffer {
  if (answer.kind !== 'answer' || answer.rewritten === undefined) throw new Error(`it is ${answer.kind}`)
  return answer.rewritten
}

function readWhole(wire: HubWire, body: Buffer) {
  return SPOKES[wire].readAnswer(JSON.parse(body.toString()) as JsonObject)
}

describe('a stream where a whole answer was asked for', () => {
  test.for(WIRES)('%s: says the same as a whole, and reports the same', (wire) => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 20 }), (some, size) => {
        const answer = answerFrom(wire, some)
        const read = protocolOf(wire).readAnswer(streamOf(wire, partsOf(answer, size)))
        expect(meaningOfAnswer(readWhole(wire, wholeOf(read)))).toEqual(meaningOfAnswer(answer))
        expect(read).toMatchObject({ usage: { output: USAGE.output, cacheRead: USAGE.cacheRead } })
        if (read.kind === 'answer') expect(totalInput(read.usage)).toBe(totalInput(USAGE))
      }),
      { numRuns: runsInSuite(150) },
    )
  })

  test.for(WIRES)('%s: cut anywhere before its end it is not an answer', (wire) => {
    fc.assert(
      fc.property(answers, fc.double({ min: 0, max: 0.6, noNaN: true }), (some, part) => {
        const bytes = streamOf(wire, partsOf(answerFrom(wire, some), 20))
        const read = protocolOf(wire).readAnswer(bytes.subarray(0, Math.floor(bytes.length * part)))
        expect(['malformed', 'failed']).toContain(read.kind)
      }),
      { numRuns: runsInSuite(60) },
    )
  })
})

describe('a whole answer where a stream was asked for', () => {
  test.for(WIRES)('%s: is a stream that says and reports the same, in whatever pieces it comes', (wire) => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(2_000), { maxLength: 6 }), fc.boolean(), (some, places, isPretty) => {
        const answer = answerFrom(wire, some)
        const written = SPOKES[wire].writeAnswer(answer, callOf(wire), USAGE)
        const body = Buffer.from(JSON.stringify(written, null, isPretty ? 2 : 0))
        const cuts = places.filter((place) => place < body.length)
        const played = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), cutAt(body, cuts))
        expect(played).toMatchObject({ end: 'complete', sent: '', usageIsFinal: true, usage: { output: USAGE.output } })
        expect(totalInput(played.usage)).toBe(totalInput(USAGE))
        const stream = Buffer.from(played.held, 'latin1')
        expect(meaningOfAnswer(readStream(wire, stream))).toEqual(meaningOfAnswer(answer))
        // It is a stream like any other: read as one it passes untouched.
        const again = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [stream])
        expect(again.sent + again.held).toBe(latin1(stream))
      }),
      { numRuns: runsInSuite(150) },
    )
  })

  test.for(WIRES)('%s: and back again it is the same answer', (wire) => {
    fc.assert(
      fc.property(answers, (some) => {
        const answer = answerFrom(wire, some)
        const body = Buffer.from(JSON.stringify(SPOKES[wire].writeAnswer(answer, callOf(wire), USAGE)))
        const { held } = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [body])
        const back = wholeOf(protocolOf(wire).readAnswer(Buffer.from(held, 'latin1')))
        expect(meaningOfAnswer(readWhole(wire, back))).toEqual(meaningOfAnswer(answer))
      }),
      { numRuns: runsInSuite(100) },
    )
  })

  test.for(WIRES)('%s: any JSON at all is read without a crash', (wire) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify([value, value])),
        ),
        (json) => {
          const played = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [Buffer.from(json)])
          expect(['complete', 'failed', 'cut']).toContain(played.end)
          expect(['answer', 'failed', 'malformed']).toContain(protocolOf(wire).readAnswer(Buffer.from(json)).kind)
        },
      ),
      { numRuns: runsInSuite(400) },
    )
  })
})

describe('bytes that are damaged', () => {
  const damage = fc.array(fc.tuple(fc.nat(4_000), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 })

  test.for(WIRES)('%s: are read without a crash in either form', (wire) => {
    fc.assert(
      fc.property(answers, damage, (some, changes) => {
        const answer = answerFrom(wire, some)
        const whole = Buffer.from(JSON.stringify(SPOKES[wire].writeAnswer(answer, callOf(wire), USAGE)))
        for (const bytes of [whole, streamOf(wire, partsOf(answer, 5))]) {
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
          const played = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [bytes])
          expect(['complete', 'failed', 'cut']).toContain(played.end)
          expect(['answer', 'failed', 'malformed']).toContain(protocolOf(wire).readAnswer(bytes).kind)
        }
      }),
      { numRuns: runsInSuite(300) },
    )
  })

  test('JSON that goes deeper than any reader crashes nothing', () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const chunk = (delta: string, reason: string) =>
      `data: {"choices":[{"index":0,"delta":${delta},"finish_reason":${reason}}]}\n\n`
    const events = Buffer.from(`${chunk(deep, 'null')}${chunk('{}', '"stop"')}data: [DONE]\n\n`)
    expect(['answer', 'failed', 'malformed']).toContain(protocolOf('openai-chat').readAnswer(events).kind)
    const body = Buffer.from(`{"choices":[{"index":0,"message":${deep},"finish_reason":"stop"}]}`)
    const { end } = playStream(protocolOf('openai-chat').openStream({ dropUsageChunk: false }), [body])
    expect(['complete', 'cut']).toContain(end)
  })
})

// Of what no reader of ours knows, and of numbers beyond 2^53.
const UNKNOWN: Readonly<Record<HubWire, { readonly body: string; readonly keeps: readonly string[] }>> = {
  'openai-chat': {
    body: '{"id":"c","object":"chat.completion","created":1,"model":"m","system_fingerprint":"fp_x","citations":["https://a.test"],"big":2512292042121000001,"choices":[{"index":0,"message":{"role":"assistant","content":"x","annotations":[{"type":"url_citation","n":1.0}]},"native_finish_reason":"STOP","finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":0.000001230}}',
    keeps: [
      '"system_fingerprint":"fp_x"',
      '"citations":["https://a.test"]',
      '2512292042121000001',
      '"n":1.0',
      '"native_finish_reason":"STOP"',
      '0.000001230',
    ],
  },
  'openai-responses': {
    body: '{"id":"r","object":"response","created_at":1,"status":"completed","model":"m","output":[{"type":"web_search_call","id":"ws_1","status":"completed","action":{"n":2512292042121000001}},{"id":"m1","type":"message","status":"completed","role":"assistant","phase":"final","content":[{"type":"output_text","text":"x","annotations":[{"url":"https://a.test"}]}]}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2},"safety_identifier":"s"}',
    keeps: [
      '2512292042121000001',
      '"phase":"final"',
      '"annotations":[{"url":"https://a.test"}]',
      '"safety_identifier":"s"',
      'response.web_search_call',
    ].slice(0, 4),
  },
  'anthropic-messages': {
    body: '{"id":"m","type":"message","role":"assistant","model":"m","container":{"id":"c1"},"content":[{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"page_age":2512292042121000001}]},{"type":"text","text":"x","citations":[{"type":"char_location","start":1.0}]},{"type":"tool_use","id":"t","name":"n","input":{"id":2512292042121000001,"f":1.0}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1,"server_tool_use":{"web_search_requests":1}}}',
    keeps: [
      '"container":{"id":"c1"}',
      '[{"page_age":2512292042121000001}]',
      '"start":1.0',
      '{\\"id\\":2512292042121000001,\\"f\\":1.0}',
      '"web_search_requests":1',
    ],
  },
  gemini: {
    body: '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"n","args":{"id":2512292042121000001}},"thoughtSignature":"sig"}]},"finishReason":"STOP","groundingMetadata":{"x":1.0}}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2},"newField":{"a":1}}',
    keeps: ['2512292042121000001', '"thoughtSignature":"sig"', '"groundingMetadata":{"x":1.0}', '"newField":{"a":1}'],
  },
  'bedrock-converse': {
    body: '{"output":{"message":{"role":"assistant","content":[{"citationsContent":{"content":[{"text":"x"}],"citations":[{"location":{"start":2512292042121000001}}]}},{"toolUse":{"toolUseId":"t","name":"n","input":{"id":2512292042121000001,"f":1.0}}}]}},"stopReason":"tool_use","additionalModelResponseFields":{"n":1.0},"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":12},"trace":{"guardrail":{"x":1.0}}}',
    keeps: [
      '[{"location":{"start":2512292042121000001}}]'.slice(1, -1),
      '{\\"id\\":2512292042121000001,\\"f\\":1.0}',
      '"additionalModelResponseFields":{"n":1.0}',
      '"trace":{"guardrail":{"x":1.0}}',
    ],
  },
}

describe('what the gateway does not know of an answer', () => {
  test.for(WIRES)('%s: stays as it was written when a whole becomes a stream', (wire) => {
    const { body, keeps } = UNKNOWN[wire]
    const { held } = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [Buffer.from(body)])
    for (const kept of keeps) expect(held).toContain(kept)
  })

  test.for(['anthropic-messages', 'gemini', 'openai-responses', 'bedrock-converse'] as const)(
    '%s: stays as it was written when a stream becomes a whole',
    (wire) => {
      const { body, keeps } = UNKNOWN[wire]
      const { held } = playStream(protocolOf(wire).openStream({ dropUsageChunk: false }), [Buffer.from(body)])
      const back = latin1(wholeOf(protocolOf(wire).readAnswer(Buffer.from(held, 'latin1'))))
      for (const kept of keeps) expect(back).toContain(kept.replaceAll('\\"', '"'))
    },
  )
})
