import { describe, expect, test } from 'vitest'
import { ANSWERS, eventsOf, type EventsAs } from '../../../test/support/answers-of-wires.ts'
import { ANSWER_LIMIT_BYTES } from '../../core/limits.ts'
import type { ChatWire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'

const BOM = '\u{FEFF}'

function played(wire: ChatWire, packets: readonly Buffer[]): string {
  const reader = protocolOf(wire).openStream({ dropUsageChunk: false })
  const sent = packets.map((packet) => reader.push(packet) ?? Buffer.alloc(0))
  const end = reader.finish()
  expect(end.kind).toBe('complete')
  return Buffer.concat([...sent, end.held]).toString()
}

const events = (wire: ChatWire, how?: EventsAs): string => eventsOf(ANSWERS[wire].events, how)

/** What is written, and what it is to the client. */
const WRITINGS: readonly { what: string; wire: ChatWire; written: string; read: string }[] = [
  ...(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const).flatMap((wire) => [
    { what: 'a byte order mark', wire, written: BOM + events(wire), read: events(wire) },
    { what: 'CR', wire, written: events(wire, { lineEnd: '\r' }), read: events(wire) },
    { what: 'CR LF', wire, written: events(wire, { lineEnd: '\r\n' }), read: events(wire, { lineEnd: '\r\n' }) },
    { what: 'no blank lines', wire, written: events(wire, { blank: '' }), read: events(wire) },
  ]),
  {
    what: 'no names',
    wire: 'anthropic-messages',
    written: events('anthropic-messages', { names: 'none' }),
    read: events('anthropic-messages'),
  },
  {
    what: 'no names behind a named ping',
    wire: 'anthropic-messages',
    written: `event: ping\ndata: {"type":"ping"}\n\n${events('anthropic-messages', { names: 'none' })}`,
    read: `event: ping\ndata: {"type":"ping"}\n\n${events('anthropic-messages')}`,
  },
  {
    what: 'one name for all, CR LF and a byte order mark',
    wire: 'anthropic-messages',
    written: BOM + events('anthropic-messages', { names: { all: 'message' }, lineEnd: '\r\n' }),
    read: events('anthropic-messages', { lineEnd: '\r\n' }).replaceAll(/(event: .*)\r\n/g, '$1\n'),
  },
  {
    what: 'CR and comments',
    wire: 'gemini',
    written: `: wait\r\r${events('gemini', { lineEnd: '\r', before: ': wait\r' })}`,
    read: events('gemini'),
  },
  {
    what: 'blank lines and a comment first',
    wire: 'openai-chat',
    written: `\n\n: wait\n\n${events('openai-chat')}`,
    read: `\n\n: wait\n\n${events('openai-chat')}`,
  },
]

describe.each(WRITINGS)('$what on $wire', ({ wire, written, read }) => {
  const bytes = Buffer.from(written)

  test('is what clients read, wherever the network cuts it', () => {
    expect(played(wire, [bytes])).toBe(read)
    const step = Math.max(1, Math.floor(bytes.length / 100))
    for (let cut = 1; cut < bytes.length; cut += cut < 60 ? 1 : step) {
      expect(played(wire, [bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toBe(read)
    }
  })

  test('is the same byte by byte', () => {
    expect(
      played(
        wire,
        Array.from(bytes, (byte) => Buffer.from([byte])),
      ),
    ).toBe(read)
  })
})

test('once its first event has shown that a stream is as clients read it, its chunks pass as the same objects', () => {
  for (const wire of ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const) {
    const reader = protocolOf(wire).openStream({ dropUsageChunk: false })
    for (const event of ANSWERS[wire].events.slice(0, 3)) {
      const chunk = Buffer.from(eventsOf([event]))
      expect(reader.push(chunk)).toBe(chunk)
    }
  }
})

test('a mark, a comment or half a word is not an answer', () => {
  for (const bytes of [
    '',
    '\u{FEFF}',
    ': wait\n\n',
    ' \r\n',
    'dat',
    ': wait',
    '{',
    '[',
    '[]',
    '{}{',
    'data: [DONE]x',
  ]) {
    const reader = protocolOf('anthropic-messages').openStream({ dropUsageChunk: false })
    expect(reader.push(Buffer.from(bytes)), bytes).toBeNull()
    expect([reader.hasBegun, reader.finish().kind], bytes).toEqual([false, 'cut'])
  }
})

test('an error is known by its name also where the events of the wire have none', () => {
  const reader = protocolOf('gemini').openStream({ dropUsageChunk: false })
  reader.push(Buffer.from(`event: error\ndata: {"message":"overloaded"}\n\n${events('gemini')}`))
  expect(reader.finish()).toMatchObject({ kind: 'failed', error: { message: 'overloaded' } })
})

test('JSON is said to be a whole with its first byte, behind comments and in any pieces, and has not begun before its end', () => {
  const body = `: wait\n\n \u{0}`.replace('\u{0}', JSON.stringify(ANSWERS['openai-chat'].whole))
  const reader = protocolOf('openai-chat').openStream({ dropUsageChunk: false })
  const states = Array.from(Buffer.from(body), (byte) => {
    expect(reader.push(Buffer.from([byte]))).toBeNull()
    return reader.isWhole
  })
  expect(states.indexOf(true)).toBe(body.indexOf('{'))
  expect([reader.hasBegun, reader.ended]).toEqual([false, false])
  expect(reader.finish().kind).toBe('complete')
  expect([reader.hasBegun, reader.ended, reader.usage.output]).toEqual([true, true, 6])
})

test('a whole answer in place of a stream is refused before it fills the memory', () => {
  const reader = protocolOf('openai-chat').openStream({ dropUsageChunk: false })
  const chunk = Buffer.alloc(1024 * 1024, 0x61)
  reader.push(Buffer.from('{"x":"'))
  for (let i = 0; i < ANSWER_LIMIT_BYTES / chunk.length - 1; i++) expect(reader.push(chunk)).toBeNull()
  expect(() => reader.push(chunk)).toThrow(expect.objectContaining({ code: 'upstream_malformed' }))
})
