import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** Answers a request, at once or later; what it returns means nothing. */
export type Script = (request: IncomingMessage, response: ServerResponse) => unknown

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
  return async (request, response) => {
    const body = (await json(request)) as object
    if (!Object.hasOwn(body, field)) return well(request, response)
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: field } }))
  }
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
    void upstream.script(request, response)
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
