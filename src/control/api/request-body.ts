import type { IncomingMessage } from 'node:http'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { Problem } from '../problem.ts'

/** A body as it came, and as what it says. */
export interface ReadBody {
  readonly text: string
  readonly value: unknown
}

/** Reads a JSON body of at most `limit` bytes. No body at all reads as an empty object. Throws Problem. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<ReadBody> {
  const bytes = await readBytes(incoming, limit)
  if (bytes.length === 0) return { text: '', value: {} }
  requireJson(incoming.headers['content-type'])
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: JSON.parse(text) as unknown }
  } catch (cause) {
    // The parser's own message repeats what was sent.
    throw new Problem(
      'body_malformed',
      'The request body is not one JSON value in UTF-8: check quotes, commas and its end.',
      {
        cause,
      },
    )
  }
}

/** Reads a body of any type as text in UTF-8. Throws Problem. */
export async function readText(incoming: IncomingMessage, limit: number): Promise<string> {
  const bytes = await readBytes(incoming, limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem('body_malformed', 'The request body is not text in UTF-8.', { cause })
  }
}

function readBytes(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(incoming.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge(limit)
  return collect(incoming, limit)
}

function requireJson(contentType: string | undefined): void {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json') return
  throw new Problem(
    'content_type_wrong',
    `The request body must be JSON with "content-type: application/json"; ${type === undefined ? 'no content type was sent' : 'another content type was sent'}.`,
  )
}

function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The request body has more than ${limit} bytes: send less.`)
}

/** Reading on after the limit is the server's affair; here it only stops growing. */
function collect(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = new CollectedBytes()
    const stop = () => incoming.off('data', take).off('end', done).off('error', broken).off('close', broken)
    const take = (chunk: Buffer) => {
      if (bytes.add(chunk, limit)) return
      stop()
      reject(tooLarge(limit))
    }
    const done = () => {
      stop()
      resolve(bytes.whole())
    }
    const broken = () => {
      stop()
      reject(new Problem('body_malformed', 'The request body ended early.'))
    }
    incoming.on('data', take).on('end', done).on('error', broken).on('close', broken)
  })
}
