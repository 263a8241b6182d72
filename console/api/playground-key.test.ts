import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteLeftKeys, makePlaygroundKey, openVisit, PLAYGROUND_NAME } from './playground-key.ts'

const NOW = Date.parse('2026-11-23T10:00:00Z')
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString()
const listed = (id: string, over: object = {}) => ({
  id,
  name: PLAYGROUND_NAME,
  managed: false,
  created_at: at(-20),
  expires_at: at(40),
  ...over,
})

let calls: { method: string; path: string; body: unknown }[] = []
let keys: object[] = []
let made = 0

beforeEach(() => {
  calls = []
  keys = []
  made = 0
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET'
    calls.push({ method, path, body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : null })
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }))
    const answer = method === 'POST' ? { key: { id: 'key_new' }, secret: `sk-tg-${++made}` } : { data: keys }
    return Promise.resolve(Response.json(answer))
  })
})
afterEach(() => vi.unstubAllGlobals())

const reach = { group: 'default', fallback_groups: ['vip'], allowed_models: [] }

test('the key ends within the hour, and can what the account’s own key in these groups can', async () => {
  const key = await makePlaygroundKey(reach, NOW)
  expect(key).toEqual({ id: 'key_new', secret: 'sk-tg-1', endsAtMs: NOW + 3_600_000 })
  expect(calls.at(-1)?.body).toEqual({ name: PLAYGROUND_NAME, ...reach, expires_at: at(60) })
})

test('what earlier visits left is deleted before there is another', async () => {
  keys = [listed('key_a'), listed('key_b', { created_at: at(-90), expires_at: at(-30) })]
  await makePlaygroundKey(reach, NOW)
  expect(calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
    'GET /api/keys',
    'DELETE /api/keys/key_a',
    'DELETE /api/keys/key_b',
    'POST /api/keys',
  ])
})

test('a key that was made by hand is left alone, whatever its name', async () => {
  keys = [
    listed('key_other', { name: 'Playground of Ada' }),
    listed('key_forever', { expires_at: null }),
    listed('key_month', { expires_at: at(43_200) }),
    listed('key_managed', { managed: true }),
  ]
  await deleteLeftKeys(NOW)
  expect(calls.map(({ method }) => method)).toEqual(['GET'])
})

test('a visit makes one key for its questions, and another before the hour is over', async () => {
  let nowMs = NOW
  const visit = openVisit(() => nowMs)
  const used: string[] = []
  const ask = () => visit.ask(reach, (secret) => Promise.resolve(used.push(secret) > 0))
  await ask()
  await ask()
  nowMs += 56 * 60_000
  await ask()
  expect(used).toEqual(['sk-tg-1', 'sk-tg-1', 'sk-tg-2'])
})

test('a key that another window ended is replaced, once for each question', async () => {
  const visit = openVisit(() => NOW)
  const used: string[] = []
  await visit.ask(reach, (secret) => Promise.resolve(used.push(secret) < 0))
  expect(used).toEqual(['sk-tg-1', 'sk-tg-2'])
})

test('who leaves while the key is being made sends nothing, and the key is ended', async () => {
  const visit = openVisit(() => NOW)
  const asked = visit.ask(reach, () => Promise.reject(new Error('sent')))
  keys = [listed('key_new')]
  visit.leave()
  await asked
  await vi.waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/keys/key_new' }))
})
