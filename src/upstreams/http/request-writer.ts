import { ConnectionError } from '../connection-error.ts'
import type { UpstreamRequest } from '../upstream-client.ts'

/** What becomes of headers that a request brings, by their names in lower case. */
export interface HeaderChanges {
  /** Names of headers that are left out. */
  readonly removed: ReadonlySet<string>
  /** Headers that go out under another name, unless the request brings that one as well. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Writes requests to one upstream as HTTP/1.1. What could end a line or begin another request is refused, never sent. */
export class RequestWriter {
  readonly #pathPrefix: string
  /** What every request has, written once. */
  readonly #fixedLines: string
  /** Names of `fixedLines`: they win over what a request brings. */
  readonly #fixedNames: ReadonlySet<string>

  readonly #changes: HeaderChanges | null

  /** `baseUrl` without a trailing slash; `headers`: set on every request, with names in lower case. */
  constructor(baseUrl: string, headers: Readonly<Record<string, string>>, changes: HeaderChanges | null = null) {
    this.#changes = changes
    const { host, pathname } = new URL(baseUrl)
    this.#pathPrefix = pathname === '/' ? '' : pathname
    let lines = `host: ${host}\r\nconnection: keep-alive\r\n`
    for (const [name, value] of Object.entries(headers)) lines += lineOf(name, value)
    this.#fixedLines = lines
    this.#fixedNames = new Set(Object.keys(headers))
  }

  /**
   * The request in pieces to be written one after the other: a small one is one piece, and so one packet. Throws a
   * `ConnectionError` where it cannot be written as HTTP.
   */
  write({ method, path, headers, body }: UpstreamRequest): readonly Buffer[] {
    const target = this.#pathPrefix + path
    if (!TARGET.test(target)) throw new ConnectionError('UPSTREAM_REQUEST_INVALID', 'a path that cannot be sent')
    let size = 0
    for (const piece of body) size += piece.length
    let head = `${method} ${target} HTTP/1.1\r\n${this.#fixedLines}`
    for (const name in headers) {
      const sent = this.#changes === null ? name : nameAfter(name, headers, this.#changes)
      if (sent !== null && !this.#fixedNames.has(sent)) head += lineOf(sent, headers[name] ?? '')
    }
    // A method without a body says nothing of its length.
    head += size > 0 || method === 'POST' ? `content-length: ${size}\r\n\r\n` : '\r\n'
    return size <= COPIED_BYTES ? [joined(head, body, size)] : [Buffer.from(head, 'latin1'), ...body]
  }
}

/** The name under which a header goes out; null: it does not. */
function nameAfter(
  name: string,
  headers: Readonly<Record<string, string>>,
  { removed, renamed }: HeaderChanges,
): string | null {
  if (removed.has(name)) return null
  const after = renamed.get(name)
  if (after === undefined) return name
  return after in headers && !removed.has(after) ? null : after
}

/** Larger bodies are not copied: that costs more than further pieces do, most of all in garbage. */
const COPIED_BYTES = 65_536

function joined(head: string, body: readonly Buffer[], size: number): Buffer {
  const whole = Buffer.allocUnsafe(head.length + size)
  let at = whole.write(head, 'latin1')
  for (const piece of body) at += piece.copy(whole, at)
  return whole
}

function lineOf(name: string, value: string): string {
  if (!NAME.test(name) || OWN.has(name)) {
    throw new ConnectionError('UPSTREAM_REQUEST_INVALID', 'a header name that cannot be sent')
  }
  if (!VALUE.test(value))
    throw new ConnectionError('UPSTREAM_REQUEST_INVALID', `a value of ${name} that cannot be sent`)
  return `${name}: ${value}\r\n`
}

/** Visible characters, from the root. */
const TARGET = /^\/[\x21-\x7e\x80-\xff]*$/
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers that say where the message ends or what becomes of the connection: those are ours to say. */
const OWN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
