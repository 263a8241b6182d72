import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf, type ServerTarget } from '../support/put-model.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream, well } from '../support/scripted-upstream.ts'

// Upstreams that fail, each in a way that broke the routing of others: what the gateway has learned of them, and its client gets.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

function answers(status: number, headers: Record<string, string> = {}, error: object = {}): Script {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: 'No.', type: 'x', code: null, param: null, ...error } }))
  }
}

const dead: Script = (request) => request.socket.destroy()

async function upstreams(...scripts: readonly Script[]): Promise<readonly ScriptedUpstream[]> {
  const made = await Promise.all(scripts.map((script) => scriptedUpstream(script)))
  onTestFinished(() => made.forEach((upstream) => upstream.close()))
  return made
}

async function model(targets: readonly ServerTarget[]): Promise<string> {
  models += 1
  const name = `routed-${models}`
  await putModelOf(gateway.store, { name, targets })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return name
}

/** Each at a priority of its own, the first one first. */
function inOrder(targets: readonly ScriptedUpstream[]): readonly ServerTarget[] {
  return targets.map(({ port }, priority) => ({ port, priority }))
}

async function ask(name: string, about: { signal?: AbortSignal; path?: string; body?: object; secret?: string } = {}) {
  const { path = '/v1/chat/completions', body, secret: asked = secret, ...init } = about
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${asked}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'hello' }], ...body }),
    ...init,
  })
  await response.text()
  const retryAfter = Number(response.headers.get('retry-after'))
  const maySendAgain = response.headers.get('x-should-retry') !== 'false'
  return { status: response.status, fault: response.headers.get('x-tollgate-fault'), retryAfter, maySendAgain }
}

async function askTimes(times: number, name: string) {
  const answered = []
  for (let i = 0; i < times; i++) answered.push(await ask(name))
  return answered
}

test('a first target that is dead is not asked by every request', async () => {
  const all = await upstreams(dead, well)
  const name = await model(inOrder(all))
  const statuses = (await askTimes(60, name)).map(({ status }) => status)
  expect(statuses).toEqual(Array.from({ length: 60 }, () => 200))
  expect(all[0]?.asked).toBeLessThan(20)
})

test('a target that asks to be left alone is, for as long as it says', async () => {
  const all = await upstreams(answers(429, { 'retry-after': '20' }), well)
  const name = await model(inOrder(all))
  const statuses = (await askTimes(10, name)).map(({ status }) => status)
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
  expect(all.map(({ asked }) => asked)).toEqual([1, 10])
})

test('a single target that fails every time is left alone as well', async () => {
  const all = await upstreams(answers(500))
  const name = await model(inOrder(all))
  const answered = await askTimes(6, name)
  answered.push(...(await Promise.all(Array.from({ length: 50 }, () => ask(name)))))
  expect(new Set(answered.map(({ fault }) => fault))).toEqual(new Set(['upstream_unavailable']))
  // Six, and one in each of the seconds that the others wait: two, and more on a slow machine.
  expect(all[0]?.asked).toBeLessThanOrEqual(25)
})

test('a rate limit that is left for others, and one request alone is too large for, closes no target to them', async () => {
  const left = { 'x-ratelimit-limit-tokens': '9000', 'x-ratelimit-remaining-tokens': '9000' }
  const tooLarge: Script = (request, response) => {
    const isLarge = Number(request.headers['content-length']) > 10_000
    ;(isLarge ? answers(429, left, { code: 'rate_limit_exceeded', type: 'tokens' }) : well)(request, response)
  }
  const all = await upstreams(tooLarge)
  const name = await model(inOrder(all))
  const messages = [{ role: 'user', content: 'a'.repeat(20_000) }]
  const refused = await ask(name, { body: { messages } })
  expect(refused).toMatchObject({ status: 429, fault: 'upstream_rate_limited', maySendAgain: false })
  expect((await ask(name)).status).toBe(200)
  expect(all[0]?.asked).toBe(2)
})

test('a request that a stream refuses as wrong is the caller’s to fix, and counts against no target', async () => {
  const error = { message: 'No.', type: 'invalid_request_error', code: null, param: null }
  const refuses: Script = (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify({ error })}\n\n`)
  }
  const all = await upstreams(refuses, well)
  const name = await model(inOrder(all))
  for (let i = 0; i < 7; i++) {
    const refused = await ask(name, { body: { stream: true } })
    expect(refused).toMatchObject({ status: 400, fault: 'upstream_rejected', maySendAgain: false })
  }
  expect(all.map(({ asked }) => asked)).toEqual([7, 0])
})

test('a provider whose account has no credit left is not worth another try, whatever status says so', async () => {
  for (const script of [answers(402), answers(429, {}, { code: 'insufficient_quota' })]) {
    const name = await model(inOrder(await upstreams(script)))
    const first = await ask(name)
    expect(first).toMatchObject({ status: 502, fault: 'upstream_unavailable', maySendAgain: false })
    // The same while it is held.
    expect(await ask(name)).toEqual(first)
  }
})

test('an account whose requests make a lone target fail closes it for no other account', async () => {
  const poison: Script = (request, response) => {
    const isPoisoned = Number(request.headers['content-length']) > 10_000
    ;(isPoisoned ? answers(500) : well)(request, response)
  }
  const name = await model(inOrder(await upstreams(poison)))
  const messages = [{ role: 'user', content: 'a'.repeat(20_000) }]
  for (let i = 0; i < 7; i++) expect((await ask(name, { body: { messages } })).fault).toBe('upstream_unavailable')
  const other = await gateway.key(await gateway.account())
  const answered = await Promise.all(Array.from({ length: 20 }, () => ask(name, { secret: other.secret })))
  expect(answered.map(({ status }) => status)).toEqual(answered.map(() => 200))
})

test('when all rest, the answer is the true class with the earliest time, and no upstream is asked', async () => {
  const all = await upstreams(answers(429, { 'retry-after': '50' }), answers(529, { 'retry-after': '20' }))
  const name = await model(inOrder(all))
  expect((await ask(name)).status).toBe(503)
  const second = await ask(name)
  expect(second).toMatchObject({ fault: 'upstream_overloaded' })
  expect(second.retryAfter).toBeGreaterThan(0)
  expect(second.retryAfter).toBeLessThanOrEqual(20)
  expect(all.map(({ asked }) => asked)).toEqual([1, 1])
})

test('a rest of a moment is waited for', async () => {
  const all = await upstreams(answers(429, { 'retry-after': '1' }))
  const [only] = all
  if (only === undefined) return
  const name = await model(inOrder(all))
  expect((await ask(name)).status).toBe(429)
  only.script = well
  expect((await ask(name)).status).toBe(200)
  expect(only.asked).toBe(2)
})

test('a client that leaves while its request waits is not asked for', async () => {
  const all = await upstreams(answers(429, { 'retry-after': '2' }))
  const name = await model(inOrder(all))
  await ask(name)
  await expect(ask(name, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(all[0]?.asked).toBe(1)
})

test('an upstream that refuses its credential is held, and so is one without credit', async () => {
  const all = await upstreams(answers(401), answers(429, {}, { code: 'insufficient_quota' }), well)
  const name = await model(inOrder(all))
  const statuses = (await askTimes(9, name)).map(({ status }) => status)
  expect(statuses).toEqual(Array.from({ length: 9 }, () => 200))
  expect(all.map(({ asked }) => asked)).toEqual([1, 1, 9])
})

test('one request asks three targets at most, and none of them twice', async () => {
  const all = await upstreams(...Array.from({ length: 5 }, () => answers(500)))
  const name = await model(inOrder(all))
  expect((await ask(name)).fault).toBe('upstream_unavailable')
  expect(all.map(({ asked }) => asked)).toEqual([1, 1, 1, 0, 0])
})

test('a request asks all targets of a priority before those of the next, and comes back when they are well again', async () => {
  const all = await upstreams(answers(500), answers(500), well)
  const [first, second, third] = all
  if (first === undefined || second === undefined || third === undefined) return
  const at = [first, second].map(({ port }) => ({ port, priority: 0 }))
  const name = await model([...at, { port: third.port, priority: 1 }])
  expect((await ask(name)).status).toBe(200)
  expect(all.map(({ asked }) => asked)).toEqual([1, 1, 1])
  first.script = well
  second.script = well
  expect((await ask(name)).status).toBe(200)
  expect(all.map(({ asked }) => asked)).toEqual([expect.any(Number), expect.any(Number), 1])
})

test('a request that the upstream calls wrong goes nowhere else, and counts against no target', async () => {
  const all = await upstreams(answers(400), well)
  const name = await model(inOrder(all))
  const statuses = (await askTimes(8, name)).map(({ status }) => status)
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 400))
  expect(all.map(({ asked }) => asked)).toEqual([8, 0])
})

test('a file that is not there counts against no target', async () => {
  const all = await upstreams(answers(404), well)
  const name = await model(inOrder(all))
  for (let i = 0; i < 7; i++) {
    // Each is another: who has one of them is remembered.
    const content = [{ type: 'file', file: { file_id: `file-that-is-not-there-${i}` } }]
    await ask(name, { body: { messages: [{ role: 'user', content }] } })
  }
  expect((await ask(name)).status).toBe(200)
  expect(all.map(({ asked }) => asked)).toEqual([8, 8])
})

test('changing an upstream forgets what was known of it', async () => {
  const [first, second] = await upstreams(answers(401), well)
  const name = await model(inOrder([first as ScriptedUpstream, second as ScriptedUpstream]))
  expect((await ask(name)).status).toBe(200)
  const upstream = (await gateway.store.catalog.upstreams()).find((each) => each.name === `${name}-0`)
  if (upstream === undefined || first === undefined) throw new Error('there is no such upstream')
  first.script = well
  await gateway.store.catalog.putUpstream({ ...upstream, headers: { 'x-new': 'one' } })
  await expect.poll(async () => (await ask(name), first.asked), { timeout: PATIENCE_MS }).toBeGreaterThan(1)
})

test('of three targets, one dead and one failing half of the time, no request is lost', async () => {
  let turn = 0
  const failing: Script = (request, response) => (turn++ % 2 === 0 ? answers(500) : well)(request, response)
  const all = await upstreams(dead, failing, well)
  const name = await model(all.map(({ port }) => ({ port })))
  const lost = []
  for (let i = 0; i < 40; i++) {
    const answered = await Promise.all(Array.from({ length: 10 }, () => ask(name)))
    lost.push(...answered.filter(({ status }) => status !== 200))
  }
  expect(lost).toEqual([])
  expect(all[0]?.asked).toBeLessThan(40)
})

test('the requests of one conversation go to one target, and conversations are shared out among all', async () => {
  const all = await upstreams(well, well, well)
  const name = await model(all.map(({ port }) => ({ port })))
  const firstAsked: number[] = []
  for (let i = 0; i < 30; i++) {
    const messages: object[] = [{ role: 'user', content: `Question ${i} of a conversation` }]
    const askedBefore = all.map(({ asked }) => asked)
    for (let turn = 0; turn < 3; turn++) {
      await ask(name, { body: { messages } })
      messages.push({ role: 'assistant', content: 'hello' }, { role: 'user', content: `and ${turn}` })
    }
    const grown = all.map(({ asked }, index) => asked - (askedBefore[index] ?? 0))
    expect(Math.max(...grown)).toBe(3)
    firstAsked.push(grown.indexOf(3))
  }
  expect(new Set(firstAsked).size).toBe(3)
})

test('affinity does not keep a conversation at a target that fails', async () => {
  const all = await upstreams(answers(500), answers(500), well)
  const name = await model(all.map(({ port }) => ({ port })))
  const statuses = []
  for (let i = 0; i < 12; i++) {
    statuses.push((await ask(name, { body: { prompt_cache_key: `conversation ${i % 4}` } })).status)
  }
  expect(statuses).toEqual(Array.from({ length: 12 }, () => 200))
})

/** The trace of the newest record of a model. */
async function traceOf(name: string): Promise<string | null> {
  const page = await gateway.store.usage.list({ accountId: null, model: name }, { after: null, limit: 1 })
  return page.records[0]?.routeTrace ?? null
}

test('a record says which targets were taken or skipped and why, in words of the API', async () => {
  const all = await upstreams(answers(429, { 'retry-after': '50' }), well, well)
  const name = await model(inOrder(all))
  await ask(name)
  await expect.poll(() => traceOf(name), { timeout: PATIENCE_MS }).toMatch(/^[^;]+=a;[^;]+=a;[^;]+=n$/)
  await ask(name)
  await expect.poll(() => traceOf(name), { timeout: PATIENCE_MS }).toMatch(/^[^;]+=a;[^;]+=c(?:50|4\d);[^;]+=n$/)
})

test('a request that took its first choice of several has a trace, and one of a single target needs none', async () => {
  const all = await upstreams(well, well)
  const several = await model(inOrder(all))
  await ask(several)
  await expect.poll(() => traceOf(several), { timeout: PATIENCE_MS }).toMatch(/^[^;]+=a;[^;]+=n$/)
  const alone = await model(inOrder(all.slice(0, 1)))
  await ask(alone)
  const recorded = async () =>
    (await gateway.store.usage.list({ accountId: null, model: alone }, { after: null, limit: 1 })).records.length
  await expect.poll(recorded, { timeout: PATIENCE_MS }).toBe(1)
  expect(await traceOf(alone)).toBeNull()
})
