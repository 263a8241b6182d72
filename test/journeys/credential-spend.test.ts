import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { scrape } from '../support/scrape.ts'
import { scriptedUpstream, well } from '../support/scripted-upstream.ts'

const KEY = 'spend-journey-2f9c61d07b3e'

test('a credential that has cost what it may in a day rests after a restart too, and is said to', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const environment = await freshEnvironment({ TOLLGATE_DEMO: '0', SPENT_SECRET: 'sk-of-the-provider' })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(
    path,
    `upstreams:
  - name: main
    protocol: openai
    base_url: http://127.0.0.1:${upstream.port}/v1
    credentials: [{ name: capped, secret: "\${SPENT_SECRET}", spend_per_day: "0.001" }]
models:
  - { name: m, price: { input: "1000", output: "1000" }, targets: [{ upstream: main, model: m }] }
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1000" }
keys:
  - { account: ada@example.test, name: laptop, group: default, custom_key: ${KEY} }
`,
  )
  const configured = { ...environment, TOLLGATE_CONFIG: path }
  const ask = async (origin: string) => {
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await answer.text()
    return answer.status
  }
  const first = await startGateway(configured)
  expect([await ask(first.origin), await ask(first.origin)]).toEqual([200, 502])
  expect(await first.stop()).toBe(0)
  const second = await startGateway(configured)
  expect(await ask(second.origin)).toBe(502)
  const labels = { upstream: 'main', credential: 'capped' }
  expect((await scrape(second.origin)).sum('tollgate_credential_spend_cap_reached', labels)).toBe(1)
  expect(upstream.asked).toBe(1)
})
