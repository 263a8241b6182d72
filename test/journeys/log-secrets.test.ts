import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

// What a whole gateway prints at its most talkative, while requests go wrong in every way.

const CANARIES = {
  key: 'canary-key-2f9c61d07b3e5a8c41',
  wrongKey: 'sk-tg-canaryWrongKeyCanaryWrongKeyCanaryWrongKeyCan01',
  credential: 'canary-credential-of-the-upstream',
  header: 'canary-value-of-a-header',
  prompt: 'canary-text-of-a-prompt',
  agent: 'canary-user-agent',
  adminToken: 'canary-admin-token-with-32-characters',
  metricsToken: 'canary-metrics-token-with-32-characters',
}

const CREDENTIAL_NAME = 'of the day shift'

function fileOf(port: number): string {
  return JSON.stringify({
    upstreams: [
      {
        name: 'breaks',
        protocol: 'openai',
        base_url: `http://127.0.0.1:${port}/v1`,
        credentials: [{ name: CREDENTIAL_NAME, secret: CANARIES.credential }],
        headers: { 'x-canary': CANARIES.header },
      },
    ],
    models: [{ name: 'breaks', price: { input: '1', output: '1' }, targets: [{ upstream: 'breaks', model: 'm' }] }],
    groups: [{ name: 'default', multiplier: '1', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', password: 'correct horse battery', role: 'admin', balance: '100' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: CANARIES.key }],
  })
}

test('a failed request is found in the log by its id, with the name of the credential that failed, and no secret or text of a client is', async () => {
  const broken = createServer((socket) => socket.destroy())
  broken.listen(0, '127.0.0.1')
  await once(broken, 'listening')
  const config = join(await temporaryDirectory(), 'tollgate.yaml')
  await writeFile(config, fileOf((broken.address() as AddressInfo).port))
  const gateway = await startGateway(
    await freshEnvironment({
      TOLLGATE_CONFIG: config,
      TOLLGATE_DEMO: '0',
      TOLLGATE_LOG_LEVEL: 'debug',
      TOLLGATE_ADMIN_TOKEN: CANARIES.adminToken,
      TOLLGATE_METRICS_TOKEN: CANARIES.metricsToken,
    }),
  )
  const ask = (key: string, model: string) =>
    fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'user-agent': CANARIES.agent },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: CANARIES.prompt }] }),
    })
  const failed = await ask(CANARIES.key, 'breaks')
  expect(failed.status).toBe(502)
  expect([(await ask(CANARIES.wrongKey, 'breaks')).status, (await ask(CANARIES.key, 'canary-text')).status]).toEqual([
    401, 404,
  ])
  for (const token of [CANARIES.adminToken, CANARIES.metricsToken, CANARIES.key]) {
    await fetch(`${gateway.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  }
  await fetch(`${gateway.origin}/api/upstreams`, { headers: { authorization: `Bearer ${CANARIES.adminToken}` } })
  const id = failed.headers.get('x-request-id') ?? 'none'
  await expect.poll(() => gateway.printed(), { timeout: PATIENCE_MS }).toContain(`"requestId":"${id}"`)
  await gateway.stop()
  const line = gateway
    .printed()
    .split('\n')
    .find((each) => each.includes(id) && each.includes('upstream attempt failed'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ upstream: 'breaks', credentialName: CREDENTIAL_NAME })
  for (const canary of Object.values(CANARIES)) expect(gateway.printed()).not.toContain(canary)
  broken.close()
})
