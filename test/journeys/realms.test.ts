import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

// Two organisations at one provider: what one of them made, the other cannot read.

let gateway: GatewayUnderTest
let secret: string
let models = 0
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  secret = (await gateway.key(await gateway.account({ balance: '100' }))).secret
})
afterAll(() => gateway.close())

type Item = Readonly<Record<string, unknown>>

interface Organisations {
  readonly model: string
  readonly upstream: Upstream
  /** Organisations that were asked, one for each request. */
  readonly asked: string[]
  /** The number of requests with things that the organisation could not read. */
  refused: number
  /** What they answer instead, by their names. */
  readonly failing: Map<string, { readonly status: number; readonly headers?: Record<string, string> }>
}

/** A provider with a credential for each organisation, all of one upstream. */
async function organisations(...names: readonly string[]): Promise<Organisations> {
  const made: Omit<Organisations, 'upstream'> = {
    model: `bound-${++models}`,
    asked: [],
    refused: 0,
    failing: new Map(),
  }
  const upstream = await scriptedUpstream((request, response) => void answer(made, request, response))
  onTestFinished(() => upstream.close())
  const credentials = names.map((name) => ({
    ...unlimitedCredential(sealer(TEST_SECRET).seal(`sk-${name}`), name),
    realm: name,
  }))
  await putModelOf(gateway.store, { name: made.model, targets: [{ port: upstream.port, settings: { credentials } }] })
  await expect.poll(() => isKnown(made.model), { timeout: PATIENCE_MS }).toBe(true)
  const stored = (await gateway.store.catalog.upstreams()).find(({ name }) => name === `${made.model}-0`)
  if (stored === undefined) throw new Error('the upstream is there')
  return Object.assign(made, { upstream: stored })
}

async function isKnown(model: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${secret}` }
  return (await fetch(`${gateway.origin}/v1/models/${model}`, { headers })).ok
}

/** Answers as OpenAI does: the organisation is in what it seals, in its ids and in those of its files. */
async function answer(
  of: Omit<Organisations, 'upstream'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const organisation = request.headers.authorization?.replace('Bearer sk-', '') ?? ''
  if (request.method === 'GET') {
    response.writeHead(madeBy(organisation, request.url ?? '') ? 200 : 404, { 'content-type': 'application/json' })
    return void response.end('{}')
  }
  const body = (await json(request)) as Item
  of.asked.push(organisation)
  const failing = of.failing.get(organisation)
  const refuse = (status: number, code: string | null) => {
    response.writeHead(status, { 'content-type': 'application/json', ...failing?.headers })
    response.end(JSON.stringify({ error: { message: 'No.', type: 'invalid_request_error', code, param: null } }))
  }
  if (failing !== undefined) return refuse(failing.status, null)
  const held = [...JSON.stringify(body).matchAll(/"(encrypted_content|previous_response_id|file_id)":"([^"]+)"/g)]
  const foreign = held.find(([, , value = '']) => !madeBy(organisation, value))
  if (foreign !== undefined) {
    of.refused += 1
    if (foreign[1] === 'file_id') return refuse(404, null)
    return refuse(400, foreign[1] === 'encrypted_content' ? 'invalid_encrypted_content' : 'previous_response_not_found')
  }
  const sealed = { type: 'reasoning', id: `rs_${organisation}_${randomUUID()}`, summary: [], ...sealedBy(organisation) }
  const said = { type: 'output_text', text: 'hello', annotations: [] }
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [said] }
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const id = `resp_${organisation}_${randomUUID()}`
  const whole = { id, object: 'response', status: 'completed', output: [sealed, message], usage }
  if (body['stream'] !== true) {
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify(whole))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
  event('response.created', { response: { ...whole, status: 'in_progress', output: [] } })
  whole.output.forEach((item, output_index) => {
    event('response.output_item.added', { output_index, item: { ...item, encrypted_content: undefined } })
    event('response.output_item.done', { output_index, item })
  })
  event('response.completed', { response: whole })
  response.end()
}

function sealedBy(organisation: string): { readonly encrypted_content: string } {
  return { encrypted_content: `gAAAAAB${randomBytes(300).toString('hex')}${Buffer.from(organisation).toString('hex')}` }
}

function madeBy(organisation: string, value: string): boolean {
  return value.endsWith(Buffer.from(organisation).toString('hex')) || value.includes(`_${organisation}_`)
}

/** One request, in a session of its own: by the session alone it would go to any of them. */
async function send(path: string, body: object) {
  const response = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-tollgate-session': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    fault: response.headers.get('x-tollgate-fault'),
    dropped: response.headers.get('x-tollgate-dropped-fields'),
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  }
}

const HELLO = { type: 'message', role: 'user', content: 'hello' }

function ask({ model }: Organisations, input: readonly Item[], more: Item = {}) {
  return send('/v1/responses', { model, input: [...input, HELLO], include: ['reasoning.encrypted_content'], ...more })
}

/** The items of an answer, streamed or whole. */
function outputOf(text: string): readonly Item[] {
  const completed = /event: response\.completed\ndata: (.*)/.exec(text)?.[1]
  const whole = completed === undefined ? JSON.parse(text) : JSON.parse(completed).response
  return whole.output
}

/** A turn that the organisation answers. */
async function begun(of: Organisations, organisation: string, more: Item = {}): Promise<readonly Item[]> {
  for (;;) {
    const { status, text } = await ask(of, [], more)
    expect(status).toBe(200)
    if (of.asked.at(-1) === organisation) return outputOf(text)
  }
}

async function change(of: Organisations, over: Partial<Upstream>): Promise<void> {
  await gateway.store.catalog.putUpstream({ ...of.upstream, ...over })
  // A model that is put behind it is known when the change of the upstream is.
  const name = `after-${++models}`
  await putModelOf(gateway.store, { name, targets: [{ port: 1 }] })
  await expect.poll(() => isKnown(name), { timeout: PATIENCE_MS }).toBe(true)
}

/** Whether a conversation with this number follows: six do, and more until both were asked, for each goes to either. */
function goesOn(of: Organisations, conversation: number): boolean {
  return conversation < 6 || (new Set(of.asked).size < 2 && conversation < 60)
}

describe('a request goes to the realm that made', () => {
  test.for([false, true])(
    'its encrypted reasoning, whatever its session would choose; streamed: %s',
    async (stream) => {
      const of = await organisations('one', 'two')
      for (let conversation = 0; goesOn(of, conversation); conversation++) {
        const items: Item[] = []
        for (let turn = 0; turn < 4; turn++) {
          const { status, text } = await ask(of, items, { stream, store: false })
          expect(status).toBe(200)
          items.push(HELLO, ...outputOf(text))
        }
      }
      expect(of.refused).toBe(0)
      expect(new Set(of.asked)).toEqual(new Set(['one', 'two']))
    },
  )

  test('the response that it continues, or asks for', async () => {
    const of = await organisations('one', 'two')
    for (let conversation = 0; conversation < 6; conversation++) {
      let id: string | undefined
      for (let turn = 0; turn < 3; turn++) {
        const { status, text } = await ask(of, [], id === undefined ? {} : { previous_response_id: id })
        expect(status).toBe(200)
        id = JSON.parse(text).id
        const stored = await fetch(`${gateway.origin}/v1/responses/${id}`, {
          headers: { authorization: `Bearer ${secret}` },
        })
        expect([stored.status, await stored.text()]).toEqual([200, expect.any(String)])
      }
    }
    expect(of.refused).toBe(0)
  })

  test('the file that it names, once it is known which one has it', async () => {
    const of = await organisations('one', 'two')
    const file = { type: 'message', role: 'user', content: [{ type: 'input_file', file_id: 'file_two_1' }] }
    for (let i = 0; i < 8; i++) expect((await ask(of, [file])).status).toBe(200)
    expect(of.refused).toBeLessThanOrEqual(1)
  })

  test('reasoning that was translated, by what the client sends back', async () => {
    const of = await organisations('one', 'two')
    for (let conversation = 0; goesOn(of, conversation); conversation++) {
      const messages: object[] = [{ role: 'user', content: 'hello' }]
      for (let turn = 0; turn < 3; turn++) {
        const { status, dropped, text } = await send('/v1/messages', thinking(of, messages))
        expect([status, dropped]).toEqual([200, null])
        messages.push({ role: 'assistant', content: JSON.parse(text).content }, { role: 'user', content: 'go on' })
      }
    }
    expect(of.refused).toBe(0)
    expect(new Set(of.asked)).toEqual(new Set(['one', 'two']))
  })
})

function thinking({ model }: Organisations, messages: readonly object[]) {
  return { model, max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_000 }, messages }
}

describe('reasoning of which the gateway does not know who made it', () => {
  test('is asked about once, and known from then on', async () => {
    const of = await organisations('one', 'two')
    for (const organisation of ['one', 'two', 'one', 'two']) {
      const items = [{ type: 'reasoning', id: 'rs_elsewhere', summary: [], ...sealedBy(organisation) }]
      const before = of.refused
      for (let i = 0; i < 6; i++) {
        expect((await ask(of, items)).status).toBe(200)
        expect(of.asked.at(-1)).toBe(organisation)
      }
      expect(of.refused - before).toBeLessThanOrEqual(1)
    }
  })

  test('and that none of them can read is refused with the item that it is, after two attempts', async () => {
    const of = await organisations('one', 'two', 'three')
    const items = [HELLO, { type: 'reasoning', id: 'rs_x', summary: [], ...sealedBy('another') }]
    const { status, fault, text } = await ask(of, items)
    expect([status, fault]).toEqual([400, 'upstream_rejected'])
    expect(JSON.parse(text).error).toMatchObject({
      param: 'input[1].encrypted_content',
      code: 'invalid_encrypted_content',
      message: expect.stringContaining('another organisation'),
    })
    expect(of.asked).toHaveLength(2)
  })
})

describe('where the realm', () => {
  test('is asked to wait, its conversations hear how long, and others are served by the other', async () => {
    const of = await organisations('one', 'two')
    const items = await begun(of, 'one')
    of.failing.set('one', { status: 429, headers: { 'retry-after': '25' } })
    for (let i = 0; i < 3; i++) {
      const { status, fault, retryAfter } = await ask(of, items)
      expect([status, fault]).toEqual([429, 'upstream_rate_limited'])
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    expect((await ask(of, [])).status).toBe(200)
  })

  test('is held, its conversations hear that an admin has to act, and others are served by the other', async () => {
    const of = await organisations('one', 'two')
    const items = await begun(of, 'one')
    of.failing.set('one', { status: 401 })
    for (let i = 0; i < 3; i++) {
      const { status, fault } = await ask(of, items)
      expect([status, fault]).toEqual([502, 'upstream_unavailable'])
    }
    expect((await ask(of, [])).status).toBe(200)
  })

  test('is gone, the caller learns which item it is', async () => {
    const of = await organisations('one', 'two')
    const [mine, others] = [await begun(of, 'one'), await begun(of, 'two')]
    await change(of, { credentials: of.upstream.credentials.filter(({ name }) => name === 'two') })
    expect((await ask(of, others)).status).toBe(200)
    const { status, fault, text } = await ask(of, [HELLO, ...others, ...mine])
    expect([status, fault]).toEqual([400, 'upstream_rejected'])
    expect(JSON.parse(text).error).toMatchObject({ param: `input[${1 + others.length}].encrypted_content` })
  })

  test('is gone, translated reasoning is left out and named', async () => {
    const of = await organisations('one', 'two')
    const messages: object[] = [{ role: 'user', content: 'hello' }]
    let content: unknown
    do content = JSON.parse((await send('/v1/messages', thinking(of, messages))).text).content
    while (of.asked.at(-1) !== 'one')
    messages.push({ role: 'assistant', content }, { role: 'user', content: 'go on' })
    await change(of, { credentials: of.upstream.credentials.filter(({ name }) => name === 'two') })
    const { status, dropped } = await send('/v1/messages', thinking(of, messages))
    expect([status, dropped]).toEqual([200, expect.stringContaining('reasoning')])
    expect(of.refused).toBe(0)
  })
})
