import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fetchPrices } from '../../src/app/server/fetch-prices.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { type Answer, type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let finance: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  finance = await control.account({ role: 'finance' })
})
afterAll(() => control.close())

const leaving: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave()
})

async function at(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  leaving.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fetched = (url: string): Promise<Answer> => finance.ask('POST', '/api/prices/fetch', { url })
const entry = { cost: { input: 1, output: 4 }, limit: { context: 9000, output: 100 } }
const LIST = { tollgate: { id: 'tollgate', env: ['KEY'], models: { m: { id: 'm', ...entry, note: 'inner' } } } }

test('an address without a path is asked for /api.json, once and without a credential, and another as it is written', async () => {
  const asked: unknown[] = []
  const origin = await at(({ url, headers }, response) => {
    asked.push([url, headers['authorization'] ?? headers['cookie'] ?? headers['x-api-key'] ?? null])
    response.end(`\uFEFF${JSON.stringify(LIST)}`)
  })
  const { status, body } = await fetched(` ${origin} `)
  expect(status).toBe(200)
  expect(body).toEqual({
    result: 'read',
    url: `${origin}/api.json`,
    document: { tollgate: { models: { m: entry } } },
  })
  expect((await fetched(`${origin}/prices/list.json?day=1#top`)).body.result).toBe('read')
  expect(asked).toEqual([
    ['/api.json', null],
    ['/prices/list.json?day=1', null],
  ])
})

test('what is not a list of prices is said as such, and nothing of it is read', async () => {
  const elsewhere = await at((_request, response) => void response.end(JSON.stringify(LIST)))
  const answers: Readonly<Record<string, RequestListener>> = {
    redirect: (_request, response) => void response.writeHead(302, { location: elsewhere }).end('inner'),
    status: (_request, response) => void response.writeHead(404).end(JSON.stringify(LIST)),
    too_large: (_request, response) => void response.end(`{"inner":"${'x'.repeat(4 * 1024 * 1024)}"}`),
    not_json: (_request, response) => void response.end('<h1>inner</h1>'),
    unknown_form: (_request, response) => void response.end('{"inner":{"secret":"inner"}}'),
    connection_closed: (request) => void request.socket.destroy(),
  }
  for (const [result, listener] of Object.entries(answers)) {
    const { status, body, text } = await fetched(await at(listener))
    expect([status, body.result, body.detail.length > 0], text.slice(0, 300)).toEqual([200, result, true])
    expect(text).not.toContain('inner')
  }
  expect((await fetched('http://not-a-host.invalid')).body).toMatchObject({ result: 'host_unknown', status: null })
  expect((await fetched((await at(() => {})).replace('http:', 'https:'))).body.result).toBe('not_tls')
})

test('an answer that comes byte by byte ends with the time that it has in all', async () => {
  const origin = await at((_request, response) => {
    const writing = setInterval(() => void response.write(' '), 5)
    response.on('close', () => clearInterval(writing))
  })
  const answer = await fetchPrices(`${origin}/api.json`, { limitMs: 300, limitBytes: 1000_000 })
  expect(answer).toMatchObject({ result: 'too_slow', status: null })
})

test('only http and https are asked, and no name or password goes along', async () => {
  for (const url of [
    'file:///etc/passwd',
    'ftp://a.test',
    'a.test',
    'http://ada:secret@a.test',
    'https://ada@a.test',
  ]) {
    const { status, body, text } = await fetched(url)
    expect([status, body.field], url).toEqual([422, 'url'])
    expect(text).not.toContain('secret')
  }
})

test('the audit has the origin before it is asked, without path and query', async () => {
  const origin = await at((_request, response) => void response.end('{}'))
  await fetched(`${origin}/deep/list.json?token=hidden`)
  const { body, text } = await control.adminToken.ask('GET', '/api/audit?action=prices.fetch&limit=1')
  expect(body.data[0]).toMatchObject({
    actor: finance.account?.id,
    changes: { origin: { before: null, after: origin } },
  })
  expect(text).not.toContain('hidden')
})

describe('asking addresses that people typed', () => {
  const ASKING = [
    'POST /api/prices/fetch',
    'POST /api/upstreams/probe',
    'POST /api/upstreams/{id}/models',
    'POST /api/upstreams/{id}/test',
  ]

  test('has one limit for all routes that do', () => {
    const asking = ROUTES.filter(({ limits }) => limits.asksAddress)
    expect(asking.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted()).toEqual(ASKING)
  })

  test('ends after thirty in a minute, also of sixty at one moment, for the account that asks alone', async () => {
    const asked: unknown[] = []
    const origin = await at(({ url }, response) => {
      asked.push(url)
      response.end('{}')
    })
    const scanning = await control.account({ role: 'finance' })
    const scan = (path: string, who: Asker = scanning) => who.ask('POST', '/api/prices/fetch', { url: origin + path })
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => scan(`/${i}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(30)
    expect(refused[0]?.body.code).toBe('too_many_requests')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(asked).toHaveLength(30)
    // By whatever route, and whatever credential of the account.
    const token = await control.as(scanning.account, 'write')
    expect((await scan('/again', token)).status).toBe(429)
    expect((await scan('/other', await control.account({ role: 'finance' }))).status).toBe(200)
    control.clock.advance(60_000)
    expect((await scan('/later')).status).toBe(200)
  })
})
