import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { STORE_FAILURE_TEXTS } from '../../src/core/store-failures.ts'
import { runHere } from '../support/command-here.ts'
import { gatewayEnvironment, startGatewayProcess } from '../support/gateway-process.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'
import { breakableDisk } from './breakable-disk.ts'

const KEY = 'full-disk-journey-77c1e0d4'
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const poll = { timeout: PATIENCE_MS }
const ANSWER = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'four' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

// from: BerriAI/litellm#21158, tursodatabase/libsql#580, jellyfin/jellyfin.org#648; BerriAI/litellm#26134 for the way back
test('on a full disk requests, readiness, attention, metrics and doctor say the same, and all of it heals without a request', async () => {
  const upstream = await scriptedUpstream((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER))
  })
  onTestFinished(() => upstream.close())
  const disk = await breakableDisk({ wantsOwnDisk: true })
  onTestFinished(() => disk.close())
  const config = join(disk.directory, 'tollgate.yaml')
  await writeFile(config, JSON.stringify(declaration(upstream.port)))
  const gateway = await startGatewayProcess(
    gatewayEnvironment(disk.directory, {
      TOLLGATE_CONFIG: config,
      TOLLGATE_DEMO: '0',
      TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    }),
  )
  onTestFinished(() => gateway.kill())
  const { origin } = gateway
  const call = async () => {
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return [answer.status, answer.headers.get('x-tollgate-fault')]
  }
  const ready = async () => {
    const answer = await fetch(`${origin}/readyz`)
    return { status: answer.status, body: (await answer.json()) as { status: string; because?: string } }
  }
  const api = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
    const answer = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, text: await answer.text() }
  }
  expect(await call()).toEqual([200, null])
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready' } })

  const because = disk.isOwnDisk ? 'disk_full' : 'failing'
  await disk.fill(gateway.processId)
  try {
    await expect.poll(call, poll).toEqual([503, 'store_unavailable'])
    await expect.poll(ready, poll).toEqual({ status: 503, body: { status: 'store_unavailable', because } })
    for (let times = 0; times < 5; times++) expect(await call()).toEqual([503, 'store_unavailable'])
    const { status, text } = await api('GET', '/api/attention')
    const { data } = JSON.parse(text) as { data: { kind: string; store: string | null; severity: string }[] }
    expect(status, text).toBe(200)
    expect(data[0]).toMatchObject({ kind: 'store_failing', store: because, severity: 'bad' })
    const metrics = await fetch(`${origin}/metrics`).then((answer) => answer.text())
    expect(metrics).toMatch(/^tollgate_store_up 0$/m)
    expect(metrics).toMatch(new RegExp(`^tollgate_store_failing\\{because="${because}"\\} 1$`, 'm'))
    const doctor = await runHere({ TOLLGATE_API_KEY: KEY }, ['doctor', '--base-url', origin])
    expect([doctor.code, doctor.stdout + doctor.stderr]).toEqual([
      1,
      expect.stringContaining(STORE_FAILURE_TEXTS[because].cause),
    ])
    // What is looked at then is there, and what cannot be written is refused in words.
    for (const path of ['/api/system', '/api/accounts', '/api/usage', '/api/settings', '/api/audit']) {
      expect((await api('GET', path)).status, path).toBe(200)
    }
    const refused = await api('POST', '/api/groups', { name: 'one more' })
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([503, { code: 'store_unavailable' }])
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  } finally {
    await disk.repair(gateway.processId)
  }
  await expect.poll(ready, poll).toEqual({ status: 200, body: { status: 'ready' } })
  expect(await call()).toEqual([200, null])
  expect((await api('GET', '/api/attention')).text).not.toContain('store_failing')
})

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'm', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '10' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}
