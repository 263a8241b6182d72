/** Answers of upstreams as bytes: as real servers send them, and made wrong by chance. */
import { Chance } from '../../faults/chance.ts'

/** One answer and the reads in which it comes; after the last the connection ends. */
export interface AnswerCase {
  readonly index: number
  readonly reads: readonly Buffer[]
}

const EVENT = 'data: {"id":"c1","choices":[{"index":0,"delta":{"content":"four"}}]}\n\n'
const BODY = '{"id":"c1","object":"chat.completion","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1}}'
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** The shapes of heads are those of the servers named, as they stood in November 2026; ids and dates are made up. */
export const ANSWERS: Readonly<Record<string, string>> = {
  // Behind Cloudflare: OpenAI, Anthropic and many others.
  cloudflare: `HTTP/1.1 200 OK\r\nDate: Sun, 22 Nov 2026 10:00:00 GMT\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\ncf-cache-status: DYNAMIC\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains; preload\r\nServer: cloudflare\r\nCF-RAY: 9a2-FRA\r\nalt-svc: h3=":443"; ma=86400\r\n\r\n${chunk(EVENT)}${chunk(EVENT + EVENT)}${chunk('data: [DONE]\n\n')}0\r\n\r\n`,
  // Google's front end.
  google: `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nVary: Origin\r\nServer: scaffolding on HTTPServer2\r\nX-XSS-Protection: 0\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(BODY)}0\r\n\r\n`,
  // vLLM and others on uvicorn.
  uvicorn: `HTTP/1.1 200 OK\r\ndate: Sun, 22 Nov 2026 10:00:00 GMT\r\nserver: uvicorn\r\ncontent-length: ${BODY.length}\r\ncontent-type: application/json\r\n\r\n${BODY}`,
  // Node's own server, with its hint on keep-alive.
  node: `HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\nContent-Type: application/json\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\n{}`,
  // llama.cpp's server (cpp-httplib).
  llama: `HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=100\r\nContent-Type: text/event-stream\r\nServer: llama.cpp\r\nTransfer-Encoding: chunked\r\nAccess-Control-Allow-Origin: \r\n\r\n${chunk(EVENT)}0\r\n\r\n`,
  python10: `HTTP/1.0 200 OK\r\nServer: BaseHTTP/0.6 Python/3.13\r\nContent-Type: application/json\r\n\r\n${BODY}`,
  closing: `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nbusy`,
  untilClose: `HTTP/1.1 200\r\nContent-Type: text/event-stream\r\n\r\n${EVENT}`,
  empty: 'HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n',
  notModified: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\nETag: "a"\r\n\r\n',
  early: `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: a/b\r\n\r\nok`,
  trailers: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-cost\r\n\r\n${chunk('one')}5;a=b;c="d e"\r\nhello\r\n0\r\nx-cost: 4\r\nx-more: \t y \r\n\r\n`,
  old: `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok`,
}

/** What attacks on the framing of HTTP are made of. */
const WORDS = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\n\n',
  ' ',
  '\t',
  '\r\n ',
  '\r\n\t',
  ':',
  ';',
  ',',
  '"',
  '\0',
  '\x7f',
  '\x80',
  '\xff',

  '\r\nContent-Length: 5',
  '\r\nContent-Length: 0',
  '\r\ncontent-length:+5',
  '\r\nContent-Length: 5, 5',
  '\r\nContent-Length:',

  '\r\nContent-Length: 99999999999999999999',
  '\r\nContent-Length: 0x5',
  '\r\nContent-Length : 2',
  '\r\n Content-Length: 2',

  '\r\nTransfer-Encoding: chunked',
  '\r\nTransfer-Encoding: gzip, chunked',
  '\r\nTransfer-Encoding: identity',

  '\r\nTransfer-Encoding: chunked, chunked',
  '\r\nTransfer-Encoding: xchunked',
  '\r\nTransfer-Encoding:\x0bchunked',

  '\r\nTransfer-Encoding : chunked',
  '\r\nTransfer-Encoding: chunked, identity',
  '\r\nTransfer-Encoding: "chunked"',

  '\r\nConnection: close',
  '\r\nConnection: keep-alive, upgrade',
  '\r\nUpgrade: websocket',
  '\r\nKeep-Alive: timeout=1',

  '\r\nContent-Type: text/html',
  '\r\nRetry-After: 1',
  '\r\nx: \x01',
  '\r\nx',
  '\r\n: x',
  '\r\nx y: z',
  '\r\nx: y\rz: w',

  'HTTP/1.1 200 OK\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 Processing\r\nx: y\r\n\r\n',

  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen',
  'HTTP/0.9 ',
  'HTTP/2 ',

  '0\r\n\r\n',
  '0\r\n',
  '00\r\n\r\n',
  '5\r\nhello\r\n',
  '5;x\r\nhello\r\n',
  '5 \r\nhello\r\n',
  '-1\r\n',
  '0x5\r\n',
  'g\r\n',
  '\r\n5\r\n',

  'ffffffffffffffff\r\n',
  '10000000000000005\r\n',
  '5\nhello\n',
  '5;\r\n',
  '5;a="\r\n',
  '000000000000000005\r\nhello\r\n',
] as const

const SEED_STEP = 2_654_435_761

/** Makes the case of a seed and a number: equal ones give the same case. */
export function answerCase(index: number, seed: number): AnswerCase {
  const chance = new Chance(seed * SEED_STEP + index * 2_246_822_519)
  let text = chance.pick(Object.values(ANSWERS))
  for (let changes = chance.between(0, 3); changes > 0; changes--) text = changed(text, chance)
  if (chance.isHit(4)) text += chance.pick(Object.values(ANSWERS))
  if (chance.isHit(1)) text = text.replace('\r\n', `\r\nx-long: ${'y'.repeat(chance.between(14_000, 20_000))}\r\n`)
  return { index, reads: cut(Buffer.from(text, 'latin1'), chance) }
}

/** One change, most often in the head, where one byte decides. */
function changed(text: string, chance: Chance): string {
  const headEnd = text.indexOf('\r\n\r\n') + 4
  const at = chance.between(0, chance.isHit(70) ? Math.min(headEnd, text.length) : text.length)
  const to = Math.min(text.length, at + chance.between(1, 12))
  switch (chance.between(0, 6)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(chance.between(0, 255)) + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + text.slice(to)
    case 2:
      return text.slice(0, to) + text.slice(at)
    case 3:
      return text.slice(0, at)
    case 4: {
      // At the end of a line, where a field can begin.
      const lines = Array.from(text.matchAll(/\r\n/g), (match) => match.index)
      const end = lines.length === 0 ? at : chance.pick(lines)
      return text.slice(0, end) + chance.pick(WORDS) + text.slice(end)
    }
    default:
      return text.slice(0, at) + chance.pick(WORDS) + text.slice(at)
  }
}

function cut(bytes: Buffer, chance: Chance): Buffer[] {
  const reads: Buffer[] = []
  let rest = bytes
  for (let cuts = chance.between(0, 4); cuts > 0 && rest.length > 1; cuts--) {
    const at = chance.between(1, rest.length - 1)
    reads.push(rest.subarray(0, at))
    rest = rest.subarray(at)
  }
  return [...reads, rest].filter((read) => read.length > 0)
}

/** Every way to cut one answer into two reads, and the one of single bytes. */
export function* cutEverywhere(text: string): Generator<readonly Buffer[]> {
  const bytes = Buffer.from(text, 'latin1')
  yield [bytes]
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
}
