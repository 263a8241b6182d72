import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import { STREAM_EVENT_LIMIT_BYTES } from '../../src/core/limits.ts'
import { WIRE_NAMES } from '../../src/core/wire.ts'
import { protocolOf, PROTOCOLS } from '../../src/protocols/protocol-of.ts'
import type { Protocol, RequestHead } from '../../src/protocols/protocol.ts'
import {
  cutAt,
  fixturesOf,
  gapsIn,
  outcomeOf,
  playStream,
  type Outcome,
  type StreamFixture,
  streamingProtocols,
} from './protocols-fixtures.ts'
import { runsInSuite } from '../support/run/suite.ts'

/** What every protocol keeps to, in its own way. A new one is in PROTOCOLS and has fixtures: nothing else to do. */
const streaming = streamingProtocols()
/** Wires whose answers may be files, or plain text. */
const WITHOUT_JSON: readonly string[] = ['openai-speech', 'openai-transcriptions']
const inJson = Object.values(PROTOCOLS).filter(({ wire }) => !WITHOUT_JSON.includes(wire))
/** The protocols in which clients send requests. */
const SPOKEN = WIRE_NAMES.map((wire): Protocol => protocolOf(wire))
/** A word in the place where each protocol has it: without one, and without a count, there is no answer. */
const SAID = {
  id: 'x',
  choices: [{ text: 'a', message: { content: 'a' } }],
  content: [{ type: 'text', text: 'a' }],
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }],
  candidates: [{ content: { parts: [{ text: 'a' }] } }],
}
/** Bedrock's answers have another kind of value in a field of that name. */
function saidIn({ wire }: Protocol): object {
  return wire === 'bedrock-converse' ? { output: { message: { content: SAID.content } } } : SAID
}
/** What a line may grow by where the first blank line is lost, so that each line becomes an event; and on a wire whose clients pass over events without a name. */
const LINE_BYTES = '\n'.length
const NAME_BYTES: Readonly<Record<string, number>> = { 'anthropic-messages': 'event: content_block_delta\n'.length }
const fixtures = streaming.flatMap((protocol) => fixturesOf(protocol))

/** Two pieces at every byte for short streams, at up to 400 bytes spread over longer ones; and byte by byte. */
function everyCut(bytes: Buffer): Buffer[][] {
  const step = Math.max(1, Math.floor(bytes.length / 400))
  const halves = Array.from({ length: Math.floor(bytes.length / step) }, (_, i) => cutAt(bytes, [i * step]))
  return [...halves, cutAt(bytes, Array.from(bytes.keys()))]
}

function expectOutcome(outcome: Outcome, { expected }: StreamFixture): void {
  expect(outcome.end).toBe(expected.end)
  expect(outcome.sent).toBe(expected.sent)
  expect(outcome.held).toBe(expected.held)
  expect(outcome.usage).toEqual(expected.usage)
  expect(outcome.usageIsFinal).toBe(expected.usageIsFinal)
  expect(outcome.text).toBe(expected.text)
  expect(outcome.error).toEqual(expected.error)
}

describe('the suite itself', () => {
  test.for(streaming)('$wire has fixtures of every kind of end', (protocol) => {
    const ends = fixturesOf(protocol).map((fixture) => fixture.expected.end)
    expect(new Set(ends)).toEqual(new Set(['complete', 'failed', 'cut']))
  })
})

describe('streams', () => {
  test.for(fixtures)('$name: $what', (fixture) => {
    expectOutcome(outcomeOf(fixture, fixture.chunks), fixture)
  })

  test.for(fixtures)('$name: the same wherever the bytes are cut', (fixture) => {
    const bytes = Buffer.concat(fixture.chunks)
    for (const chunks of everyCut(bytes)) expectOutcome(outcomeOf(fixture, chunks), fixture)
  })

  test.for(fixtures)('$name: the same in any pieces', (fixture) => {
    const bytes = Buffer.concat(fixture.chunks)
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 40 })
    fc.assert(
      fc.property(cuts, (places) => expectOutcome(outcomeOf(fixture, cutAt(bytes, places)), fixture)),
      { numRuns: runsInSuite(60) },
    )
  })

  test.for(fixtures)('$name: whole events only, one end, nothing behind it, usage that never shrinks', (fixture) => {
    const reader = fixture.open()
    let output = 0
    let input = 0
    for (const chunk of cutAt(Buffer.concat(fixture.chunks), [3, 77, 400, 401, 1_000])) {
      const endedBefore = reader.ended
      const sent = reader.push(chunk)
      if (endedBefore) expect(sent).toBeNull()
      if (sent !== null) expect(sent.toString('latin1')).toMatch(/(^|\n\r?\n)[\r\n]*$/)
      const { usage } = reader
      const whole = (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + (usage.cacheWrite1h ?? 0)
      expect(usage.output ?? 0).toBeGreaterThanOrEqual(output)
      expect(whole).toBeGreaterThanOrEqual(input)
      output = usage.output ?? 0
      input = whole
    }
    expect(reader.ended).toBe(fixture.endsByItself)
  })

  test.for(fixtures)('$name: keep-alives between any two events change nothing', (fixture) => {
    const reader = fixture.open()
    const sent: Buffer[] = []
    for (const event of Buffer.concat(fixture.chunks)
      .toString('latin1')
      .split(/(?<=\n\r?\n)/)) {
      sent.push(reader.keepAlive() ?? Buffer.alloc(0), reader.push(Buffer.from(event, 'latin1')) ?? Buffer.alloc(0))
    }
    const end = reader.finish()
    const again = playStream(fixture.protocol.openStream({ dropUsageChunk: false }), [
      Buffer.concat([...sent, end.held]),
    ])
    expect(again.end).toBe(fixture.expected.end)
    expect(again.text).toBe(fixture.expected.text)
  })

  test.for(fixtures)('$name: a fault in the middle is read by its own clients as an error', (fixture) => {
    const fault = new Fault('upstream_timeout', 'The model went silent. Try again.')
    const bytes = Buffer.concat(fixture.chunks)
    for (const chunks of [[], [bytes.subarray(0, Math.floor(bytes.length / 3))]]) {
      const reader = fixture.open()
      const sent = chunks.map((chunk) => reader.push(chunk) ?? Buffer.alloc(0))
      const event = reader.writeFault(fault, 'req_1')
      const client = playStream(fixture.protocol.openStream({ dropUsageChunk: false }), [...sent, event])
      expect(client.end).toBe('failed')
      expect(client.held).toBe(event.toString('latin1'))
      expect(client.error?.message).toBe(fault.message)
    }
  })

  test.for(streaming)('$wire: a chunk of plain events passes as the same object', (protocol) => {
    const chunk = Buffer.from('data: {"type":"unknown","delta":{}}\n\ndata: {"a":1}\r\n\r\n')
    expect(protocol.openStream({ dropUsageChunk: true }).push(chunk)).toBe(chunk)
  })

  test.for(streaming)('$wire: an event without end is refused before it fills the memory', (protocol) => {
    const reader = protocol.openStream({ dropUsageChunk: false })
    const chunk = Buffer.alloc(1024 * 1024, 0x61)
    const chunks = Math.ceil(STREAM_EVENT_LIMIT_BYTES / chunk.length)
    for (let i = 0; i < chunks; i++) expect(reader.push(chunk)).toBeNull()
    expect(() => reader.push(chunk)).toThrow(expect.objectContaining({ code: 'upstream_malformed' }))
  })

  test.for(fixtures)('$name: broken in any way it ends all the same, and nothing is invented', (fixture) => {
    const bytes = Buffer.concat(fixture.chunks)
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 8 })
    fc.assert(
      fc.property(damage, fc.array(fc.nat(bytes.length), { maxLength: 6 }), (changes, places) => {
        const broken = Buffer.from(bytes)
        for (const [at, byte] of changes) broken[at] = byte
        const outcome = outcomeOf(fixture, cutAt(broken, places))
        expect(['complete', 'failed', 'cut']).toContain(outcome.end)
        // A failed stream that ends without its blank line gets one, and events whose names or blank lines are lost get them back.
        const added = LINE_BYTES + (NAME_BYTES[fixture.protocol.wire] ?? 0)
        const most = broken.length + 2 + added * broken.toString('latin1').split('\n').length
        expect(outcome.sent.length + outcome.held.length).toBeLessThanOrEqual(most)
      }),
      { numRuns: runsInSuite(120) },
    )
  })

  test.for([
    [0, 196],
    [0, 196, 325],
  ])(
    'a last event of a stream whose first one was lost is not taken for a whole answer, though its counts name messages (bytes %s)',
    (lost) => {
      const fixture = fixtures.find(({ name }) => name === 'anthropic-messages/compaction')
      if (fixture === undefined) throw new Error('there is no such fixture')
      const broken = Buffer.concat(fixture.chunks)
      for (const at of lost) broken[at] = 0
      expect(outcomeOf(fixture, [broken]).sent.match(/message_start/g)).toHaveLength(1)
    },
  )

  test.for(streaming)('$wire: any bytes at all are read without a crash', (protocol) => {
    const words = [
      'data:',
      'event:',
      '\n',
      '\r\n',
      '{"',
      '"delta":',
      '"usage":',
      '"error"',
      '_tokens"',
      '[DONE]',
      '"',
      '\\',
      '}',
      'é',
    ]
    const piece = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 6 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.boolean(), (pieces, dropUsageChunk) => {
        const outcome = playStream(
          protocol.openStream({ dropUsageChunk }),
          pieces.map((text) => Buffer.from(text)),
        )
        expect(['complete', 'failed', 'cut']).toContain(outcome.end)
      }),
    )
  })
})

/** JSON as clients write it: any spacing, any unknown fields, the model anywhere among them. */
const requestBodies = fc
  .record({
    model: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fields: fc.dictionary(
      fc
        .string({ maxLength: 12 })
        .filter((key) => !/^(?:model|stream|n|input|background|__proto__)$|max_|stream_/i.test(key)),
      fc.jsonValue({ maxDepth: 4 }),
      { maxKeys: 8 },
    ),
    messages: fc.array(fc.record({ role: fc.constant('user'), content: fc.string({ unit: 'grapheme' }) })),
    stream: fc.constantFrom(undefined, null, true, false),
    streamOptions: fc.constantFrom(
      undefined,
      null,
      {},
      { include_usage: false },
      { include_usage: true, x: [1] },
      { y: '}' },
    ),
    indent: fc.constantFrom(undefined, 1, '\t'),
    modelLast: fc.boolean(),
    around: fc.constantFrom('', ' ', '\n', '\r\n\t'),
  })
  .map(({ model, fields, messages, stream, streamOptions, indent, modelLast, around }) => {
    // Each wire has its conversation in one of the three; a body with another wire's alone is refused.
    const conversation = { messages, input: messages, contents: messages }
    const rest = { ...fields, ...conversation, stream, stream_options: streamOptions }
    const request = modelLast ? { ...rest, model } : { model, ...rest }
    return Buffer.from(around + JSON.stringify(request, null, indent) + around)
  })

/** Reads a request; a wire that has model and stream in its path gets there what its body says. */
function headOf(protocol: Protocol, body: Buffer): RequestHead {
  if (protocol.pathOf === undefined) return protocol.readRequest(body)
  const { model, stream } = JSON.parse(body.toString()) as { model: string; stream?: boolean }
  return protocol.readRequest(body, { fromPath: { model, isStream: stream === true } })
}

describe('requests', () => {
  test.for(SPOKEN)('$wire: reads what JSON.parse reads', (protocol) => {
    fc.assert(
      fc.property(requestBodies, (body) => {
        const parsed = JSON.parse(body.toString()) as Record<string, unknown>
        const head = headOf(protocol, body)
        expect(head.model).toBe(parsed['model'])
        // Speech streams by another field.
        expect(head.stream).toBe(protocol.streams && protocol.wire !== 'openai-speech' && parsed['stream'] === true)
        expect(head.estimatedInputTokens).toBeGreaterThan(0)
        expect(head.estimatedInputTokens).toBeLessThanOrEqual(body.length)
      }),
    )
  })

  test.for(SPOKEN)('$wire: everything but the model reaches the upstream byte for byte', (protocol) => {
    fc.assert(
      fc.property(requestBodies, fc.string({ minLength: 1 }), fc.boolean(), (body, model, askForUsage) => {
        const head = headOf(protocol, body)
        const pieces = protocol.rewriteRequest(body, head, { model, askForUsage })
        const request = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>
        const before = JSON.parse(body.toString()) as Record<string, unknown>
        // Left out is the model's name, and `null` or `false` where usage is asked for instead.
        const gaps = gapsIn(body, pieces)?.filter((gap) => gap !== 'null' && gap !== 'false')
        expect(gaps).toEqual(model === head.model ? [] : [JSON.stringify(head.model)])
        expect({ ...request, stream_options: null }).toEqual({ ...before, model, stream_options: null })
        const asked = ['openai-chat', 'openai-completions'].includes(protocol.wire) && askForUsage
        const options = before['stream_options']
        expect(request['stream_options']).toEqual(asked ? { ...(options as object), include_usage: true } : options)
      }),
    )
  })

  test.for(SPOKEN)('$wire: a body that needs no change is the same object', (protocol) => {
    const body = Buffer.from('{"model":"caf\\u00e9","stream":true,"messages":[],"input":"x","contents":[]}')
    const head = headOf(protocol, body)
    expect(protocol.rewriteRequest(body, head, { model: 'café', askForUsage: false })).toEqual([body])
  })

  test.for(SPOKEN)('$wire: broken bodies are refused as the request’s fault, or read', (protocol) => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(requestBodies, damage, fc.nat(), (body, changes, length) => {
        const broken = Buffer.from(body.subarray(0, length % 4 === 0 ? length % body.length : body.length))
        for (const [at, byte] of changes) broken[at % Math.max(1, broken.length)] = byte
        try {
          const { model, places } = protocol.readRequest(broken, { fromPath: { model: 'm', isStream: false } })
          if (protocol.pathOf === undefined) expect(places.model.end).toBeGreaterThan(places.model.start)
          else expect(model).toBe('m')
        } catch (fault) {
          expect(fault).toBeInstanceOf(Fault)
          expect((fault as Fault).code).toBe('request_invalid')
        }
      }),
      { numRuns: runsInSuite(400) },
    )
  })
})

describe('answers', () => {
  test.for(inJson)('$wire: anything but a JSON object is malformed, and says why', (protocol) => {
    for (const body of ['', 'null', '[]', '"a"', '{', '{"a":"', '{"a":[}', '<html></html>', '{} {}']) {
      expect(protocol.readAnswer(Buffer.from(body)), body).toMatchObject({
        kind: 'malformed',
        why: expect.any(String) as string,
      })
    }
  })

  test.for(Object.values(PROTOCOLS))('$wire: an answer that reports nothing counts nothing', (protocol) => {
    const answer = protocol.readAnswer(Buffer.from(JSON.stringify({ ...saidIn(protocol), usage: null })))
    const nothing = {
      input: null,
      cacheRead: null,
      cacheWrite: null,
      cacheWrite1h: null,
      output: null,
      reasoning: null,
    }
    expect(answer).toMatchObject({ kind: 'answer', usage: nothing })
  })

  test.for(Object.values(PROTOCOLS))('$wire: any answer and any error answer is read without a crash', (protocol) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.string().map((text) => `{"usage":${text}}`),
        ),
        (text) => {
          const answer = protocol.readAnswer(Buffer.from(text))
          if (answer.kind !== 'malformed') expect(typeof answer.producedText()).toBe('string')
          expect(Object.keys(protocol.readError(Buffer.from(text)))).toEqual(['message', 'type', 'code', 'param'])
        },
      ),
    )
  })

  test.for(Object.values(PROTOCOLS))('$wire: invalid counts are not reported', (protocol) => {
    fc.assert(
      fc.property(fc.constantFrom(-1, 1.5, '1.5', '-7', 'seven', null, true, [], {}), (count) => {
        const usage = { prompt_tokens: count, completion_tokens: count, input_tokens: count, output_tokens: count }
        const answer = protocol.readAnswer(Buffer.from(JSON.stringify({ ...saidIn(protocol), usage })))
        expect(answer).toMatchObject({ kind: 'answer', usage: { input: null } })
      }),
    )
  })
})
