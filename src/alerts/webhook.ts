import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '../core/clock.ts'
import { request as httpRequest } from '../core/node-http.ts'
import { alertOnWire } from './alert-on-wire.ts'
import { codeOf } from './carrier.ts'
import type { Carrier, OutgoingAlert, SendOutcome } from './carrier.ts'
import { signedHeaders } from './webhook-signature.ts'

export interface WebhookSettings {
  readonly url: string
  readonly key: Buffer
}

export interface WebhookOptions extends WebhookSettings {
  readonly clock: Clock
  readonly timeoutMs?: number
}

/** For the whole of it: connecting, sending, the answer. */
const ANSWER_WITHIN_MS = 10_000
/** A receiver's answer does not matter; this much is read, so that a polite one is not cut off. */
const ANSWER_BYTES_LIMIT = 16_384

/**
 * Posts alerts to the admin's own address: any host is right, private ones too, since only admins can set it.
 * A connection for each: they are few and far between. Redirects are not followed.
 */
export class WebhookCarrier implements Carrier {
  readonly way = 'webhook'
  readonly #options: WebhookOptions

  constructor(options: WebhookOptions) {
    this.#options = options
  }

  async send(alert: OutgoingAlert, signal: AbortSignal): Promise<SendOutcome> {
    const { timeoutMs = ANSWER_WITHIN_MS } = this.#options
    const late = AbortSignal.timeout(timeoutMs)
    try {
      return outcomeOf(await this.#post(alert, AbortSignal.any([signal, late])))
    } catch (error) {
      const failure = late.aborted ? `no answer within ${timeoutMs / 1000} s` : codeOf(error)
      return { kind: 'failed', failure, retryAfterMs: null }
    }
  }

  /** Resolves with the answer's head. */
  #post(alert: OutgoingAlert, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, key, clock } = this.#options
    const body = JSON.stringify(alertOnWire(alert))
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Tollgate',
      ...signedHeaders(body, { id: alert.id, nowMs: clock.now(), key }),
    }
    const target = new URL(url)
    const request = target.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      request(target, { method: 'POST', headers, agent: false, signal }, (response) => {
        letEnd(response, () => resolve(response))
      })
        .on('error', reject)
        .end(body)
    })
  }
}

/** Lets a short answer run out. Whatever happens to its body, its head has said all that matters. */
function letEnd(response: IncomingMessage, onEnd: () => void): void {
  let left = ANSWER_BYTES_LIMIT
  response.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) response.destroy()
  })
  response.on('error', () => {})
  response.on('close', onEnd)
}

const GONE = 410

/**
 * 2xx is delivered. 410 says that it is not wanted any more. Everything else may be fixed later (a wrong secret, a
 * route that is not deployed yet, a redirect), so it is tried again: that costs a few small requests, an alert that got
 * lost costs more.
 */
function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const failure = `HTTP ${status}`
  if (status === GONE) return { kind: 'refused', failure }
  const after = headers['retry-after'] ?? ''
  return { kind: 'failed', failure, retryAfterMs: /^\d{1,9}$/.test(after) ? Number(after) * 1000 : null }
}
