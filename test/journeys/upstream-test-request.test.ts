import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseUsd } from '../../src/core/money.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { CHAT_WIRES } from '../../src/core/wire.ts'
import { SMALL_REQUEST_WIRES } from '../../src/protocols/small-request.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_PRICES, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Tests of upstreams by real requests: through the code that serves clients, paid by no account.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const COST = { kind: 'prices', prices: { ...TEST_PRICES, input: parseUsd('1'), output: parseUsd('2') } } as const
// Not in the form of any provider's, by which it would be taken out as well.
const CREDENTIAL = 'upstream_credential_of_this_test'

let gateway: GatewayUnderTest
let secret: string
beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

async function api(method: string, path: string, body?: object) {
  const response = await fetch(gateway.origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

interface Tested {
  readonly id: string
  readonly model: string
  readonly seen: { readonly path: string; readonly credential: string; readonly body: string }[]
  script: Script
}

let count = 0
/** A model at an upstream with these credentials, whose own prices are known. */
async function put(script: Script, names: readonly string[] = ['main']): Promise<Tested> {
  const model = `tested-${++count}`
  const box = sealer(TEST_SECRET)
  const made: Tested = { id: '', model, seen: [], script }
  const server = await scriptedUpstream((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const credential = request.headers.authorization?.replace('Bearer ', '') ?? ''
      made.seen.push({ path: request.url ?? '', credential, body })
      made.script(request, response)
    })
  })
  onTestFinished(() => server.close())
  const credentials = names.map((name) => unlimitedCredential(box.seal(`${CREDENTIAL}-${name}`), name))
  const more = { cost: COST, groupIds: ['grp_of_others'] }
  const settings = { protocol: 'openai-chat', credentials } as const
  await putModelOf(gateway.store, { name: model, targets: [{ port: server.port, settings, more }] })
  const upstreams = async () => (await api('GET', `/api/upstreams?search=${model}-0`)).body.data
  const id = (await upstreams())[0].id
  const isKnown = async () => (await api('GET', `/api/upstreams/${id}/credentials`)).body.data[0]?.state !== 'unusable'
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return Object.assign(made, { id })
}

const send = (of: Tested, body: object = {}) =>
  api('POST', `/api/upstreams/${of.id}/test-request`, { model: of.model, ...body })

const refusing =
  (status: number, message = 'No.'): Script =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message, type: 'x', code: null, param: null } }))
  }

describe('a good answer', () => {
  test.for(CHAT_WIRES.flatMap((wire) => [false, true].map((stream) => [wire, stream] as const)))(
    'over %s, streamed %s, says stage by stage how far it got',
    async ([protocol, stream]) => {
      const of = await put(stream ? streaming : well)
      const { status, body } = await send(of, { protocol, stream })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          ok: true,
          model: of.model,
          upstream_model: 'm',
          credential: 'main',
          protocol,
          stream,
          translated: protocol !== 'openai-chat',
          connected: true,
          status: 200,
          first_event_ms: expect.any(Number),
          usage_source: 'reported',
          input_tokens: 1,
          output_tokens: 1,
          provider_cost: '0.000003',
          class: 'ok',
          fault: null,
          client_status: 200,
        },
      })
      const [asked] = of.seen
      expect(asked).toMatchObject({ path: '/v1/chat/completions', credential: `${CREDENTIAL}-main` })
      const limit = protocol === 'openai-responses' ? 16 : 8
      expect(JSON.parse(asked?.body ?? '')).toMatchObject({ model: 'm', max_tokens: limit })
      expect(of.seen).toHaveLength(1)
    },
  )

  test('is recorded as what it cost, paid by no account, and the books agree', async () => {
    const of = await put(well)
    const { body } = await send(of)
    const record = await gateway.store.usage.record(body.request_id)
    expect(record).toMatchObject({
      accountId: 'acc_upstream_test',
      outcome: 'completed',
      cost: 0n,
      balancePaid: 0n,
      providerCost: parseUsd('0.000003'),
    })
    const margins = (await api('GET', `/api/margins?upstream=${of.model}-0`)).body
    expect(margins.totals).toMatchObject({ requests: 1, charged: '0', provider_cost: '0.000003', margin: '-0.000003' })
    expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
    const usage = (await api('GET', `/api/usage/${body.request_id}`)).body
    expect(usage).toMatchObject({ key_name: 'upstream test', cost: '0', provider_cost: '0.000003' })
  })

  test.for(SMALL_REQUEST_WIRES)(
    'over %s comes to a text of the admin’s own, which the audit has not',
    async (protocol) => {
      const of = await put(well)
      const text = 'Tell me: what is "tea"?'
      await send(of, { protocol, text })
      // What the upstream does not speak is refused before it is asked.
      for (const { body } of of.seen) expect(body).toContain(JSON.stringify(text))
      expect(of.seen.length).toBe(CHAT_WIRES.some((wire) => wire === protocol) ? 1 : of.seen.length)
      expect((await api('GET', `/api/audit?subject=${of.id}`)).text).not.toContain('tea')
      expect((await send(of, { text: 'x'.repeat(1_001) })).status).toBe(422)
      expect((await send(of, { text: ' ' })).status).toBe(422)
    },
  )

  test('stands in the audit log', async () => {
    const of = await put(well)
    const { body } = await send(of)
    const [entry] = (await api('GET', `/api/audit?subject=${of.id}`)).body.data
    expect(entry).toMatchObject({ action: 'upstream.test', actor: 'admin_token' })
    expect(entry.changes).toMatchObject({ request: { after: body.request_id }, class: { after: 'ok' } })
  })
})

describe('a bad answer', () => {
  test.for([
    [401, 'credential'],
    [402, 'no_credit'],
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'failed'],
    [503, 'overloaded'],
    [400, 'rejected'],
  ] as const)(
    'of the status %i is of the class %s, in the upstream’s words without its credential',
    async ([status, of]) => {
      const place = await put(refusing(status, `No, ${CREDENTIAL}-main.`))
      const { body, text } = await send(place)
      expect(body).toMatchObject({ ok: false, status, class: of, provider_cost: null, usage_source: 'none' })
      expect(body).toMatchObject({ result: 'status', said: expect.stringContaining('No, ') })
      expect(body.detail).toContain('No, ')
      expect(text).not.toContain(CREDENTIAL)
    },
  )

  test('of an upstream that is not there says so', async () => {
    const of = await put(well)
    await putModelOf(gateway.store, { name: 'nowhere', targets: [{ port: 9 }] })
    const found = async () => (await api('GET', '/api/upstreams?search=nowhere-0')).body.data[0]
    const { id } = await found()
    const result = async () => api('POST', `/api/upstreams/${id}/test-request`, { model: 'nowhere' })
    await expect.poll(async () => (await result()).status, { timeout: PATIENCE_MS }).toBe(200)
    expect((await result()).body).toMatchObject({ ok: false, connected: false, status: null, class: 'unreachable' })
    expect((await result()).body).toMatchObject({ result: 'connection_refused', said: null })
    expect((await result()).body.detail).toContain('Nothing listens')
    expect(of.seen).toHaveLength(0)
  })

  test('changes nothing for the requests of clients', async () => {
    const of = await put(refusing(401))
    await send(of)
    expect((await api('GET', `/api/upstreams/${of.id}/credentials`)).body.data[0].state).toBe('healthy')
  })
})

describe('credentials', () => {
  test('one that is held is tried at once, and a good answer releases it', async () => {
    const of = await put(refusing(401), ['a'])
    const open = (await gateway.store.catalog.models()).find(({ name }) => name === of.model)
    if (open === undefined) throw new Error('the model is not there')
    const groupId = (await gateway.store.groups.groups())[0]?.id ?? ''
    const targets = open.targets.map((target) => ({ ...target, groupIds: [groupId] }))
    await gateway.store.catalog.editModel(open.id, (before) => ({ ...before, targets }))
    const ask = () =>
      fetch(`${gateway.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: of.model, messages: [{ role: 'user', content: 'hello' }] }),
      })
    await expect.poll(async () => (await ask()).status, { timeout: PATIENCE_MS }).toBe(502)
    const state = async () => (await api('GET', `/api/upstreams/${of.id}/credentials`)).body.data[0].state
    expect(await state()).toBe('held')
    of.script = well
    expect((await send(of)).body).toMatchObject({ ok: true, released: true })
    expect(await state()).toBe('healthy')
    expect((await ask()).status).toBe(200)
  })

  test('the one that is named is sent, and no other', async () => {
    const of = await put(well, ['a', 'b', 'c'])
    await send(of, { credential: 'b' })
    expect(of.seen.map(({ credential }) => credential)).toEqual([`${CREDENTIAL}-b`])
  })
})

test('what is not there is refused by its field', async () => {
  const of = await put(well)
  expect(await send(of, { model: 'none' })).toMatchObject({ status: 422, body: { field: 'model' } })
  expect(await send(of, { credential: 'none' })).toMatchObject({ status: 422, body: { field: 'credential' } })
  expect(await send(of, { protocol: 'openai-images' })).toMatchObject({ status: 422, body: { field: 'protocol' } })
  expect(of.seen).toHaveLength(0)
})

test('the command line prints a line for each model, credential and protocol, and fails where one of them does', async () => {
  const of = await put(
    (request, response) => {
      const isB = request.headers.authorization?.endsWith('-b') === true
      return (isB ? refusing(401) : well)(request, response)
    },
    ['a', 'b'],
  )
  const args = ['upstream', 'test', `${of.model}-0`, '--base-url', gateway.origin]
  const all = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, args)
  expect(all.code).toBe(1)
  expect(all.stdout.split('\n').filter((line) => line.startsWith(of.model) && line.includes(' ms'))).toHaveLength(8)
  expect(all.stdout).toContain('anthropic-messages (translated)')
  expect(all.stdout).not.toContain(CREDENTIAL)
  const good = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, [
    ...args,
    '--credential',
    'a',
    '--protocol',
    'gemini',
  ])
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('gemini (translated)') })
})

// Each of these was found out by reading the cloud's documentation (langgenius/dify#2829, alex-wolf-ps/dbchatprov2#2).
test('what to do about a refusal of a cloud is said by the API and by the command line', async () => {
  const words = "You don't have access to the model with the specified model ID."
  const remedy = 'Request it under Model access in the Bedrock console of that region'
  const of = await put(refusing(403, words))
  const { body } = await send(of)
  expect(body.said).toBe(words)
  expect(body.detail).toContain(
    `It said: ${words} The AWS account has no access to this model in this region. ${remedy}`,
  )
  const args = ['upstream', 'test', `${of.model}-0`, '--base-url', gateway.origin, '--protocol', 'openai-chat']
  const { code, stdout } = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, args)
  expect(code).toBe(1)
  expect(stdout).toContain(remedy)
})

test('a protocol that the model is not called over fails a run of all of them as little as it would fail a client', async () => {
  const of = await put(well, ['a'])
  const token = { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }
  const [model] = (await api('GET', `/api/models?search=${of.model}`)).body.data
  const path = `/api/models/${model.id}`
  expect(await api('PATCH', path, { endpoints: ['openai-chat'] })).toMatchObject({ status: 200 })
  const args = ['upstream', 'test', `${of.model}-0`, '--base-url', gateway.origin]
  const all = await runHere(token, args)
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('not_sent') })
  expect(await runHere(token, [...args, '--protocol', 'gemini'])).toMatchObject({ code: 1 })
})

const streaming: Script = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...fields })}\n\n`
  response.write(
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'hello' }, finish_reason: null }] }),
  )
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  response.write(chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }))
  response.end('data: [DONE]\n\n')
}

test('of several targets that a model has at one upstream each can be tested, by its name there', async () => {
  const of = await put(well)
  const [model] = (await gateway.store.catalog.models()).filter(({ name }) => name === of.model)
  if (model === undefined) throw new Error('the model is there')
  const [first] = model.targets
  if (first === undefined) throw new Error('its target is there')
  await gateway.store.catalog.putModel({ ...model, targets: [first, { ...first, model: 'm-second', priority: 1 }] })
  const second = { upstream_model: 'm-second' }
  const tested = async () => (await send(of, second)).status
  await expect.poll(tested, { timeout: PATIENCE_MS }).toBe(200)
  expect((await send(of, second)).body).toMatchObject({ ok: true, model: of.model, upstream_model: 'm-second' })
  expect((await send(of)).body).toMatchObject({ ok: true, upstream_model: 'm' })
  expect(of.seen.slice(-2).map(({ body }) => JSON.parse(body).model)).toEqual(['m-second', 'm'])
  const refused = await send(of, { upstream_model: 'm-third' })
  expect([refused.status, refused.text.includes('m-third')]).toEqual([422, true])
})

test('the limit of a test is written in the field that a rule of the model or the target names', async () => {
  const of = await put(well)
  const found = (await api('GET', `/api/models?search=${of.model}&limit=200`)).body.data
  const { id } = found.find(({ name }: { name: string }) => name === of.model)
  const changed = await api('PATCH', `/api/models/${id}`, { rules: { limit_field: 'max_completion_tokens' } })
  expect(changed.status, changed.text).toBe(200)
  const arrived = async () => {
    expect((await send(of)).body).toMatchObject({ ok: true })
    return JSON.parse(of.seen.at(-1)?.body ?? '')
  }
  expect(await arrived()).toMatchObject({ max_completion_tokens: 8 })
  expect(await arrived()).not.toHaveProperty('max_tokens')
})
