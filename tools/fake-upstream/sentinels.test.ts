/** What each sentinel does, seen from the wire. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FakeUpstream } from './fake-upstream.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import { WIRE_NAMES, WIRE_PATHS, bodyOf, callRaw, chunksOf } from '../../test/support/raw-call.ts'

let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

/** The answer's text; rejects when the connection breaks before its end. */
async function text(path: string, body: string): Promise<string> {
  const response = await fetch(`${upstream.url}${path}`, { method: 'POST', body })
  return response.text()
}

/** The name of the model stands in the answer, and ids follow from it. */
function withoutNames(bytes: Buffer[]): string {
  const all = Buffer.concat(bytes).toString()
  return all.replace(/fake\/fixed[^"]*|_?-?[0-9a-f]{24}/g, '')
}

function eventsIn(stream: string): string[] {
  return stream.split('\n\n').filter((event) => event !== '')
}

describe.for(WIRE_NAMES)('on the %s wire', (wire) => {
  const path = WIRE_PATHS[wire]

  test('equal calls get equal bytes, and another body another usage', async () => {
    const model = 'fake/no-done'
    const [first, again] = [await text(path, bodyOf(model)), await text(path, bodyOf(model))]
    expect(again).toBe(first)
    const counts = new Set<string>()
    for (let index = 0; index < 20; index++) {
      const answer = await text(path, bodyOf(model, { stream: false, user: `user ${index}` }))
      counts.add(JSON.stringify((JSON.parse(answer) as { usage: unknown }).usage))
    }
    expect(counts.size).toBeGreaterThan(10)
  })

  test('one event is one HTTP chunk, and burst and split change the chunks but no byte', async () => {
    const plain = await callRaw(upstream.url, { path, body: bodyOf('fake/fixed?chunks=3') })
    const events = chunksOf(plain.rest)
    expect(events.pop()).toHaveLength(0)
    expect(events.every((event) => event.toString().endsWith('\n\n') && eventsIn(event.toString()).length === 1)).toBe(
      true,
    )
    expect(events.length).toBeGreaterThan(5)

    const burst = await callRaw(upstream.url, { path, body: bodyOf('fake/fixed?chunks=3&burst=1') })
    expect(chunksOf(burst.rest)).toHaveLength(2)
    const split = await callRaw(upstream.url, { path, body: bodyOf('fake/fixed?chunks=3&split=7') })
    const pieces = chunksOf(split.rest).slice(0, -2)
    expect(pieces.every((piece) => piece.length === 7)).toBe(true)
    expect(withoutNames(chunksOf(burst.rest))).toBe(withoutNames(events))
    expect(withoutNames(chunksOf(split.rest))).toBe(withoutNames(events))
  })

  test('fake/fixed is the same for a body that must be parsed', async () => {
    const scanned = await text(path, bodyOf('fake/fixed?chunks=2'))
    const parsed = await text(path, bodyOf('fake/fixed?chunks=2').replace('fake/fixed', 'fake\\u002ffixed'))
    expect(parsed).toBe(scanned)
  })

  test('fake/fixed keeps whole answers, streams and those with usage apart', async () => {
    const whole = (): Promise<string> => text(path, bodyOf('fake/fixed', { stream: false }))
    const first = await whole()
    expect(JSON.parse(first)).toHaveProperty('usage')
    expect(eventsIn(await text(path, bodyOf('fake/fixed'))).length).toBeGreaterThan(20)
    const silent = await text(path, bodyOf('fake/fixed', { stream_options: {} }))
    expect(/"usage":\{/.test(silent)).toBe(wire !== 'chat')
    expect(await whole()).toBe(first)
  })

  test('words of the steering inside texts are only text', async () => {
    const content = 'say "model":"fake/fixed" and "stream":true'
    const metadata = { model: 'fake/fixed', stream: true, stream_options: { include_usage: true } }
    const more = { stream: false, messages: [{ role: 'user', content }], input: content, metadata }
    expect(await text(path, bodyOf('fake/echo', more))).toContain(JSON.stringify(content).slice(1, -1))
  })

  test('fields stand in the answer that no parser and writer leaves as they are', async () => {
    for (const stream of [true, false]) {
      const answer = await text(path, bodyOf('fake/fixed', { stream }))
      expect(answer).toContain('"x_unknown":{"number":1.50,"big":12345678901234567890,')
    }
  })

  test('fake/cut-mid-stream destroys the socket after half of the events', async () => {
    const whole = eventsIn(await text(path, bodyOf('fake/no-done')))
    const cut = await callRaw(upstream.url, { path, body: bodyOf('fake/cut-mid-stream') })
    expect(chunksOf(cut.rest)).toHaveLength(Math.floor((whole.length + (wire === 'chat' ? 1 : 0)) / 2))
    await expect(text(path, bodyOf('fake/cut-mid-stream'))).rejects.toThrow()
    await expect(text(path, bodyOf('fake/cut-mid-stream', { stream: false }))).rejects.toThrow()
  })

  test('fake/end-mid-stream ends as if all were said', async () => {
    const stump = await text(path, bodyOf('fake/end-mid-stream'))
    expect(stump).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
    expect(eventsIn(stump).length).toBeGreaterThan(3)
    const half = await text(path, bodyOf('fake/end-mid-stream', { stream: false }))
    expect(() => JSON.parse(half) as unknown).toThrow()
  })

  test('fake/never-answers sends nothing until its time is over, then closes', async () => {
    const { head, rest } = await callRaw(upstream.url, { path, body: bodyOf('fake/never-answers?hold_ms=5') })
    expect([head, rest.length]).toEqual(['', 0])
  })

  test.for(['never-answers', 'stalls-mid-stream', 'slow-first-byte?first_delay_ms=600000'])(
    'a client that leaves fake/%s is noticed',
    async (name) => {
      const leaving = new AbortController()
      const headers = { 'x-request-id': `leaves-${wire}-${name}` }
      const init = { method: 'POST', body: bodyOf(`fake/${name}`), headers, signal: leaving.signal }
      const call = fetch(`${upstream.url}${path}`, init).then((response) => response.text())
      call.catch(() => undefined)
      const received = await upstream.whenReceived(headers['x-request-id'])
      expect(received.aborted).toBe(false)
      leaving.abort()
      const aborted = await upstream.whenAborted(headers['x-request-id'])
      expect(aborted).toBe(received)
      await expect(call).rejects.toThrow()
    },
  )

  test('fake/stalls-mid-stream falls silent after half of the events and closes when its time is over', async () => {
    const { rest } = await callRaw(upstream.url, { path, body: bodyOf('fake/stalls-mid-stream?hold_ms=5') })
    const cut = await callRaw(upstream.url, { path, body: bodyOf('fake/cut-mid-stream') })
    expect(chunksOf(rest)).toHaveLength(chunksOf(cut.rest).length)
  })

  test('fake/no-usage says nothing of usage, fake/zero-usage says zero', async () => {
    for (const stream of [true, false]) {
      expect(await text(path, bodyOf('fake/no-usage', { stream }))).not.toMatch(/"usage":\{/)
      const zero = await text(path, bodyOf('fake/zero-usage', { stream }))
      expect(zero).toMatch(/"(prompt|input)_tokens":0,/)
      expect(zero).not.toMatch(/_tokens":[1-9]/)
    }
  })

  test('fake/absurd-usage reports billions', async () => {
    for (const stream of [true, false]) {
      expect(await text(path, bodyOf('fake/absurd-usage', { stream }))).toMatch(
        /"output_tokens":2000000000|"completion_tokens":2000000000/,
      )
    }
  })

  test('fake/usage-twice reports a growing count', async () => {
    const answer = await text(path, bodyOf('fake/usage-twice?input=50&output=30'))
    const counts = [...answer.matchAll(/"(?:output|completion)_tokens":(\d+)/g)].map((match) => Number(match[1]))
    expect(counts.length).toBeGreaterThan(2)
    expect(counts).toEqual([...counts].sort((left, right) => left - right))
    expect(counts).toContain(15)
    expect(counts.at(-1)).toBe(30)
  })

  test('fake/malformed-json is a good status with a torn body, whether a stream was asked for or not', async () => {
    for (const stream of [true, false]) {
      const body = bodyOf('fake/malformed-json', { stream })
      const response = await fetch(`${upstream.url}${path}`, { method: 'POST', body })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      await expect(response.json()).rejects.toThrow()
    }
  })

  test('fake/big-chunks carries 64 KB in each delta', async () => {
    const deltas = eventsIn(await text(path, bodyOf('fake/big-chunks'))).filter((event) =>
      /"delta":.{65536}/.test(event),
    )
    expect(deltas.length).toBe(8)
  })

  test('over HTTP/1.0 a stream has no chunks', async () => {
    const { head, rest } = await callRaw(upstream.url, { path, body: bodyOf('fake/fixed'), version: '1.0' })
    expect(head.toLowerCase()).not.toContain('transfer-encoding')
    expect(rest.toString()).toBe(await text(path, bodyOf('fake/fixed')))
  })
})

test('fake/no-done leaves only the last line of a chat stream out', async () => {
  const path = WIRE_PATHS.chat
  const answer = eventsIn(await text(path, bodyOf('fake/no-done')))
  expect(answer.at(-1)).toMatch(/"choices":\[\],"usage":\{/)
})

test('delays: before the first byte, and between chunks', async () => {
  const start = performance.now()
  await text('/responses', bodyOf('fake/slow-first-byte?first_delay_ms=60', { stream: false }))
  const first = performance.now()
  await text('/responses', bodyOf('fake/slow-chunks?delay_ms=10&chunks=2'))
  // Timers may fire a millisecond early.
  expect(first - start).toBeGreaterThanOrEqual(58)
  expect(performance.now() - first).toBeGreaterThanOrEqual(9 * 9)
})

test('early_headers sends the head before the first delay', async () => {
  const leaving = new AbortController()
  const body = bodyOf('fake/fixed?first_delay_ms=600000&early_headers=1')
  const response = await fetch(`${upstream.url}/v1/responses`, { method: 'POST', body, signal: leaving.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  leaving.abort()
  await expect(response.text()).rejects.toThrow()
})

test.for([
  ['closes-keepalive', false],
  ['echo', true],
] as const)('after fake/%s the connection is still open: %s', async ([name, open]) => {
  const agent = new Agent({ keepAlive: true })
  const call = request(`${upstream.url}/v1/messages`, { method: 'POST', agent })
  call.end(bodyOf(`fake/${name}`))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  expect(response.headers.connection).toBe('keep-alive')
  const { socket } = response
  const freed = once(socket, 'free')
  const closed = once(socket, 'close').then(() => 'closed')
  response.resume()
  await Promise.race([freed, closed])
  if (open) expect(socket.destroyed).toBe(false)
  else expect(await closed).toBe('closed')
  agent.destroy()
})

test('a client that does not read stops the stream', async () => {
  const model = 'fake/fixed?chunks=500&text_bytes=65536'
  const headers = { 'x-request-id': 'slow' }
  const call = request(`${upstream.url}/v1/messages`, { method: 'POST', headers })
  call.end(bodyOf(model))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const sent = (): number => upstream.stats().requests['slow']?.chunksSent ?? 0
  let before = -1
  for (let round = 0; round < 1_000 && sent() !== before; round++) {
    before = sent()
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(400)
  response.resume()
  await once(response, 'end')
  expect(sent()).toBe(506)
})

test('a body that is not JSON, names no model or has options that cannot be taken is refused', async () => {
  for (const body of ['{"model":', '{}', '[]', bodyOf('fake/fixed?chunks=-1'), bodyOf('fake/echo?chunks=10001')]) {
    const response = await fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body })
    expect(response.status).toBe(400)
  }
})

test('a path that does not exist is refused in the shape of the family', async () => {
  const openai = await fetch(`${upstream.url}/v1/chat/completions/models`)
  expect([openai.status, await openai.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }])
  const anthropic = await fetch(`${upstream.url}/v2`, { headers: { 'anthropic-version': '2023-06-01' } })
  expect([anthropic.status, await anthropic.json()]).toMatchObject([404, { type: 'error' }])
})

test('refuses=50 refuses half of the calls with 503, the same ones each time', async () => {
  const statuses = async (): Promise<string> => {
    const all = Array.from({ length: 40 }, async (_, index) => {
      const init = {
        method: 'POST',
        body: bodyOf('fake/fixed?refuses=50'),
        headers: { 'x-request-id': `call-${index}` },
      }
      const response = await fetch(`${upstream.url}/v1/chat/completions`, init)
      await response.arrayBuffer()
      return response.status
    })
    return (await Promise.all(all)).join(' ')
  }
  const first = await statuses()
  expect(await statuses()).toBe(first)
  expect(first.split(' ').filter((status) => status === '503').length).toBeGreaterThan(8)
  expect(first.split(' ').filter((status) => status === '200').length).toBeGreaterThan(8)
})

test('a received request is kept with its bytes', async () => {
  const body = bodyOf('fake/echo', { search_parameters: { mode: 'auto' } })
  const headers = { 'x-request-id': 'kept', 'anthropic-beta': 'one,two' }
  await fetch(`${upstream.url}/v1/messages?beta=true`, { method: 'POST', body, headers })
  const received = await upstream.whenReceived((one) => one.requestId === 'kept')
  expect(received).toMatchObject({
    method: 'POST',
    path: '/v1/messages?beta=true',
    headers: { 'anthropic-beta': 'one,two' },
  })
  expect(received.body.toString()).toBe(body)
  await expect(upstream.whenAborted('kept', 1)).rejects.toThrow('No such request within 1 ms')
})
