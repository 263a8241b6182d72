import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type ScriptedUpstream, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Anthropic answers for an account without credit with the status and the type of a request that is wrong.

const NO_CREDIT =
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'

let gateway: GatewayUnderTest
let secret: string
let anthropic: ScriptedUpstream
let other: ScriptedUpstream
let message = NO_CREDIT

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  const account = await gateway.account({ balance: '100' })
  await gateway.store.accounts.update({ ...account, role: 'admin' }, null)
  secret = (await gateway.key(account)).secret
  anthropic = await scriptedUpstream((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
  })
  other = await scriptedUpstream(well)
})
afterAll(async () => {
  anthropic.close()
  other.close()
  await gateway.close()
})

async function put(name: string, others: readonly ScriptedUpstream[]): Promise<void> {
  const credentials = [unlimitedCredential(sealer(TEST_SECRET).seal('sk-ant-of-this-test'), 'main')]
  const first = { port: anthropic.port, protocol: 'anthropic', settings: { credentials } } as const
  await putModelOf(gateway.store, { name, targets: [first, ...others.map(({ port }) => ({ port, priority: 1 }))] })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
}

async function ask(model: string) {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: NO_CREDIT }] }),
  })
  const fault = response.headers.get('x-tollgate-fault')
  return { status: response.status, fault, text: await response.text() }
}

test('an account at Anthropic without credit is held after one request, which another target answers, and admins are alerted', async () => {
  await put('with-another', [other])
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await ask('with-another')).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect([anthropic.asked, other.asked]).toEqual([1, 5])
  const because = async () => (await gateway.store.catalog.credentialStates()).map(({ hold }) => hold?.because)
  await expect.poll(because, { timeout: PATIENCE_MS }).toEqual(['no_credit'])
  const alerts = () => gateway.store.alerts.adminTroubles({ fromMs: Date.now() - 7_200_000, toMs: Date.now() + 1 })
  const held = { kind: 'credential_held', about: 'with-another-0 / main' }
  await expect.poll(alerts, { timeout: PATIENCE_MS }).toMatchObject([held])
})

test('where it is alone, the caller hears that an admin has to act, and no name of the provider', async () => {
  await put('alone', [])
  for (let i = 0; i < 2; i++) {
    const refused = await ask('alone')
    expect(refused).toMatchObject({ status: 502, fault: 'upstream_unavailable' })
    expect(refused.text).not.toMatch(/anthropic|plans & billing/i)
  }
  expect(anthropic.asked).toBe(2)
})

test('an answer that only holds such words is about the request, and holds no account', async () => {
  message = `messages.0.content: "${NO_CREDIT}" is not a question`
  await put('quoting', [])
  const asked = anthropic.asked
  for (let i = 0; i < 3; i++) expect(await ask('quoting')).toMatchObject({ status: 400, fault: 'upstream_rejected' })
  expect(anthropic.asked).toBe(asked + 3)
})
