import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { migratedPostgres } from '../support/test-servers.ts'

const poll = { timeout: PATIENCE_MS }

// from: BerriAI/litellm#21158, BerriAI/litellm#26134
test('a PostgreSQL that can be read and takes no writes is not ready, and is again by itself without a request', async () => {
  const database = await migratedPostgres()
  onTestFinished(() => database.drop())
  const name = new URL(database.url).pathname.slice(1)
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  onTestFinished(() => admin.end())
  /** Makes the server act as one that has become a standby: what is open is cut off, and what follows may only read. */
  const setReadOnly = async (value: 'on' | 'off') => {
    await admin.query(`set default_transaction_read_only = off`)
    await admin.query(`alter database "${name}" set default_transaction_read_only = ${value}`)
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    )
  }
  const gateway = await gatewayUnderTest({
    environment: { DATABASE_URL: database.url, TOLLGATE_SECRET: 'only for tests: 32 bytes and a few more' },
  })
  onTestFinished(() => gateway.close())
  await gateway.model('fake/echo')
  const { secret } = await gateway.key(await gateway.account({ balance: '10' }))
  const call = async () => {
    const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fake/echo', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return [answer.status, answer.headers.get('x-tollgate-fault')]
  }
  const ready = () => fetch(`${gateway.origin}/readyz`).then((answer) => answer.json())
  expect(await call()).toEqual([200, null])
  await setReadOnly('on')
  // The answer of one that was let in is withheld, and from then on none is.
  await expect.poll(call, poll).toEqual([503, 'store_unavailable'])
  await expect.poll(ready, poll).toEqual({ status: 'store_unavailable', because: 'read_only' })
  expect(await call()).toEqual([503, 'store_unavailable'])
  await setReadOnly('off')
  await expect.poll(ready, poll).toEqual({ status: 'ready' })
  expect(await call()).toEqual([200, null])
  const { disagreements } = await gateway.store.ledger.prove()
  expect(disagreements).toEqual([])
})
