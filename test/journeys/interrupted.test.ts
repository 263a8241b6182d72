import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { runTollgate } from '../support/gateway-process.ts'

test('a stream that a crash cuts is in the records as interrupted after the next start, and costs nothing', async () => {
  const environment = await freshEnvironment()
  const gateway = await startGateway(environment)
  await expect.poll(gateway.printed).toMatch(/sk-tg-\w{46}/)
  const secret = /sk-tg-\w{46}/.exec(gateway.printed())?.[0] ?? ''
  const call = request(`${gateway.origin}/v1/messages`, { method: 'POST', headers: { 'x-api-key': secret } })
  const content = 'word '.repeat(500)
  call.end(
    JSON.stringify({ model: 'demo/echo', max_tokens: 1000, stream: true, messages: [{ role: 'user', content }] }),
  )
  const [answer] = (await once(call, 'response')) as [NodeJS.ReadableStream & { headers: Record<string, string> }]
  answer.on('error', () => {})
  answer.resume()
  const file = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.db')
  await expect.poll(() => rows(file, 'select id from open_requests')).toHaveLength(1)
  await gateway.kill()

  const again = await startGateway(environment)
  const id = answer.headers['x-request-id']
  expect(rows(file, 'select id, outcome, cost_nano, model from usage_records')).toEqual([
    { id, outcome: 'interrupted', cost_nano: 0, model: 'demo/echo' },
  ])
  expect(rows(file, 'select id from open_requests')).toEqual([])
  expect(await again.stop()).toBe(0)
  const { stdout } = await runTollgate(environment, ['check-ledger'])
  expect(stdout).toMatch(/^ok/m)
})

function rows(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}
