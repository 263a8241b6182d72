import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { scriptedUpstream } from '../support/scripted-upstream.ts'

const KEY = 'moved-database-journey-1f0e93aa'
const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const poll = { timeout: PATIENCE_MS }
const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...fields })}\n\n`
const WORD = chunk({ choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }] })
const END =
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  `${chunk({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 } })}data: [DONE]\n\n`

// from: nfrastack/db-backup#423, bytedance/deer-flow#5166
test('a database that is deleted under a gateway stops it in words, and what runs then is in the copy that it keeps', async () => {
  const goOn = Promise.withResolvers<void>()
  const upstream = await scriptedUpstream((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(WORD)
    void goOn.promise.then(() => response.end(END))
  })
  onTestFinished(() => upstream.close())
  const environment = await freshEnvironment({ TOLLGATE_DEMO: '0', TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN })
  const directory = environment['TOLLGATE_DATA_DIR'] ?? ''
  const config = join(directory, 'tollgate.yaml')
  await writeFile(config, JSON.stringify(declaration(upstream.port)))
  const started = { ...environment, TOLLGATE_CONFIG: config }
  const gateway = await startGateway(started)
  const ask = () =>
    fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    })
  const ready = () => fetch(`${gateway.origin}/readyz`).then((answer) => answer.json())
  const running = await ask()
  for (const ending of ['', '-wal', '-shm']) await rm(join(directory, `tollgate.db${ending}`))

  await expect.poll(ready, poll).toEqual({ status: 'store_unavailable', because: 'files_moved' })
  const refused = await ask()
  expect([refused.status, refused.headers.get('x-tollgate-fault')]).toEqual([503, 'store_unavailable'])
  await refused.text()
  const attention = await fetch(`${gateway.origin}/api/attention`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  expect(await attention.text()).toContain('"store":"files_moved"')
  // What was begun before is answered whole, and paid for.
  goOn.resolve()
  expect(await running.text()).toContain('[DONE]')
  expect(await gateway.stop()).toBe(0)

  expect(newestCopy(gateway.printed())).not.toBe('')
  const again = await runHere(started, ['check-ledger'])
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/kept-\d+, which a gateway kept when .+ rename it to tollgate\.db/),
  ])
  expect(existsSync(join(directory, 'tollgate.db'))).toBe(false)
  await rename(newestCopy(gateway.printed()), join(directory, 'tollgate.db'))
  const books = await runHere(started, ['check-ledger'])
  expect([books.code, books.stderr]).toEqual([0, expect.stringContaining('usage records: 1')])
  const usage = await runHere(started, ['export'])
  // Ten dollars, and what seven tokens in and one out cost.
  expect(usage.stdout).toMatch(/balance: "?9\.999992"?/)
})

function newestCopy(printed: string): string {
  return [...printed.matchAll(/copied to (\S+\.kept-\d+): stop the gateway/g)].at(-1)?.[1] ?? ''
}

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'm', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '10' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}
