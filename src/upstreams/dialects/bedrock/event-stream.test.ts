import { randomBytes, randomInt } from 'node:crypto'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, it } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '../../../../test/support/growth.ts'
import { type StreamFrame, FrameFlaw, FrameReader } from './event-stream.ts'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)

type MessageHeaders = Parameters<EventStreamCodec['encode']>[0]['headers']

describe('FrameReader', () => {
  it('reads what Smithy writes, whatever cuts the stream comes in', () => {
    for (let round = 0; round < 300; round++) {
      const sent = Array.from({ length: randomInt(1, 6) }, () => randomMessage())
      const bytes = Buffer.concat(sent.map((message) => Buffer.from(codec.encode(message))))
      const reader = new FrameReader()
      const frames = cutUp(bytes, round % 5 === 0 ? 1 : randomInt(1, bytes.length + 1)).flatMap((piece) =>
        [...reader.read(piece)].map(copied),
      )
      expect(frames).toEqual(sent.map((message) => ({ headers: textsOf(message.headers), payload: message.body })))
      expect(reader.isBetweenFrames).toBe(true)
    }
  })

  it('refuses each frame with a damaged byte, as Smithy does', () => {
    for (let round = 0; round < 2_000; round++) {
      const bytes = Buffer.from(codec.encode(randomMessage()))
      const at = randomInt(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
      const reader = new FrameReader()
      let refused: unknown
      try {
        // A damaged length would have it wait for more, which its own checksum prevents.
        expect([...reader.read(bytes)]).toEqual([])
      } catch (error) {
        refused = error
      }
      expect(refused).toBeInstanceOf(FrameFlaw)
      expect(() => codec.decode(bytes)).toThrow()
    }
  })

  it('knows that a frame is cut off, wherever it is', () => {
    const bytes = Buffer.from(codec.encode(randomMessage()))
    for (let length = 1; length < bytes.length; length++) {
      const reader = new FrameReader()
      expect([...reader.read(bytes.subarray(0, length))]).toEqual([])
      expect(reader.isBetweenFrames).toBe(false)
    }
  })

  it('throws nothing but a FrameFlaw at random bytes and at headers that lie, under good checksums', () => {
    for (let round = 0; round < 3_000; round++) {
      const bytes = round % 2 === 0 ? randomBytes(randomInt(40)) : lyingHeaders()
      try {
        for (const frame of new FrameReader().read(bytes)) expect(frame.payload.length).toBeLessThan(bytes.length)
      } catch (error) {
        expect(error).toBeInstanceOf(FrameFlaw)
      }
    }
  })

  it('refuses a frame that is longer than the specification allows before it is kept', () => {
    const frame = Buffer.from(codec.encode(randomMessage()))
    frame.writeUInt32BE(0x7fff_ffff, 0)
    frame.writeUInt32BE(checksum(frame.subarray(0, 8)), 8)
    expect(() => [...new FrameReader().read(frame)]).toThrow(FrameFlaw)
  })

  it('takes time in proportion to a frame that comes byte by byte', () => {
    const byteByByte = (size: number) => {
      const reader = new FrameReader()
      const bytes = Buffer.from(codec.encode({ headers: {}, body: Buffer.alloc(size) }))
      let frames = 0
      for (let at = 0; at < bytes.length; at++) for (const _ of reader.read(bytes.subarray(at, at + 1))) frames++
      expect(frames).toBe(1)
    }
    expect(growthOf(byteByByte, { few: 5_000, many: 80_000 })).toBeLessThan(ABOUT_LINEAR)
  })
})

function randomMessage(): { headers: MessageHeaders; body: Buffer } {
  const headers: MessageHeaders = {}
  const values = [
    { type: 'string', value: randomBytes(randomInt(40)).toString('base64') },
    { type: 'boolean', value: randomInt(2) === 0 },
    { type: 'byte', value: randomInt(100) },
    { type: 'short', value: randomInt(1_000) },
    { type: 'integer', value: randomInt(1_000_000) },
    { type: 'binary', value: randomBytes(randomInt(20)) },
    { type: 'timestamp', value: new Date(randomInt(1_000_000)) },
    { type: 'uuid', value: '01234567-89ab-cdef-0123-456789abcdef' },
    { type: 'string', value: 'é中' },
  ] as const
  for (let i = randomInt(6); i > 0; i--) {
    headers[`:name-${i}`] = { ...(values[randomInt(values.length)] ?? values[0]) } as MessageHeaders[string]
  }
  return { headers, body: randomBytes(randomInt(300)) }
}

function textsOf(headers: MessageHeaders): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, { type, value }]) => (type === 'string' ? [[name, value] as const] : [])),
  )
}

function copied({ headers, payload }: StreamFrame): StreamFrame {
  return { headers, payload: Buffer.from(payload) }
}

function cutUp(bytes: Buffer, largest: number): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + randomInt(1, largest + 1)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}

function lyingHeaders(): Buffer {
  const frame = Buffer.from(codec.encode(randomMessage()))
  const end = 12 + frame.readUInt32BE(4)
  for (let at = 12; at < end; at++) if (randomInt(4) === 0) frame[at] = randomInt(256)
  frame.writeUInt32BE(checksum(frame.subarray(0, frame.length - 4)), frame.length - 4)
  return frame
}

function checksum(bytes: Buffer): number {
  let sum = 0xffff_ffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0)
  }
  return (sum ^ 0xffff_ffff) >>> 0
}
