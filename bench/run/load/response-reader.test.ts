import { expect, test } from 'vitest'
import { ResponseReader, type Answer } from './response-reader.ts'

const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"a":"b\\n\\n"}'
const STREAM =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n' +
  '9\r\ndata: 1\n\n\r\n18\r\ndata: 22\ndata: 3\n\ndata: \r\nB\r\n[DONE]\n\n\n\n:\r\n2\r\n\n\n\r\n0\r\n\r\n'

/** Reads in pieces that all use the same memory, as a socket does. */
function readPieces(pieces: readonly string[]): Answer | null {
  const reader = new ResponseReader()
  const memory = Buffer.alloc(4096)
  let answer: Answer | null = null
  for (const piece of pieces) {
    memory.fill('\n')
    answer = reader.read(memory.subarray(0, memory.write(piece, 'latin1')))
  }
  return answer
}

test.for([
  ['with a length', WHOLE, { status: 200, bodyBytes: 13, events: 0, tail: '{"a":"b\\n\\n"}', keepsAlive: true }],
  ['in chunks', STREAM, { status: 200, bodyBytes: 46, events: 5, tail: ' [DONE]\n\n\n\n:\n\n', keepsAlive: true }],
] as const)('an answer %s is the same wherever it is cut', ([, text, right]) => {
  for (let first = 0; first <= text.length; first++) {
    for (const second of [first, Math.min(first + 1, text.length), Math.min(first + 40, text.length)]) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
      expect(readPieces(pieces.filter((piece) => piece !== ''))).toMatchObject(right)
    }
  }
})

test('an answer that comes byte by byte is the same', () => {
  expect(readPieces(STREAM.split(''))).toEqual(readPieces([STREAM]))
  expect(readPieces(WHOLE.split(''))).toEqual(readPieces([WHOLE]))
})

test('counts nothing of one answer in the next', () => {
  const reader = new ResponseReader()
  const first = reader.read(Buffer.from(STREAM))
  expect(reader.idle).toBe(true)
  expect(reader.read(Buffer.from(STREAM))).toEqual(first)
})

test('says when the connection ends with the answer', () => {
  const answer = readPieces(['HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'])
  expect(answer).toMatchObject({ status: 503, bodyBytes: 0, keepsAlive: false })
})

test('an answer that is cut short is refused', () => {
  expect(readPieces([WHOLE.slice(0, -1)])).toBeNull()
  expect(readPieces([STREAM.slice(0, -2)])).toBeNull()
})

test.for([
  ['garbage', 'SSH-2.0-OpenSSH\r\n\r\n', 'not an answer'],
  ['no length', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nhello', 'names no length'],
  ['two answers at once', WHOLE + WHOLE, 'bytes after the end'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'chunk without'],
  ['an endless head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`, 'no end'],
] as const)('%s is refused', ([, text, message]) => {
  expect(() => new ResponseReader().read(Buffer.from(text))).toThrow(message)
})
