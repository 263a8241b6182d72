import type { IncomingMessage } from 'node:http'
import { Fault } from '../core/faults.ts'
import { BODY_LIMIT_BYTES } from '../core/limits.ts'

/** Reads a request's body whole. Rejects with Fault `body_too_large` or `request_invalid`, or with Error when the client left. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
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
  return collect(request)
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // It may have left while its key was looked up: then no event comes any more.
    if (request.destroyed) reject(leftEarly())
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_LIMIT_BYTES) reject(tooLarge(size))
      else chunks.push(chunk)
    })
    request.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size))
    })
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(leftEarly())
    })
  })
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
