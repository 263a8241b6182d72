/** The books of the fake upstream: a gateway's are compared with them, so they must be right first. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Stats } from './books.ts'
import type { FakeUpstream } from './fake-upstream.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import { WIRE_NAMES, WIRE_PATHS, bodyOf } from '../../test/support/raw-call.ts'
import { NO_TOKENS, addUsage } from './usage.ts'
import type { Usage } from './usage.ts'

let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

function call(path: string, body: string, more: RequestInit = {}): Promise<string> {
  return fetch(`${upstream.url}${path}`, { method: 'POST', body, ...more }).then((response) => response.text())
}

/** The last counts that stand in an answer, read as its clients would; null when there are none. */
function usageIn(answer: string): Usage | null {
  const last = (name: string): number | undefined => {
    const found = [...answer.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].at(-1)?.[1]
    return found === undefined ? undefined : Number(found)
  }
  const output = last('completion_tokens') ?? last('output_tokens')
  const reasoning = last('reasoning_tokens') ?? last('thinking_tokens')
  const cached = last('cached_tokens') ?? last('cache_read_input_tokens') ?? 0
  const cacheWrite = last('cache_write_tokens') ?? last('cache_creation_input_tokens') ?? 0
  if (output === undefined || reasoning === undefined) return null
  const isMessages = answer.includes('cache_read_input_tokens')
  const input = last('prompt_tokens') ?? last('input_tokens') ?? 0
  return { input: isMessages ? input : input - cached - cacheWrite, cached, cacheWrite, output, reasoning }
}

test('the sums are what clients read in complete answers, whatever else happens beside them', async () => {
  let read: Usage = NO_TOKENS
  const runs: Promise<void>[] = []
  for (let index = 0; index < 180; index++) {
    const wire = WIRE_NAMES[index % 3] ?? 'chat'
    const name = ['echo', 'fixed', 'usage-twice', 'big-chunks', 'absurd-usage', 'no-done'][index % 6] ?? 'echo'
    const body = bodyOf(`fake/${name}`, { stream: index % 4 < 2, user: `user ${index}` })
    const run = async (): Promise<void> => {
      const answer = await call(WIRE_PATHS[wire], body, { headers: { 'x-request-id': `run-${index}` } })
      const usage = usageIn(answer)
      expect(upstream.stats().requests[`run-${index}`]?.reportedUsage).toEqual(usage)
      if (usage !== null) read = addUsage(read, usage)
    }
    runs.push(run())
    if (index % 9 === 0) runs.push(call(WIRE_PATHS[wire], bodyOf('fake/overloaded')).then(() => undefined))
    if (index % 9 === 1) runs.push(call(WIRE_PATHS[wire], bodyOf('fake/cut-mid-stream')).then(fail, () => undefined))
    if (index % 9 === 2) runs.push(call(WIRE_PATHS[wire], bodyOf('fake/error-event')).then(() => undefined))
  }
  await Promise.all(runs)
  await upstream.whenIdle()
  const { totals, running, models } = upstream.stats()
  expect(running).toBe(0)
  expect(totals).toMatchObject({ requests: 240, completed: 180, failedOnPurpose: 60, aborted: 0 })
  expect(totals.usage).toEqual(read)
  expect(Object.values(read).every((count) => count > 0)).toBe(true)
  const sum = Object.values(models).reduce((all, counts) => addUsage(all, counts.usage), NO_TOKENS)
  expect(sum).toEqual(totals.usage)
  expect(models['fake/echo']).toMatchObject({ requests: 30, completed: 30 })
  expect(models['fake/error-event']).toMatchObject({
    requests: 20,
    completed: 0,
    failedOnPurpose: 20,
    usage: NO_TOKENS,
  })
})

function fail(): void {
  throw new Error('a cut stream arrived whole')
}

test('a call whose client leaves is aborted, with what had reached the socket', async () => {
  const leaving = new AbortController()
  const model = 'fake/stalls-mid-stream?input=30&output=20&burst=1'
  const init = { headers: { 'x-request-id': 'left' }, signal: leaving.signal }
  const response = await fetch(`${upstream.url}/v1/messages`, { method: 'POST', body: bodyOf(model), ...init })
  await response.body?.getReader().read()
  leaving.abort()
  await upstream.whenAborted('left')
  await upstream.whenIdle()
  const stats = upstream.stats()
  expect(stats.totals).toMatchObject({ requests: 1, completed: 0, aborted: 1, failedOnPurpose: 0, usage: NO_TOKENS })
  expect(stats.requests['left']).toEqual({
    model,
    wire: 'messages',
    attempts: 1,
    completed: false,
    reportedUsage: { input: 30, cached: 0, cacheWrite: 0, output: 1, reasoning: 0 },
    chunksSent: 7,
  })
})

test('answers that report no usage are counted apart', async () => {
  await call('/v1/chat/completions', bodyOf('fake/no-usage'))
  await call('/v1/chat/completions', bodyOf('fake/echo', { stream_options: {} }))
  await call('/v1/chat/completions', bodyOf('fake/zero-usage'))
  expect(upstream.stats().totals).toMatchObject({ completed: 3, completedWithoutUsage: 2, usage: NO_TOKENS })
})

test('attempts under one id are one record', async () => {
  const init = { headers: { 'x-request-id': 'twice' } }
  const body = bodyOf('fake/refuses-once?input=9&output=8', { stream: false })
  await call('/v1/responses', body, init)
  await call('/v1/responses', body, init)
  const stats = upstream.stats()
  expect(stats.totals).toMatchObject({ requests: 2, completed: 1, failedOnPurpose: 1 })
  expect(stats.requests['twice']).toMatchObject({ attempts: 2, completed: true, chunksSent: 1 })
})

test('without an id, refuses-once tells calls apart by their bodies', async () => {
  const statuses: number[] = []
  for (const user of ['a', 'b', 'a', 'b', 'a']) {
    const body = bodyOf('fake/refuses-once', { user })
    const response = await fetch(`${upstream.url}/v1/messages`, { method: 'POST', body })
    await response.text()
    statuses.push(response.status)
  }
  expect(statuses).toEqual([503, 503, 200, 200, 200])
})

test.for([
  ['', 5],
  ['&burst=1', 5],
  ['&split=11', 5],
] as const)('chunksSent counts events, not writes (fixed?chunks=1%s)', async ([options, most]) => {
  const init = { headers: { 'x-request-id': 'events' } }
  const answer = await call('/v1/chat/completions', bodyOf(`fake/fixed?chunks=1${options}`), init)
  expect(answer.split('\n\n')).toHaveLength(most + 1)
  const fixed = { input: 24, cached: 0, cacheWrite: 0, output: 40, reasoning: 0 }
  expect(upstream.stats().requests['events']).toMatchObject({ chunksSent: most, reportedUsage: fixed })
})

test('the process of its own says where it is, tells its counts, and ends on SIGTERM', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const url = /^fake upstream on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? ''
  const readStats = async (): Promise<Stats> => (await (await fetch(`${url}/__stats`)).json()) as Stats
  const body = bodyOf('fake/fixed')
  const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body, headers: { 'x-request-id': 'one' } })
  await answer.text()
  expect(await readStats()).toMatchObject({ totals: { completed: 1 }, requests: { one: { completed: true } } })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
