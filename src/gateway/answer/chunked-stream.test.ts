import { expect, test } from 'vitest'
import type { ClientResponse } from '../client-connection.ts'
import { ChunkedStream } from './chunked-stream.ts'

/** A stream, and what was written of it. */
function framed() {
  const written: Buffer[] = []
  const take = (bytes: Buffer | string) => {
    written.push(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return true
  }
  const response = { destroyed: false, writableEnded: false, chunkedEncoding: true, write: take, end: take }
  const stream = new ChunkedStream(response as unknown as ClientResponse, { isFramed: true, onFull: () => {} })
  return { stream, written }
}

test.for([1, 9, 15, 16, 17, 255, 256, 4_095, 4_096, 65_536, 1_048_577])(
  'a chunk of %i bytes says its size in hexadecimal digits',
  (bytes) => {
    const { stream, written } = framed()
    stream.end(Buffer.alloc(bytes, 'x'))
    const [chunk = Buffer.alloc(0), last] = written
    expect(chunk.toString('latin1')).toBe(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`)
    expect(last?.toString()).toBe('0\r\n\r\n')
  },
)

test('what is sent in one turn leaves in one write', async () => {
  const { stream, written } = framed()
  for (const text of ['one', 'two', 'three']) stream.send(Buffer.from(text))
  expect(written).toEqual([])
  await new Promise(process.nextTick)
  expect(written.map(String)).toEqual(['b\r\nonetwothree\r\n'])
})
