import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const DAY_MS = 86_400_000

test('a gateway deletes alerts once they are as old as TOLLGATE_KEEP_ALERTS_DAYS says, and no sooner', async () => {
  const directory = await migratedDirectory()
  const environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_KEEP_ALERTS_DAYS: '120' }
  const first = await gatewayUnderTest({ environment })
  const account = await first.account()
  await first.close()
  const database = new DatabaseSync(join(directory, 'tollgate.db'))
  const insert = database.prepare(`insert into alerts
    (id, kind, subject_id, percent, limit_nano, used_nano, window_ms, resets_at, created_at)
    values (?, 'low_balance', ?, null, 5, 4, null, null, ?)`)
  for (const days of [121, 119]) insert.run(`of-days:${days}`, account.id, Date.now() - days * DAY_MS)
  database.close()
  const gateway = await gatewayUnderTest({ environment })
  const kept = async () => (await gateway.store.alerts.list(10)).map(({ alert }) => alert.id.replace(/.*:/, ''))
  await expect.poll(kept, { timeout: PATIENCE_MS }).toEqual(['119'])
  await gateway.close()
})
