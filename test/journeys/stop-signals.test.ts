import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

const KEY = 'stop-journey-5d0a2f7c81be'

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], ...fields })}\n\n`
const WORD = chunk({ choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }] })
const END =
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  `${chunk({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s lets a stream that runs come to its end, refuses new connections, and ends the process with 0',
  async (signal) => {
    const finish = Promise.withResolvers<void>()
    const upstream = await scriptedUpstream((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(WORD)
      void finish.promise.then(() => response.end(END))
    })
    onTestFinished(() => upstream.close())
    const environment = await freshEnvironment({ TOLLGATE_DEMO: '0' })
    const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
    await writeFile(path, JSON.stringify(declaration(upstream.port)))
    const gateway = await startGateway({ ...environment, TOLLGATE_CONFIG: path, TOLLGATE_LOG_LEVEL: 'info' })
    const ask = () =>
      fetch(`${gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
      })
    const running = await ask()
    process.kill(gateway.processId, signal)
    await expect.poll(() => connects(gateway.origin), { timeout: PATIENCE_MS }).toBe('ECONNREFUSED')
    finish.resolve()
    expect(await running.text()).toContain('[DONE]')
    await expect.poll(() => isGone(gateway.processId), { timeout: PATIENCE_MS }).toBe(true)
    expect(await gateway.stop()).toBe(0)
  },
)

/** What came of a new connection. */
function connects(origin: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve('connected')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
}

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'slow', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '1' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}

function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return false
  } catch {
    return true
  }
}
