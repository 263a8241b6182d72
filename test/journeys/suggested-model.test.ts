import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModelView } from '../../src/contract/models.ts'
import type { KeySetup } from '../../src/contract/setup.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

// What is suggested for a new client, on a running gateway, after what its models did.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const BROKEN = 'fake/cut-mid-stream'
const WELL = 'fake/fixed?chunks=3'
const EMBEDDING = 'fake/bge-m3'

let gateway: GatewayUnderTest

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
  for (const name of [BROKEN, WELL, EMBEDDING]) await gateway.model(name)
})

afterAll(() => gateway.close())

test('a model that broke off is suggested no more, even where an admin recommends it; one that answered is', async () => {
  const { key, secret } = await gateway.key(await gateway.account())
  await mark(BROKEN, { recommended: true })
  expect(suggestedOf(await setupOf(key.id))).toEqual(new Set([BROKEN]))
  await call(secret, BROKEN)
  await call(secret, WELL)
  await expect.poll(async () => suggestedOf(await setupOf(key.id))).toEqual(new Set([WELL]))
  const { models } = await setupOf(key.id)
  const known = Object.fromEntries(
    models.map(({ name, kind, recommended, answers }) => [name, { kind, recommended, answers }]),
  )
  expect(known).toEqual({
    [BROKEN]: { kind: 'chat', recommended: true, answers: false },
    [WELL]: { kind: 'chat', recommended: false, answers: true },
    [EMBEDDING]: { kind: 'embedding', recommended: false, answers: null },
  })
})

test('a model whose upstream an admin takes out of service is suggested no more', async () => {
  const { key } = await gateway.key(await gateway.account(), { allowedModels: [BROKEN, WELL] })
  const disable = (isDisabled: boolean) =>
    Promise.all(
      ['fake-openai', 'fake-anthropic'].map(async (name) => {
        const { data } = await ask<Page<{ id: string }>>('GET', `/api/upstreams?search=${name}`)
        const id = data[0]?.id ?? ''
        await ask('PATCH', `/api/upstreams/${id}/credentials/default`, { disabled: isDisabled })
      }),
    )
  await disable(true)
  const { models } = await setupOf(key.id)
  expect(models.map(({ answers }) => answers)).toEqual([false, false])
  await disable(false)
})

test('an admin’s word on a kind is kept before all else, and taken back by null', async () => {
  const { key } = await gateway.key(await gateway.account(), { allowedModels: [EMBEDDING] })
  expect((await setupOf(key.id)).clients.every(({ unavailable }) => unavailable === 'no_chat_model')).toBe(true)
  expect(await mark(EMBEDDING, { kind: 'chat' })).toMatchObject({ kind: 'chat', kind_from: 'set' })
  expect(suggestedOf(await setupOf(key.id))).toEqual(new Set([EMBEDDING]))
  expect(await mark(EMBEDDING, { kind: null })).toMatchObject({ kind: 'embedding', kind_from: 'name' })
})

test('a model’s kind is what an admin says, else what it is charged by, else what its name speaks of', async () => {
  const shown = async (name: string, over: object) => {
    const price = { input: '1', output: '2' }
    const {
      id,
      kind,
      kind_from: from,
      recommended,
    } = await ask<ModelView>('POST', '/api/models', { name, price, ...over })
    await ask('DELETE', `/api/models/${id}`)
    return [kind, from, recommended]
  }
  expect(await shown('plain', {})).toEqual(['chat', 'default', false])
  expect(await shown('text-embedding-3', { recommended: true })).toEqual(['embedding', 'name', true])
  expect(await shown('drawn', { price: { per_image: '0.04' } })).toEqual(['image', 'price', false])
  expect(await shown('bge-chat', { kind: 'chat' })).toEqual(['chat', 'set', false])
  await expect(shown('odd', { kind: 'oracle' })).rejects.toThrow(/422/)
})

function suggestedOf({ clients }: KeySetup): Set<string> {
  return new Set(clients.flatMap(({ ways }) => ways.flatMap(({ slots }) => slots.map(({ suggested }) => suggested))))
}

function setupOf(keyId: string): Promise<KeySetup> {
  return ask('GET', `/api/keys/${keyId}/setup`)
}

async function mark(name: string, change: object): Promise<ModelView> {
  const { data } = await ask<Page<ModelView>>('GET', '/api/models')
  return ask('PATCH', `/api/models/${data.find((model) => model.name === name)?.id}`, change)
}

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(gateway.origin + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}.`)
  const text = await response.text()
  return (text === '' ? null : JSON.parse(text)) as Answer
}

async function call(secret: string, model: string): Promise<void> {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text().catch(() => '')
}
