import type { ClientRequest } from '../client-connection.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { Fault } from '../../core/faults.ts'
import { BODY_LIMIT_BYTES } from '../../core/limits.ts'
import type { BodiesUnderWay, BodySender, BodyUnderWay } from '../memory/bodies-under-way.ts'

/** Who sends a body, and where it is counted until it is whole. */
export interface BodyReading extends BodySender {
  readonly bodies: BodiesUnderWay
  /** `Clock.elapsed` now. */
  readonly elapsed: number
}

/**
 * Reads a request's body whole, at once where it came with its headers. Throws, or rejects with, Fault `body_too_large`,
 * `request_invalid` or `rate_limited`, or rejects with Error when the client left.
 */
export function readBody(request: ClientRequest, reading: BodyReading): Buffer | Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  // Names of codings are written in any case (RFC 9110, 8.4.1).
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Fault(
      'request_invalid',
      `The request body is compressed ("${encoding.slice(0, 40)}"), which this gateway does not read. Send it uncompressed.`,
      { param: 'content-encoding' },
    )
  }
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > BODY_LIMIT_BYTES) throw tooLarge()
  // Most have come together with their headers: then there is nothing to wait for.
  if (request.arrived !== undefined) return request.arrived
  if (request.complete) return collect(request, null)
  let giveUp = (): void => {}
  const body = reading.bodies.begin(reading, { elapsed: reading.elapsed, onSlow: () => giveUp() })
  const collected = new Promise<Buffer>((resolve, reject) => {
    giveUp = () => {
      reject(new Fault('request_invalid', TOO_SLOW))
      // The answer goes out first.
      setTimeout(() => request.destroy(), LAST_WORDS_MS).unref()
    }
    collect(request, body).then(resolve, reject)
  })
  return collected.finally(() => body.end())
}

/** `body`: where its bytes are counted; null where all of them have come. */
function collect(request: ClientRequest, body: BodyUnderWay | null): Promise<Buffer> {
  const bytes = new CollectedBytes()
  let length = 0
  return new Promise<Buffer>((resolve, reject) => {
    // It may have left while its key was looked up: then no event comes any more.
    if (request.destroyed) reject(leftEarly())
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      const fault = bytes.add(chunk, BODY_LIMIT_BYTES) ? (body?.add(chunk.length) ?? null) : tooLarge()
      if (fault === null) return
      reject(fault)
      // What still comes of it is read and forgotten.
      request.removeAllListeners('data')
      request.resume()
    })
    request.on('end', () => resolve(bytes.whole()))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(leftEarly())
    })
  }).finally(() => bytes.clear())
}

const LAST_WORDS_MS = 1_000
const TOO_SLOW = 'The request body arrived too slowly, so the gateway stopped reading it. Retry the request.'

function leftEarly(): Error {
  return new Error('the client left before its request was whole')
}

function tooLarge(): Fault {
  return explainedFault('body_too_large', { limit_mb: BODY_LIMIT_BYTES / 1024 / 1024 })
}
