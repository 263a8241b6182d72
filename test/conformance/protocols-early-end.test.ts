import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isClientWire } from '../../src/core/wire.ts'
import type { EarlyEnd, StreamReader } from '../../src/protocols/protocol.ts'
import { type EarlyEndReader, eventsIn, READERS } from './early-end-readers.ts'
import { cutAt, fixturesOf, playStream, type StreamFixture, streamingProtocols } from './protocols-fixtures.ts'
import { runsInSuite } from '../support/run/suite.ts'

/** Money is held for all of what these bring, so that they are never ended early. */
const HELD_AT_ONCE: readonly string[] = ['openai-images', 'openai-speech', 'openai-transcriptions']

/**
 * A stream that is ended early is a whole answer to its own vendor's SDK, wherever it is ended. One of a wire that no client
 * speaks reaches none (`translation-laws.test.ts` ends those early).
 */
const streaming = streamingProtocols().filter(({ wire }) => isClientWire(wire) && !HELD_AT_ONCE.includes(wire))
const fixtures = streaming.flatMap((protocol) => fixturesOf(protocol))

const END: EarlyEnd = {
  inputTokens: 40,
  outputTokens: 7,
  includeUsage: true,
  model: 'm-1',
  requestId: 'req_01JZ',
  nowMs: 1_760_000_000_500,
}

/** Streams that the SDKs refuse whatever their end, as they lack what the vendor always sends. */
const REFUSED_BY_SDKS = new Map([
  ['openai-chat/reasoning-beside-the-output', 'no role'],
  ['openai-chat/usage-in-every-chunk', 'no role'],
  ['openai-responses/carriage-returns', 'no output_item.added'],
  ['openai-responses/carriage-returns-and-names', 'no output_item.added'],
  ['openai-responses/cut', 'no output_item.added'],
  ['openai-responses/error-event', 'no output_item.added'],
  ['openai-responses/failed', 'no output_item.added'],
  ['openai-responses/incomplete', 'no output_item.added'],
  ['openai-responses/no-deltas-no-event-lines', 'no output_item.added'],
  ['openai-responses/text', 'no content_part.added'],
  ['anthropic-messages/carriage-returns', 'no content_block_start'],
  ['anthropic-messages/compaction', 'no event line before message_start'],
  ['anthropic-messages/usage-at-the-end', 'no event lines'],
])

/** Everything that can have been sent when the stream is ended: nothing, one event, two, and so on to its own end. */
function cutsOf(fixture: StreamFixture): Buffer[][] {
  const events = Buffer.concat(fixture.chunks)
    .toString('latin1')
    .split(/(?<=\n\r?\n)/)
    .filter((event) => /\n\r?\n$/.test(event))
    .map((event) => Buffer.from(event, 'latin1'))
  const reader = fixture.open()
  const end = events.findIndex((event) => {
    reader.push(event)
    return reader.ended
  })
  const whole = end < 0 ? events : events.slice(0, end)
  return [[], ...whole.map((_, i) => whole.slice(0, i + 1))]
}

interface Ended {
  readonly reader: StreamReader
  readonly sent: Buffer
  readonly early: Buffer
  readonly stream: Buffer
}

function endedBehind(fixture: StreamFixture, chunks: readonly Buffer[], how: { keepAlives?: boolean } = {}): Ended {
  const reader = fixture.open()
  const pieces: (Buffer | null)[] = []
  const wait = (): void => void (how.keepAlives === true && pieces.push(reader.keepAlive()))
  wait()
  for (const chunk of chunks) {
    pieces.push(reader.push(chunk))
    wait()
  }
  const sent = Buffer.concat(pieces.filter((piece) => piece !== null))
  const early = reader.finishEarly(END)
  return { reader, sent, early, stream: Buffer.concat([sent, early]) }
}

function readerOf({ protocol }: StreamFixture): EarlyEndReader {
  const reader = READERS[protocol.wire]
  if (reader === undefined) throw new Error(`no reader for early ends of ${protocol.wire}`)
  return reader
}

async function expectReadBySdk(fixture: StreamFixture, events: readonly Buffer[], stream: Buffer): Promise<void> {
  const { bySdk, expected, completesJson } = readerOf(fixture)
  const received = await bySdk(stream)
  const { reasons, texts } = expected(eventsIn(Buffer.concat(events)))
  expect(received.reasons).toEqual(reasons)
  expect(received.texts.length).toBe(texts.length)
  for (const [i, text] of texts.entries()) {
    const got = received.texts[i] ?? ''
    if (completesJson === true && got.startsWith('{')) expectBegins(got, text)
    else expect(got).toBe(text)
  }
}

/** `object` is whole JSON, `begun` the part of it that was sent, with blanks as the model writes them. */
function expectBegins(object: string, begun: string): void {
  const written = begun.replaceAll('": ', '":').replaceAll(', "', ',"')
  const shared = object.replace(/"?\}$/, '')
  expect(written === '' ? '{' : written.slice(0, shared.length)).toBe(shared)
}

describe('streams that are ended early', () => {
  const read = fixtures.filter(({ name }) => !REFUSED_BY_SDKS.has(name))

  test.for(read)('$name: the SDK reads all that came and why it ended, wherever that is', async (fixture) => {
    for (const events of cutsOf(fixture)) {
      const { stream } = endedBehind(fixture, events)
      await expectReadBySdk(fixture, events, stream)
    }
  })

  test.for(read)('$name: the SDK reads it also with keep-alives between all events', async (fixture) => {
    for (const events of cutsOf(fixture)) {
      const { stream } = endedBehind(fixture, events, { keepAlives: true })
      await expectReadBySdk(fixture, events, stream)
    }
  })

  test.for([...REFUSED_BY_SDKS])('%s is refused by the SDK: %s', async ([name]) => {
    const fixture = fixtures.find((one) => one.name === name)
    if (fixture === undefined) throw new Error(`there is no fixture ${name}`)
    const streams = cutsOf(fixture).map((events) => endedBehind(fixture, events).stream)
    const outcomes = await Promise.allSettled(streams.map((stream) => readerOf(fixture).bySdk(stream)))
    expect(outcomes.map(({ status }) => status)).toContain('rejected')
  })

  test.for(fixtures)('$name: one end, which our own reader sees too, and nothing lost or said twice', (fixture) => {
    const { end } = readerOf(fixture)
    for (const events of cutsOf(fixture)) {
      const { early, stream, sent } = endedBehind(fixture, events)
      expect(stream.toString('latin1').match(end)?.length).toBe(1)
      expect(stream.toString('latin1')).toMatch(/\n\n$/)
      const again = playStream(fixture.protocol.openStream({ dropUsageChunk: false }), [stream])
      expect(again.end).toBe('complete')
      expect(again.text).toBe(playStream(fixture.open(), events).text)
      expect(early.toString('latin1').endsWith(again.held)).toBe(true)
      expect(sent.length + early.length).toBe(stream.length)
    }
  })

  test.for(fixtures)('$name: the same wherever the bytes were cut, and half an event is dropped', (fixture) => {
    const cuts = cutsOf(fixture)
    const places = fc.array(fc.nat(4_000), { maxLength: 6 })
    fc.assert(
      fc.property(fc.nat(cuts.length - 1), places, (at, borders) => {
        const events = cuts[at] ?? []
        const whole = Buffer.concat(events)
        const chunks = cutAt(
          whole,
          borders.map((place) => place % (whole.length + 1)),
        )
        const half = Buffer.from('data: {"type":"response.output_item.added","choices":[{"index":9')
        const { early } = endedBehind(fixture, events)
        expect(endedBehind(fixture, [...chunks, half]).early.toString()).toBe(early.toString())
      }),
      { numRuns: runsInSuite(40) },
    )
  })

  test.for(fixtures)('$name: behind its early end nothing comes any more', (fixture) => {
    const { reader } = endedBehind(fixture, cutsOf(fixture).at(-1) ?? [])
    expect(reader.ended).toBe(true)
    expect(reader.keepAlive()).toBeNull()
    expect(reader.push(Buffer.concat(fixture.chunks))).toBeNull()
    expect(reader.finish()).toEqual({ kind: 'complete', held: Buffer.alloc(0) })
    expect(() => reader.finishEarly(END)).toThrow('broken invariant')
  })

  test.for(fixtures)('$name: broken in any way, what ends it is well-formed', (fixture) => {
    const bytes = Buffer.concat(fixture.chunks)
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 8 })
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), (changes, length) => {
        const broken = Buffer.from(bytes)
        for (const [at, byte] of changes) broken[at] = byte
        const reader = fixture.open()
        reader.push(broken.subarray(0, length))
        if (reader.ended) return
        const early = reader.finishEarly(END).toString()
        expect(early).toMatch(/^(?:(?:event: \S+\n)?data: .+\n\n)+$/)
        for (const [, data] of early.matchAll(/^data: (.+)$/gm)) if (data !== '[DONE]') JSON.parse(String(data))
      }),
      { numRuns: runsInSuite(150) },
    )
  })
})
