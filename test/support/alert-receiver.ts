import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A webhook's receiver on a real socket: keeps what arrives, and answers 204 until it is set otherwise. */
export interface AlertReceiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Resolves when so many have arrived in all. */
  arrived(count: number): Promise<void>
  /** How the next ones are answered. */
  answer(how: (response: ServerResponse) => void): void
  close(): Promise<void>
}

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const received: Received[] = []
  const waiting = new Set<{ count: number; resolve: () => void }>()
  let answer = (response: ServerResponse): void => void response.writeHead(204).end()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    answer(response)
    for (const waiter of waiting) {
      if (received.length < waiter.count) continue
      waiting.delete(waiter)
      waiter.resolve()
    }
  }
  // A sender that hangs up while it speaks has said nothing.
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/alerts?from=tollgate`,
    received,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.add({ count, resolve })
      }),
    answer: (how) => {
      answer = how
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const TOLERANCE_SECONDS = 300

/** Checks a delivery as the specification tells receivers to; `key` is the secret's bytes. */
export function isGenuine({ headers, body }: Received, { key, nowMs }: { key: Buffer; nowMs: number }): boolean {
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const isNew = Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
  const signatures = String(headers['webhook-signature']).split(' ')
  return (
    isNew &&
    signatures.some((signature) => {
      const [version, code = ''] = signature.split(',')
      const given = Buffer.from(code, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
  )
}
