import { FRONT_HEAD_LIMIT_BYTES } from '../../../core/limits.ts'

/** The head of a request of which there is no doubt how it is meant. */
export interface FrontRequestHead {
  readonly method: 'GET' | 'POST'
  /** Begins with a slash. */
  readonly url: string
  /** Names in lower case, each once. */
  readonly headers: Readonly<Record<string, string>>
  /** Name, value, name, value …, as they were written. */
  readonly rawHeaders: readonly string[]
  /** The length of the head with its empty line. */
  readonly bytes: number
  readonly bodyBytes: number
}

/**
 * Reads the head at the beginning of `bytes` where it is whole and plain: HTTP/1.1, GET or POST, a path, each header once, a
 * body of a stated length or none, and a connection that is kept. null for everything else, right or wrong: a head that is
 * cut, other methods and versions, chunked bodies, `Expect`, `Upgrade`, and whatever two parsers could read in two ways
 * (RFC 9112, 2.2, 5 and 6.3). What is read here Node's parser reads alike, which test/attacks/front proves; the rest is left to it.
 */
export function readHead(bytes: Buffer): FrontRequestHead | null {
  const end = bytes.indexOf(EMPTY_LINE)
  if (end === -1 || end > FRONT_HEAD_LIMIT_BYTES) return null
  const text = bytes.toString('latin1', 0, end + 2)
  if (!LINES.test(text)) return null
  let at = text.indexOf('\r')
  const line = REQUEST_LINE.exec(text.slice(0, at))
  if (line === null) return null
  at += 2
  const headers: Record<string, string> = {}
  const rawHeaders: string[] = []
  while (at < text.length) {
    const lineEnd = text.indexOf('\r', at)
    const colon = text.indexOf(':', at)
    if (colon === -1 || colon > lineEnd) return null
    const { written, name } = nameOf(text.slice(at, colon))
    const value = valueIn(bytes, text, [colon + 1, lineEnd])
    // A name that is there already comes the second time.
    if (name === null || headers[name] !== undefined) return null
    headers[name] = value
    rawHeaders.push(written, value)
    at = lineEnd + 2
  }
  const bodyBytes = bodyBytesOf(headers)
  if (bodyBytes === null || headers['host'] === undefined || !isKept(headers['connection'])) return null
  const method = line[1] === 'POST' ? 'POST' : 'GET'
  if (method === 'GET' && bodyBytes > 0) return null
  return { method, url: copied(line[2] ?? '/'), headers, rawHeaders, bytes: end + 4, bodyBytes }
}

/** No fragment, no authority, nothing that is not allowed in a URL (RFC 3986, 3.3 and 3.4). */
const REQUEST_LINE = /^(GET|POST) (\/[\w!$%&'()*+,\-./:;=?@~]*) HTTP\/1\.1$/
const TOKEN = /^[\w!#$%&'*+\-.^`|~]+$/
const EMPTY_LINE = Buffer.from('\r\n\r\n')
/** Lines of visible ASCII with spaces and tabs: nothing that ends a line somewhere else, and no text in unknown encodings. */
const LINES = /^(?:[\t\x20-\x7e]*\r\n)*$/
/** No sign, no space, no list, and no more than is exact in a number. */
const LENGTH = /^(?:0|[1-9]\d{0,14})$/

/** Headers that say how the rest is to be read, or cannot be held in a record. */
const LEFT_TO_NODE = new Set([
  'transfer-encoding',
  'upgrade',
  'expect',
  'trailer',
  'proxy-connection',
  'set-cookie',
  '__proto__',
])

/** A header's name as it was written, and in lower case; null: it is left to Node. */
interface HeaderName {
  readonly written: string
  readonly name: string | null
}

/** Clients write the same few names again and again: what each is. */
const names = new Map<string, HeaderName>()
const NAMES_LIMIT = 1_000
const NAME_CHARACTERS = 64

function nameOf(slice: string): HeaderName {
  const known = names.get(slice)
  if (known !== undefined) return known
  const written = copied(slice)
  const lower = written.toLowerCase()
  const found = { written, name: TOKEN.test(written) && !LEFT_TO_NODE.has(lower) ? lower : null }
  if (written.length <= NAME_CHARACTERS && names.size < NAMES_LIMIT) names.set(written, found)
  return found
}

/** Returns the value without the spaces and tabs around it. */
function valueIn(bytes: Buffer, text: string, [from, to]: readonly [number, number]): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return end - start < SLICED_CHARACTERS ? text.slice(start, end) : bytes.toString('latin1', start, end)
}

/**
 * A slice of so many characters or more refers to the text it was cut from (V8's `SlicedString`): it would keep a whole head
 * in memory, with its credential, wherever an address or a name is remembered.
 */
const SLICED_CHARACTERS = 13

function copied(slice: string): string {
  return Buffer.from(slice, 'latin1').toString('latin1')
}

const SPACE = 0x20
const TAB = 0x09

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** null: it cannot be said. */
function bodyBytesOf(headers: Readonly<Record<string, string>>): number | null {
  const length = headers['content-length']
  if (length === undefined) return 0
  return LENGTH.test(length) ? Number(length) : null
}

function isKept(connection: string | undefined): boolean {
  return connection === undefined || connection === 'keep-alive' || connection.toLowerCase() === 'keep-alive'
}
