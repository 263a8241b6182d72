import { Agent, type ClientRequest, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { AttackedGateway } from '../attacked-gateway.ts'
import type { MoneyCase } from './money-case.ts'
import { modelName } from './open-models.ts'
import { WIRE_CALLS, type WireCall } from './wire-calls.ts'

export interface Sent {
  /** null: no head of an answer came. */
  readonly status: number | null
  readonly fault: string | null
  readonly text: string
}

/** The gateway charges the input of a request that was left before its first byte, once it was upstream for some time. */
const UPSTREAM_FOR_MS = 400
const TRIES = 400
const TRY_MS = 25

/** Sends one case with a key's secret, and leaves when the case says so. `tag` is its user agent, to be found upstream. */
export async function sendCase(
  one: MoneyCase,
  about: { readonly gateway: AttackedGateway; readonly secret: string; readonly tag: string; readonly agent: Agent },
): Promise<Sent> {
  const { gateway, secret, tag, agent } = about
  const call: WireCall = WIRE_CALLS[one.wire]
  const model = modelName(gateway.prefix, one.model, one.only)
  const body = Buffer.from(one.body.replace('MODEL', model))
  const path = call.path(model, one.isStream)
  const query = one.query === '' ? '' : (path.includes('?') ? '&' : '?') + one.query
  const outgoing = request(gateway.origin + path + query, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': tag,
      [call.secretHeader]: call.secretHeader === 'authorization' ? `Bearer ${secret}` : secret,
      ...one.headers,
    },
  })
  const sent = readAnswer(outgoing, one, call)
  outgoing.end(body)
  if (one.leaves === 'before-first-byte') {
    await Promise.race([sent, whenUpstream(gateway, tag)])
    await pause(UPSTREAM_FOR_MS)
    outgoing.destroy()
  }
  return sent
}

function readAnswer(outgoing: ClientRequest, { leaves }: MoneyCase, { stop }: WireCall): Promise<Sent> {
  return new Promise((resolve) => {
    let status: number | null = null
    let fault: string | null = null
    let text = ''
    outgoing.on('response', (response) => {
      status = response.statusCode ?? null
      fault = String(response.headers['x-tollgate-fault'] ?? '') || null
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        const hasStopped = leaves === 'stop' && text.includes(stop)
        if (status === 200 && (leaves === 'first-event' || hasStopped)) outgoing.destroy()
      })
      response.on('error', () => {})
    })
    outgoing.on('error', () => {})
    outgoing.on('close', () => resolve({ status, fault, text }))
  })
}

/** Waits until the provider has the request. */
async function whenUpstream({ provider }: AttackedGateway, tag: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (provider.ledger.calls.some(({ headers }) => headers['user-agent'] === tag)) return
    await pause(TRY_MS)
  }
}
