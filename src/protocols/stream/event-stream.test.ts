import { describe, expect, test } from 'vitest'
import type { StreamReader } from '../protocol.ts'
import { protocolOf } from '../protocol-of.ts'

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const response = { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 1 } }
const ENDS = {
  'openai-responses': event('response.completed', { type: 'response.completed', response }),
  'anthropic-messages':
    event('message_start', { type: 'message_start', message: { usage: { input_tokens: 1 } } }) +
    event('message_stop', { type: 'message_stop' }),
} as const

const DONE = 'data: [DONE]\n\n'
const COST = `${DONE}: cost 0.1\n\ndata: {"cost":0.1}\r\n\r\n`

/** What the client gets of packets, when the gateway asks for the end as soon as it is seen, or after all of them. */
function passedOn(reader: StreamReader, packets: readonly string[], stopsAtEnd: boolean): string {
  let passed = ''
  for (const packet of packets) {
    passed += reader.push(Buffer.from(packet))?.toString() ?? ''
    if (stopsAtEnd && reader.ended) break
  }
  return passed + reader.finish().held.toString()
}

describe.each(Object.entries(ENDS))('behind the last event of %s', (wire, end) => {
  const open = (): StreamReader => protocolOf(wire as keyof typeof ENDS).openStream({ dropUsageChunk: false })

  test.each([DONE, COST])('%j is passed on event by event, whole or not at all, wherever it is cut', (behind) => {
    const stream = end + behind
    const borders = [...stream.matchAll(/\n\r?\n/g)].map(({ index, 0: line }) => index + line.length)
    const wholes = new Set(borders.map((border) => stream.slice(0, border)))
    for (let cut = 1; cut < stream.length; cut++) {
      const packets = [stream.slice(0, cut), stream.slice(cut)]
      expect(wholes, `cut at ${cut}`).toContain(passedOn(open(), packets, true))
      expect(passedOn(open(), packets, false), `cut at ${cut}, both packets read`).toBe(stream)
    }
  })

  test('an event that the upstream never finishes is dropped', () => {
    expect(passedOn(open(), [`${end}data: [DO`], false)).toBe(end)
    expect(passedOn(open(), [`${end}${DONE}data: [D`], false)).toBe(end + DONE)
  })

  test('more than 64 KB is dropped, and ends between two events', () => {
    const kilobyte = `data: "${'x'.repeat(1014)}"\n\n`
    const packets = [end, ...Array.from({ length: 200 }, () => kilobyte)]
    const held = passedOn(open(), packets, false)
    expect(held.startsWith(end + kilobyte)).toBe(true)
    expect((held.length - end.length) % kilobyte.length).toBe(0)
    expect(held.length).toBeLessThanOrEqual(end.length + 65_536)
    expect(passedOn(open(), [end + kilobyte.repeat(200)], false) === end).toBe(true)
  })
})
