import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { newId } from '../../src/core/ids.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { Target, Upstream } from '../../src/routing/catalog.ts'
import type { Serving } from '../../src/routing/serving.ts'
import type { Store } from '../../src/store/store.ts'
import { TEST_PRICES } from './gateway-under-test.ts'

export type Script = (request: IncomingMessage, response: ServerResponse) => void

/** Answers a chat of the OpenAI wire with one word. */
export const well: Script = (request, response) => {
  request.resume()
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
}

/** Refuses this field by name where a request has it, and answers all others. */
export function refusing(field: string, message: string): Script {
  const answer = async (...[request, response]: Parameters<Script>) => {
    const body = (await json(request)) as object
    if (!Object.hasOwn(body, field)) return well(request, response)
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: field } }))
  }
  return (request, response) => void answer(request, response)
}

/** An upstream whose answers a test writes, and may write anew at any time. */
export interface ScriptedUpstream {
  /** Origin without a path, as `http://127.0.0.1:4711`. */
  readonly url: string
  readonly port: number
  /** Requests that arrived. */
  asked: number
  script: Script
  close(): void
}

/** Starts one on a free port of the loopback; rejects when it cannot listen. */
export async function scriptedUpstream(script: Script): Promise<ScriptedUpstream> {
  const server = createServer((request, response) => {
    upstream.asked += 1
    upstream.script(request, response)
  })
  // Longer than any client keeps an idle connection.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const upstream: ScriptedUpstream = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked: 0,
    script,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return upstream
}

/** One target of a model that is put up for a test. */
export interface ServerTarget {
  readonly port: number
  /** The model's name there. */
  readonly model?: string
  readonly protocol?: UpstreamProtocol
  readonly priority?: number
  readonly weight?: number
  /** What else is set on it. */
  readonly more?: Pick<Target, 'groupIds' | 'cost' | 'minMargin' | 'droppedSettings' | 'fieldsLike' | 'rules'>
  readonly settings?: Partial<Upstream>
}

/** Puts up a model with an upstream of its own for each target. */
export async function putModelOf(
  store: Store,
  model: { name: string; targets: readonly ServerTarget[]; prices?: TokenPrices; serving?: Serving },
): Promise<void> {
  const { name, targets, prices = TEST_PRICES, serving } = model
  const now = Date.now()
  const entries = []
  for (const [index, target] of targets.entries()) {
    const { port, model: nameThere = 'm', protocol = 'openai', priority = 0, weight = 1, settings, more } = target
    const upstreamId = newId('ups', now)
    entries.push({ upstreamId, model: nameThere, priority, weight, ...more })
    await store.catalog.putUpstream({
      id: upstreamId,
      name: `${name}-${index}`,
      protocol,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      credentials: [],
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
      ...settings,
    })
  }
  await store.catalog.putModel({
    id: newId('mdl', now),
    name,
    prices,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    ...(serving === undefined ? {} : { serving }),
    targets: entries,
    createdAt: now,
    isManaged: false,
  })
}
