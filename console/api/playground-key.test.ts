import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteLeftKeys, makePlaygroundKey, openVisit, PLAYGROUND_NAME } from './playground-key.ts'

const NOW = Date.parse('2026-11-23T10:00:00Z')
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString()
let calls: { method: string; path: string; body: unknown }[] = []
let made = 0

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  })
  calls = []
  made = 0
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET'
    calls.push({ method, path, body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : null })
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }))
    return Promise.resolve(Response.json({ key: { id: `key_${++made}` }, secret: `sk-tg-${made}` }))
  })
})
afterEach(() => vi.unstubAllGlobals())

const reach = { group: 'default', fallback_groups: ['vip'], allowed_models: [] }

test('the key ends within the hour, and can what the account’s own key in these groups can', async () => {
  const key = await makePlaygroundKey(reach, NOW)
  expect(key).toEqual({ id: 'key_1', secret: 'sk-tg-1', endsAtMs: NOW + 3_600_000 })
  expect(calls.at(-1)?.body).toEqual({ name: PLAYGROUND_NAME, ...reach, expires_at: at(60), playground: true })
})

test('what an earlier visit made is deleted before there is another, and nothing else, whatever its name', async () => {
  await makePlaygroundKey(reach, NOW)
  await makePlaygroundKey(reach, NOW)
  await deleteLeftKeys()
  await deleteLeftKeys()
  expect(calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
    'POST /api/keys',
    'DELETE /api/keys/key_1',
    'POST /api/keys',
    'DELETE /api/keys/key_2',
  ])
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
  visit.leave()
  await asked
  await vi.waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/keys/key_1' }))
})
