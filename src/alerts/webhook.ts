import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '../core/clock.ts'
import { request as httpRequest } from '../core/node-http.ts'
import { codeOf } from './carrier.ts'
import type { AlertCarrier, OutgoingAlert, SendOutcome } from './carrier.ts'
import type { LastTemplate } from './last-template.ts'
import { postOf, refusalIn, type WebhookFormat, type WebhookSigning } from './webhook-formats.ts'

export type WebhookSettings = WebhookSigning & { readonly url: string }

export type WebhookOptions = WebhookSettings & {
  readonly clock: Clock
  readonly timeoutMs?: number
  /** Absent: alerts are posted as the format has them. */
  readonly template?: LastTemplate
}

/** The time for the whole of it: connecting, sending, the answer. */
const ANSWER_WITHIN_MS = 10_000
/** So much of an answer is read: it may have a code, and a polite receiver is not cut off. */
const ANSWER_BYTES_LIMIT = 16_384

/**
 * Posts alerts to the admin's own address: any host is right, private ones too, since only admins can set it.
 * A connection for each: they are few and far between. Redirects are not followed.
 */
export class WebhookCarrier implements AlertCarrier {
  readonly way = 'webhook'
  readonly #options: WebhookOptions

  constructor(options: WebhookOptions) {
    this.#options = options
  }

  async send(alert: OutgoingAlert, signal: AbortSignal): Promise<SendOutcome> {
    const { timeoutMs = ANSWER_WITHIN_MS } = this.#options
    const late = AbortSignal.timeout(timeoutMs)
    try {
      return outcomeOf(this.#options.format, await this.#post(alert, AbortSignal.any([signal, late])))
    } catch (error) {
      const failure = late.aborted ? `no answer within ${timeoutMs / 1000} s` : codeOf(error)
      return { kind: 'failed', failure, retryAfterMs: null }
    }
  }

  async #post(alert: OutgoingAlert, signal: AbortSignal): Promise<WebhookAnswer> {
    const { url, clock, template } = this.#options
    const how = { nowMs: clock.now(), template: (await template?.now()) ?? null }
    const { body, query, headers: signature } = postOf(alert, this.#options, how)
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Tollgate',
      ...signature,
    }
    const target = new URL(url)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    const request = target.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      request(target, { method: 'POST', headers, agent: false, signal }, (response) => {
        letEnd(response, (text) => resolve({ head: response, text }))
      })
        .on('error', reject)
        .end(body)
    })
  }
}

/** Lets a short answer run out. Where its body breaks off, what came of it counts. */
function letEnd(response: IncomingMessage, onEnd: (text: string) => void): void {
  let left = ANSWER_BYTES_LIMIT
  let text = ''
  response.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) response.destroy()
    else text += chunk.toString('latin1')
  })
  response.on('error', () => {})
  response.on('close', () => onEnd(text))
}

interface WebhookAnswer {
  readonly head: IncomingMessage
  /** What came of its body. */
  readonly text: string
}

const GONE = 410

/**
 * 2xx is delivered. 410 says that it is not wanted any more. Everything else may be fixed later (a wrong secret, a
 * route that is not deployed yet, a redirect), so it is tried again: that costs a few small requests, an alert that got
 * lost costs more.
 */
function outcomeOf(format: WebhookFormat, { head, text }: WebhookAnswer): SendOutcome {
  const { statusCode: status = 0, headers } = head
  if (status >= 200 && status < 300) {
    const refusal = refusalIn(format, text)
    return refusal === null ? { kind: 'delivered' } : { kind: 'failed', failure: refusal, retryAfterMs: null }
  }
  const failure = `HTTP ${status}`
  if (status === GONE) return { kind: 'refused', failure }
  const after = headers['retry-after'] ?? ''
  return { kind: 'failed', failure, retryAfterMs: /^\d{1,9}$/.test(after) ? Number(after) * 1000 : null }
}
