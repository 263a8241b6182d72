import type { Chance } from '../../faults/chance.ts'

/** Everything that one client sends on one connection: plain requests, wrong ones, and those that two parsers may read in two ways. */
export function clientBytes(chance: Chance): Buffer {
  const requests = chance.isHit(70) ? 1 : chance.between(2, 3)
  const parts = Array.from({ length: requests }, () => requestOf(chance))
  const bytes = Buffer.from(parts.join(''), 'latin1')
  return chance.isHit(25) ? changed(chance, bytes) : bytes
}

/** Cuts the bytes as they may come: in one piece or in several, and at any place. */
export function inPieces(chance: Chance, bytes: Buffer): Buffer[] {
  const cuts = chance.isHit(60) ? 0 : chance.between(1, 4)
  const at = Array.from({ length: cuts }, () => placeIn(chance, bytes)).sort((a, b) => a - b)
  return [0, ...at].map((start, i) => bytes.subarray(start, at[i])).filter((piece) => piece.length > 0)
}

/** Anywhere, and often where a head ends. */
function placeIn(chance: Chance, bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1 || chance.isHit(50)) return chance.between(0, bytes.length)
  return Math.min(bytes.length, headEnd + chance.between(0, 6))
}

/** Ways in which requests were smuggled past a proxy, each followed by what is to be smuggled. */
export const SMUGGLING: readonly string[] = [
  ...framings([
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    ['Content-Length: 5', 'Content-Length: 6'],
    ['Content-Length: 5', 'Content-Length: 5'],
    ['Content-Length: 5, 5'],
    ['Content-Length: +5'],
    ['Content-Length: -5'],
    ['Content-Length: 5 '],
    ['Content-Length:\t5'],
    ['Content-Length: 5 5'],
    ['Content-Length : 5'],
    [' Content-Length: 5'],
    ['Content-Length: 0x5'],
    ['Content-Length: 5e0'],
    ['Content-Length: 05'],
    ['Content-Length: 5.0'],
    ['Content-Length: 99999999999999999999'],
    ['Content-Length: '],
    ['Content-Length: 5\u0000'],
    ['Content_Length: 5'],
    ['Content-Length: 5\r\n\tx'],
    ['X: y\rContent-Length: 5'],
    ['X: y\nContent-Length: 5'],
    ['X: y\r\n Content-Length: 5'],
    ['X: y\u0000Content-Length: 5'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding: identity, chunked'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding:\u000bchunked'],
    ['Transfer-Encoding: \u00a0chunked'],
    ['Transfer-Encoding: CHUNKED'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'],
    ['X: y\r\nTransfer-Encoding\r\n: chunked'],
    ['Connection: close, Content-Length', 'Content-Length: 5'],
    ['Connection: Transfer-Encoding', 'Transfer-Encoding: chunked'],
    ['Expect: 100-continue', 'Content-Length: 5'],
    ['Expect: x', 'Content-Length: 5'],
    ['Upgrade: websocket', 'Connection: upgrade', 'Content-Length: 5'],
    ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AA'],
  ]),
  'POST http://other.test/v1/x HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST //other.test/v1/x HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /v1/x\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /v1/x#y HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /v1/x y HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /v1/x HTTP/1.1 \r\nHost: a\r\n\r\n',
  'POST  /v1/x HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST\t/v1/x HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /v1/x HTTP/1.1\nHost: a\n\n',
  'POST /v1/x HTTP/1.1\r\nHost: a\r\n\n',
  'POST /v1/x HTTP/1.1\r\nHost: a\n\r\n',
  'POST /v1/x HTTP/1.1\r\rHost: a\r\n\r\n',
  'POST /v1/x HTTP/1.0\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
  'POST /v1/x HTTP/1.10\r\nHost: a\r\n\r\n',
  'POST /v1/x HTTP/0.9\r\nHost: a\r\n\r\n',
  'POST /v1/x HTTP/2.0\r\nHost: a\r\n\r\n',
  'POST /v1/x\r\nHost: a\r\n\r\n',
  'POST /v1/x HTTP/1.1\r\n\r\n',
  'POST /v1/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'POST /v1/x HTTP/1.1\r\nHost:\r\n\r\n',
  'POST /v1/x HTTP/1.1\r\n: a\r\nHost: a\r\n\r\n',
  'POST /v1/x HTTP/1.1\r\nHost a\r\n\r\n',
  'CONNECT other.test:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'HEAD /v1/x HTTP/1.1\r\nHost: a\r\n\r\n',
  '\r\n\r\nPOST /v1/x HTTP/1.1\r\nHost: a\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
].map((request) => request + 'POST /smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nend')

function framings(headers: readonly (readonly string[])[]): string[] {
  const bodies = [
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    '0\r\n\r\n',
    '5;a=b\r\nhello\r\n0;x\r\nt: 1\r\n\r\n',
    '0x5\r\nhello\r\n0\r\n\r\n',
    '',
  ]
  return headers.flatMap((lines) =>
    bodies.map((body) => `POST /v1/x HTTP/1.1\r\nHost: a\r\n${lines.join('\r\n')}\r\n\r\n${body}`),
  )
}

function requestOf(chance: Chance): string {
  // Most of it is plain, so that one thing that is not stands alone.
  const isPlain = chance.isHit(60)
  const body = chance.pick(BODIES)
  const framing = isPlain ? plainFraming(body) : framed(chance, body)
  const line = isPlain
    ? `${chance.pick(['POST', 'POST', 'POST', 'GET'])} ${chance.pick(TARGETS.slice(0, 3))} HTTP/1.1`
    : lineOf(chance)
  const host = isPlain || !chance.isHit(8) ? ['Host: gateway.test'] : chance.pick(HOSTS)
  const others = Array.from({ length: chance.between(0, 4) }, () =>
    isPlain || chance.isHit(60) ? chance.pick(PLAIN_HEADERS) : chance.pick(ODD_HEADERS),
  )
  const headers = chance.shuffled([...host, ...framing.headers, ...others])
  return `${line}\r\n${headers.map((header) => header + '\r\n').join('')}\r\n${framing.body}`
}

interface Framed {
  readonly headers: readonly string[]
  readonly body: string
}

function plainFraming(body: string): Framed {
  return body === '' ? { headers: [], body } : { headers: [`Content-Length: ${body.length}`], body }
}

function framed(chance: Chance, body: string): Framed {
  const shape = chance.between(0, 9)
  const wrong = Math.max(0, body.length + chance.between(-3, 3))
  if (shape < 4) return plainFraming(body)
  if (shape === 4) return { headers: [`content-length: ${wrong}`], body }
  if (shape === 5) return { headers: [chance.pick(ODD_LENGTHS).replace('N', String(body.length))], body }
  if (shape === 6) return { headers: ['Transfer-Encoding: chunked'], body: chunked(chance, body) }
  if (shape === 7) return { headers: [chance.pick(ODD_ENCODINGS)], body: chunked(chance, body) }
  if (shape === 8)
    return { headers: [`Content-Length: ${body.length}`, chance.pick(ODD_ENCODINGS)], body: chunked(chance, body) }
  return { headers: [`Content-Length: ${body.length}`, `Content-Length: ${wrong}`], body }
}

function chunked(chance: Chance, body: string): string {
  const size = chance.pick(['', '0', '+', ' ', '0x']) + body.length.toString(16)
  const right = body.length.toString(16)
  const extension = chance.pick(['', '', '', ';a=b', ';', ' ;x', ';"\r\n"'])
  const chunk = body === '' ? '' : `${chance.isHit(85) ? right : size}${extension}\r\n${body}\r\n`
  return chunk + chance.pick(['0\r\n\r\n', '0\r\n\r\n', '0\r\nx-trailer: 1\r\n\r\n', '00\r\n\r\n', '0\n\n', ''])
}

function lineOf(chance: Chance): string {
  const method = chance.isHit(60) ? 'POST' : chance.pick(METHODS)
  const target = chance.pick(TARGETS)
  const version = chance.isHit(80) ? 'HTTP/1.1' : chance.pick(VERSIONS)
  return `${chance.isHit(3) ? '\r\n' : ''}${method}${chance.isHit(95) ? ' ' : chance.pick(['  ', '\t', ''])}${target} ${version}`
}

/** A few bytes more, fewer or other, of those with a meaning most of all. */
function changed(chance: Chance, bytes: Buffer): Buffer {
  let now = bytes
  for (let left = chance.between(1, 3); left > 0; left--) {
    const at = chance.between(0, now.length)
    const piece = Buffer.from(chance.pick(PIECES), 'latin1')
    const removed = chance.pick([0, 0, 1, 1, 2])
    now = Buffer.concat([now.subarray(0, at), piece, now.subarray(at + removed)])
  }
  return now
}

const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'CONNECT', 'PRI', 'post', 'POSTX', 'TRACE', 'M-SEARCH', '']
const TARGETS = [
  '/v1/chat/completions',
  '/v1/models?limit=5&after=x%20y',
  '/v1beta/models/a:generateContent?alt=sse',
  '/',
  '/console/',
  '//x/y',
  '/a/../b/./%00%2e',
  '/a[b]{c}|d^e`f"<g>\\h',
  '/\u00e4\u00f6',
  '/a#b',
  '/a b',
  '*',
  'http://other.test/v1/x',
  'other.test:443',
  '?x',
  '',
]
const VERSIONS = [
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.2',
  'HTTP/1.1 ',
  'http/1.1',
  'HTTP/1.',
  'HTTP/11',
  '',
  'ICE/1.0',
  'RTSP/1.0',
]
const HOSTS: readonly (readonly string[])[] = [
  [],
  ['Host: a', 'Host: b'],
  ['host:'],
  ['HOST: a'],
  ['Host : a'],
  ['Host: a, b'],
]
const PLAIN_HEADERS = [
  'Authorization: Bearer sk-tg-0123456789',
  'content-type: application/json',
  'User-Agent: OpenAI/JS 7.55.0',
  'Accept: */*',
  'accept-encoding: gzip, deflate, br',
  'Connection: keep-alive',
  'connection: Keep-Alive',
  'anthropic-version: 2023-06-01',
  'X-Stainless-Lang: js',
  'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'x-empty:',
  'x-blanks:  \t a\tb \t ',
]
const ODD_HEADERS = [
  'Connection: close',
  'Connection: Upgrade',
  'connection: keep-alive, x',
  'connection:',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=1',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'expect:',
  'TE: trailers',
  'Trailer: x-trailer',
  'Set-Cookie: a=b',
  'Cookie: a=b',
  'cookie: c=d',
  'x-a: 1',
  'X-A: 2',
  'Authorization: other',
  'user-agent: other',
  '__proto__: x',
  'constructor: x',
  'hasOwnProperty: x',
  ' folded: x',
  '\tfolded: x',
  'x y: z',
  'x-latin: \u00e4\u00f6\u00ff',
  'x-null: a\u0000b',
  'x-bare: a\rb',
  'x-bare: a\nb',
  'x-del: \u007f',
  'x-bell: \u0007',
  ': empty',
  'nothing',
  '"quoted": x',
  `x-long: ${'y'.repeat(9_000)}`,
  `x-longer: ${'y'.repeat(17_000)}`,
  `${'n'.repeat(300)}: x`,
]
const ODD_LENGTHS = [
  'Content-Length: +N',
  'Content-Length: -N',
  'Content-Length: N ',
  'Content-Length:N',
  'Content-Length: 0N',
  'Content-Length: N, N',
  'Content-Length: N N',
  'Content-Length: 0xN',
  'Content-Length : N',
  'Content-Length:\tN',
  'Content-Length: N\u0000',
  'Content-Length: ',
  'Content-Length: 18446744073709551616',
  'Content-Length: 999999999999999',
]
const ODD_ENCODINGS = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: Chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: identity',
  'Transfer-Encoding:',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: "chunked"',
  'Transfer_Encoding: chunked',
]
const BODIES = [
  '',
  '',
  'a',
  '{"model":"m","messages":[]}',
  'POST /smuggled HTTP/1.1\r\nHost: x\r\n\r\n',
  '\r\n\r\n',
  '0\r\n\r\n',
  'x'.repeat(3_000),
]
const PIECES = [
  '',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\u0000',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '0',
  '1',
  'a',
  '\u007f',
  '\u0080',
  '\u00ff',
  '\u000b',
  'HTTP/1.1',
  '"',
  '#',
  '/',
]
