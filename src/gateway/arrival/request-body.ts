import type { IncomingMessage } from 'node:http'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { Fault } from '../../core/faults.ts'
import { BODIES_UNDER_WAY_LIMIT_BYTES, BODY_LIMIT_BYTES } from '../../core/limits.ts'

/** Bodies that are being read, of all requests together: half-sent ones must not fill the memory. */
export class BodiesUnderWay {
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** False when that many more do not fit now. */
  add(bytes: number): boolean {
    if (this.#bytes + bytes > BODIES_UNDER_WAY_LIMIT_BYTES) return false
    this.#bytes += bytes
    return true
  }

  remove(bytes: number): void {
    this.#bytes -= bytes
  }
}

/**
 * Reads a request's body whole. Rejects with Fault `body_too_large`, `request_invalid` or `rate_limited`, or with Error when
 * the client left.
 */
export function readBody(request: IncomingMessage, bodies: BodiesUnderWay): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Fault(
      'request_invalid',
      `The request body is compressed ("${encoding.slice(0, 40)}"), which this gateway does not read. Send it uncompressed.`,
      { param: 'content-encoding' },
    )
  }
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > BODY_LIMIT_BYTES) throw tooLarge(announced)
  return collect(request, bodies)
}

function collect(request: IncomingMessage, bodies: BodiesUnderWay): Promise<Buffer> {
  const bytes = new CollectedBytes()
  /** So much of it counts in `bodies`. */
  let counted = 0
  return new Promise<Buffer>((resolve, reject) => {
    // It may have left while its key was looked up: then no event comes any more.
    if (request.destroyed) reject(leftEarly())
    request.on('data', (chunk: Buffer) => {
      if (!bytes.add(chunk, BODY_LIMIT_BYTES)) reject(tooLarge(counted + chunk.length))
      else if (!bodies.add(chunk.length)) reject(tooMany())
      else {
        counted += chunk.length
        return
      }
      // What still comes of it is read and forgotten.
      request.removeAllListeners('data')
      request.resume()
    })
    request.on('end', () => resolve(bytes.whole()))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(leftEarly())
    })
  }).finally(() => {
    bodies.remove(counted)
    bytes.clear()
  })
}

function tooMany(): Fault {
  return new Fault(
    'rate_limited',
    'This gateway is reading as many large requests as it can hold right now. Send this one again in a moment.',
    { retryAfterSeconds: 5 },
  )
}

function leftEarly(): Error {
  return new Error('the client left before its request was whole')
}

function tooLarge(bytes: number): Fault {
  const limitMb = BODY_LIMIT_BYTES / 1024 / 1024
  return new Fault(
    'body_too_large',
    `The request body has ${bytes > BODY_LIMIT_BYTES ? 'more than ' : ''}${limitMb} MB, the limit of this gateway. Send less, or refer to large files by URL.`,
  )
}
