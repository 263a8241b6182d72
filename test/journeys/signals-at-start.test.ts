import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshEnvironment } from '../support/gateway-for-test.ts'
import { starting, STARTING } from '../support/held-start.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

// Signals that come while a process starts: its main thread answers, and the threads beside it are held by the test.

const KEY = 'start-journey-5d0a2f7c81be'

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], ...fields })}\n\n`
const WORD = chunk({ choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }] })
const END =
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  `${chunk({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`

// beyonai/by-framework-python#83 asks for “still starting” in place of ready, benoitc/gunicorn#2502 for when all are up.
test('a process is ready once all of its threads are up, and says until then that it starts', async () => {
  const { release, readiness, printed, child, ended } = await starting(4)
  await expect.poll(readiness, { timeout: PATIENCE_MS }).toEqual(STARTING)
  expect(printed()).not.toContain('"msg":"ready"')
  await release()
  await expect.poll(readiness, { timeout: PATIENCE_MS }).toMatchObject({ status: 200 })
  await expect.poll(printed, { timeout: PATIENCE_MS }).toContain('"msg":"ready"')
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, signal: null })
})

test('SIGTERM before all threads are up drains: a stream comes to its end, and the process ends with 0', async () => {
  const finish = Promise.withResolvers<void>()
  const upstream = await scriptedUpstream((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(WORD)
    void finish.promise.then(() => response.end(END))
  })
  onTestFinished(() => upstream.close())
  const path = join((await freshEnvironment())['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, JSON.stringify(declaration(upstream.port)))
  const { origin, release, readiness, child, printed, ended } = await starting(4, { TOLLGATE_CONFIG: path })
  await expect.poll(readiness, { timeout: PATIENCE_MS }).toEqual(STARTING)
  const running = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  })
  child.kill('SIGTERM')
  await expect.poll(printed, { timeout: PATIENCE_MS }).toContain('"msg":"draining"')
  finish.resolve()
  expect(await running.text()).toContain('[DONE]')
  await release()
  expect(await ended).toEqual({ code: 0, signal: null })
  expect(printed()).not.toContain('"msg":"ready"')
})

test('a SIGHUP while the threads begin is kept, and applies the file once they are up', async () => {
  const path = join((await freshEnvironment())['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, JSON.stringify(declaration(1)))
  const { release, readiness, child, printed, ended } = await starting(2, { TOLLGATE_CONFIG: path })
  await expect.poll(readiness, { timeout: PATIENCE_MS }).toEqual(STARTING)
  child.kill('SIGHUP')
  await release()
  await expect.poll(printed, { timeout: PATIENCE_MS }).toContain('read the declarative file again')
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, signal: null })
})

test('a later signal ends a start at once that does not come to its end', async () => {
  const { readiness, child, ended } = await starting(2)
  await expect.poll(readiness, { timeout: PATIENCE_MS }).toEqual(STARTING)
  const again = setInterval(() => child.kill('SIGTERM'), 200)
  onTestFinished(() => clearInterval(again))
  expect(await ended).toEqual({ code: 1, signal: null })
})

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'slow', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '1' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}
