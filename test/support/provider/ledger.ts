/** What the provider billed, call by call, also where its client never learned of it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderWire } from './asked.ts'
import type { Generation } from './generation.ts'
import type { HostedCalls } from './hosted-tools.ts'

export interface BilledCall {
  /** The id by which the gateway named the request upstream (`x-request-id`). */
  readonly requestId: string
  readonly wire: ProviderWire
  readonly model: string
  readonly isStream: boolean
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Tokens of input at the plain price, and apart from these those of the cache. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWrite1h: number
  readonly calls: HostedCalls
  readonly tier: string
  readonly speed: string | null
  readonly region: string | null
  /** Tokens that were produced until now, thinking included. */
  output: number
  hidden: number
  /** Tokens of sound in `output`. */
  audio: number
  /** Whether a whole report of the usage reached the socket. */
  isReported: boolean
  /** `left`: its client hung up before the end. */
  end: 'running' | 'whole' | 'left'
}

const MOST_CALLS = 100_000

/** The calls of one provider, oldest first. */
export class ProviderLedger {
  readonly calls: BilledCall[] = []

  /** Opens a call whose input was read: that much is billed whatever follows. */
  open(
    generation: Generation,
    arrived: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  ): BilledCall {
    const { asked, input } = generation
    const fresh = input.tokens - input.cached
    const requestId = arrived.headers['x-request-id']
    const call: BilledCall = {
      requestId: typeof requestId === 'string' ? requestId : '',
      wire: asked.wire,
      model: asked.model,
      isStream: asked.isStream,
      ...arrived,
      input: asked.cacheTtl === null ? fresh : 0,
      cacheRead: input.cached,
      cacheWrite: asked.cacheTtl === '5m' ? fresh : 0,
      cacheWrite1h: asked.cacheTtl === '1h' ? fresh : 0,
      calls: input.calls,
      tier: asked.tier,
      speed: asked.speed,
      region: asked.region,
      output: 0,
      hidden: 0,
      audio: 0,
      isReported: false,
      end: 'running',
    }
    if (this.calls.length >= MOST_CALLS) this.calls.shift()
    this.calls.push(call)
    return call
  }

  /** All calls under one request id of the gateway's: one for each attempt. */
  of(requestId: string): readonly BilledCall[] {
    return this.calls.filter((call) => call.requestId === requestId)
  }
}
