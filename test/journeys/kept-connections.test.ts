import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

/** An upstream that resets each kept connection as its second request arrives, as load balancers with short patience do. */

const SECRET = 'kept-4f0b7c1e92d8a635'
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  },
  '/v1/images/generations': { created: 1, data: [{ b64_json: 'aGk=' }] },
}

async function impatient() {
  const seen = new WeakSet<Socket>()
  const asked: string[] = []
  const upstream = await scriptedUpstream((request, response) => {
    const { socket } = request
    request.resume().on('end', () => {
      asked.push(request.url ?? '')
      if (seen.has(socket)) return void socket.resetAndDestroy()
      seen.add(socket)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWERS[request.url ?? '']))
    })
  })
  onTestFinished(() => upstream.close())
  return { baseUrl: `${upstream.url}/v1`, asked }
}

test('40 of 40 chats are answered, and none counts as a retry; a picture is asked for once', async () => {
  const { baseUrl, asked } = await impatient()
  const file = join(await temporaryDirectory(), 'tollgate.yaml')
  await writeFile(
    file,
    `upstreams: [{ name: behind, protocol: openai-chat, base_url: "${baseUrl}", credential: sk-1 }]
models:
  - { name: words, price: { input: "1", output: "2" }, targets: [{ upstream: behind }] }
  - { name: pictures, price: { per_image: "0.04" }, targets: [{ upstream: behind }] }
groups: [{ name: default, models: ["*"] }]
accounts: [{ email: ada@example.test, balance: "1" }]
keys: [{ account: ada@example.test, name: laptop, group: default, custom_key: ${SECRET} }]
`,
  )
  const gateway = await startGateway(await freshEnvironment({ TOLLGATE_CONFIG: file, TOLLGATE_DEMO: '0' }))
  const post = (path: string, body: object) =>
    fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const attempts: number[] = []
  for (let i = 0; i < 40; i++) {
    const answer = await post('/v1/chat/completions', { model: 'words', messages: [{ role: 'user', content: 'hi' }] })
    expect(answer.status, await answer.text()).toBe(200)
    const id = answer.headers.get('x-request-id')
    const receipt = await fetch(`${gateway.origin}/v1/requests/${id}`, {
      headers: { authorization: `Bearer ${SECRET}` },
    })
    attempts.push(((await receipt.json()) as { attempts: readonly unknown[] }).attempts.length)
  }
  // The record says how often the upstream may have read it: the first request met no kept connection.
  expect(attempts).toEqual([1, ...Array<number>(39).fill(2)])

  // The connection that the last answer left is reset by the picture that comes next, which may have been made.
  asked.length = 0
  const picture = await post('/v1/images/generations', { model: 'pictures', prompt: 'a gate' })
  expect(picture.status).toBe(502)
  expect(asked).toEqual(['/v1/images/generations'])
  await gateway.stop()
})
