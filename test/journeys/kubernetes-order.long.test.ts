import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Environment } from '../support/gateway-process.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { longTest } from '../support/run/long-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Kubernetes sends SIGTERM and takes the pod off the list at the same time, and requests come until all have heard of that.

const KEY = 'order-journey-5d0a2f7c81be'
/** So long requests come after SIGTERM. */
const STILL_SENT_MS = 2_000
const CLIENTS = 4

async function terminatedUnderLoad(more: Environment) {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const environment = await freshEnvironment({ TOLLGATE_DEMO: '0', ...more })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, JSON.stringify(declaration(upstream.port)))
  const gateway = await startGateway({ ...environment, TOLLGATE_CONFIG: path })
  // Idle since before the signal.
  const kept = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  onTestFinished(() => kept.forEach((agent) => agent.destroy()))
  const before = await Promise.all(kept.map((agent) => chat(gateway.origin, agent)))
  process.kill(gateway.processId, 'SIGTERM')
  await expect.poll(gateway.printed, { timeout: PATIENCE_MS }).toContain('"msg":"draining"')
  const until = performance.now() + STILL_SENT_MS
  const after = await Promise.all(
    kept.flatMap((agent) => [
      chatsUntil(until, () => chat(gateway.origin, agent)),
      chatsUntil(until, () => chat(gateway.origin, false)),
    ]),
  )
  return { gateway, upstream, before, after: after.flat() }
}

// from: kubernetes/kubernetes#86280, zalando/skipper#652, kubernetes/ingress-nginx#3639.
test.for([{}, { TOLLGATE_WORKERS: '2' }])(
  'for two seconds after SIGTERM requests on new and kept connections are answered, and their connections closed: %o',
  async (more) => {
    // Longer than any machine takes for the two seconds; a second signal ends it.
    const { gateway, upstream, before, after } = await terminatedUnderLoad({
      TOLLGATE_SHUTDOWN_DELAY_MS: '60000',
      ...more,
    })
    expect(new Set(before)).toEqual(new Set(['200 keep-alive']))
    expect(new Set(after)).toEqual(new Set(['200 close']))
    expect(upstream.asked).toBe(before.length + after.length)
    const readiness = await fetch(`${gateway.origin}/readyz`)
    expect([readiness.status, await readiness.json()]).toEqual([503, { status: 'draining' }])
    expect(await gateway.stop()).toBe(1)
  },
)

longTest('with the delay as it is shipped the process ends by itself with 0, within the 10 s of Docker', async () => {
  const { gateway, upstream, before, after } = await terminatedUnderLoad({ TOLLGATE_SHUTDOWN_DELAY_MS: '' })
  expect(new Set(after)).toEqual(new Set(['200 close']))
  expect(upstream.asked).toBe(before.length + after.length)
  await expect.poll(gateway.printed, { timeout: 8_000 }).toContain('"msg":"stopped"')
})

async function chatsUntil(until: number, ask: () => Promise<string>): Promise<string[]> {
  const outcomes: string[] = []
  while (performance.now() < until) {
    outcomes.push(await ask())
    await pause(20)
  }
  return outcomes
}

/** Resolves with the status and what the answer says of the connection, or with what failed. */
function chat(origin: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(`${origin}/v1/chat/completions`, {
      method: 'POST',
      agent,
      // Without an agent Node asks for a connection that closes.
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', connection: 'keep-alive' },
    })
    outgoing.on('response', (response) => {
      text(response).then(
        () => resolve(`${response.statusCode} ${response.headers.connection}`),
        (error: unknown) => resolve(String(error)),
      )
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    outgoing.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }))
  })
}

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'm', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '10' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}
