/** Reads one arriving request: its body, its path without the variations, and single headers. */
import type { IncomingMessage } from 'node:http'

/** Twice what the gateway takes. */
const LARGEST_BODY_BYTES = 67_108_864

/** Reads the body whole; null when it is too large. Says nothing when the client leaves before its end. */
export function readBody(request: IncomingMessage, then: (body: Buffer | null) => void): void {
  const parts: Buffer[] = []
  let length = 0
  request.on('data', (part: Buffer) => {
    length += part.length
    if (length <= LARGEST_BODY_BYTES) parts.push(part)
    else parts.length = 0
  })
  request.on('end', () => {
    const [first] = parts
    const whole = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
    then(length <= LARGEST_BODY_BYTES ? whole : null)
  })
  request.on('error', () => undefined)
}

/** The path without its query and without a leading `/v1`. */
export function pathOf(request: IncomingMessage): string {
  const { url = '/' } = request
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  return path.startsWith('/v1/') ? path.slice(3) : path
}

/** One header's value from the list as it came: building the object of all of them costs more than a small answer. */
export function headerOf(request: IncomingMessage, name: string): string {
  const { rawHeaders } = request
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at]
    if (found?.length === name.length && found.toLowerCase() === name) return rawHeaders[at + 1] ?? ''
  }
  return ''
}

export function credentialOf(request: IncomingMessage): string {
  const bearer = headerOf(request, 'authorization').replace(/^Bearer\s+/i, '')
  return bearer || headerOf(request, 'x-api-key') || headerOf(request, 'x-goog-api-key')
}

export function isAnthropic(request: IncomingMessage): boolean {
  return headerOf(request, 'anthropic-version') !== ''
}
