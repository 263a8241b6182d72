import { describe, expect, test } from 'vitest'
import { FRONT_HEAD_LIMIT_BYTES } from '../../../core/limits.ts'
import { readHead } from './request-head.ts'

function head(...lines: string[]): Buffer {
  return Buffer.from([...lines, '', ''].join('\r\n'), 'latin1')
}

const LINE = 'POST /v1/x?a=b HTTP/1.1'
const HOST = 'Host: gateway.test'

test('a plain head is read with its names as they were written and in lower case, and its values without blanks', () => {
  const bytes = Buffer.concat([head(LINE, HOST, 'X-Value: \t a  b\t ', 'Content-Length: 5'), Buffer.from('hello')])
  expect(readHead(bytes)).toEqual({
    method: 'POST',
    url: '/v1/x?a=b',
    headers: { host: 'gateway.test', 'x-value': 'a  b', 'content-length': '5' },
    rawHeaders: ['Host', 'gateway.test', 'X-Value', 'a  b', 'Content-Length', '5'],
    bytes: bytes.length - 5,
    bodyBytes: 5,
  })
})

describe('what may be meant in two ways is left to Node:', () => {
  test.each([
    ['a head that is cut', Buffer.from(`${LINE}\r\n${HOST}\r\n`)],
    ['another method', head('PUT /v1/x HTTP/1.1', HOST)],
    ['another version', head('POST /v1/x HTTP/1.0', HOST)],
    ['an absolute target', head('POST http://a/v1/x HTTP/1.1', HOST)],
    ['a fragment', head('POST /v1/x#y HTTP/1.1', HOST)],
    ['a blank too much', head('POST  /v1/x HTTP/1.1', HOST)],
    ['an empty line before it', Buffer.concat([Buffer.from('\r\n'), head(LINE, HOST)])],
    ['no host', head(LINE)],
    ['two hosts', head(LINE, HOST, HOST)],
    ['a header twice', head(LINE, HOST, 'x-a: 1', 'X-A: 2')],
    ['two lengths', head(LINE, HOST, 'Content-Length: 5', 'content-length: 5')],
    ['a length with a sign', head(LINE, HOST, 'Content-Length: +5')],
    ['a length that is a list', head(LINE, HOST, 'Content-Length: 5, 5')],
    ['a length with a leading zero', head(LINE, HOST, 'Content-Length: 05')],
    ['a length without digits', head(LINE, HOST, 'Content-Length:')],
    ['a length beyond what is exact', head(LINE, HOST, 'Content-Length: 9999999999999999')],
    ['a body in chunks', head(LINE, HOST, 'Transfer-Encoding: chunked')],
    ['a body of a GET', head('GET /v1/x HTTP/1.1', HOST, 'Content-Length: 1')],
    ['an expectation', head(LINE, HOST, 'Expect: 100-continue')],
    ['an upgrade', head(LINE, HOST, 'Upgrade: websocket')],
    ['a connection that is closed', head(LINE, HOST, 'Connection: close')],
    ['a connection with options', head(LINE, HOST, 'Connection: keep-alive, x-a')],
    ['a folded line', head(LINE, HOST, 'x-a: 1', ' 2')],
    ['a blank before the colon', head(LINE, HOST, 'x-a : 1')],
    ['no colon', head(LINE, HOST, 'x-a')],
    ['no name', head(LINE, HOST, ': 1')],
    ['a null byte', head(LINE, HOST, 'x-a: 1\u00002')],
    ['a bare carriage return', head(LINE, HOST, 'x-a: 1\r2')],
    ['a bare line feed', head(LINE, HOST, 'x-a: 1\n2')],
    ['a lone line feed behind the request line', Buffer.from(`${LINE}\n${HOST}\r\n\r\n`)],
    ['letters outside ASCII', head(LINE, HOST, 'x-a: \u00e4')],
    ['a name that an object has of its own', head(LINE, HOST, '__proto__: x')],
    ['a head that is very long', head(LINE, HOST, `x-a: ${'a'.repeat(FRONT_HEAD_LIMIT_BYTES)}`)],
  ])('%s', (_what, bytes) => {
    expect(readHead(bytes)).toBeNull()
  })
})
