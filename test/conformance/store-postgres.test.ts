import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { anAccount, aSettlement, fundedAccount } from './store-fixtures.ts'
import { newPlace, type Place } from './store-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// What only a database server can do wrong: go away.

const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

let place: Place
let store: Store

beforeEach(async () => {
  place = await newPlace('postgres')
  store = await place.open()
})
afterEach(() => place.leave())

test('connections that the server ended are replaced, and no charge is lost', async () => {
  const account = await fundedAccount(store, '1')
  for (let round = 0; round < 3; round++) {
    const batches = Array.from({ length: 20 }, () => [aSettlement(account.id, 1n)])
    const settled = Promise.allSettled(batches.map((batch) => store.settlements.settle(batch)))
    await place.sql(END_CONNECTIONS)
    await settled
    // A batch that was rejected, or whose fate is not known, is given again: nothing is written twice.
    for (const batch of batches) await vi.waitFor(() => store.settlements.settle(batch), PATIENCE_MS)
  }
  expect(await store.ledger.balance(account.id)).toBe(999_999_940n)
  expect((await store.ledger.prove()).disagreements).toEqual([])
})

test('changes are heard again after the listening connection was lost', async () => {
  let heard = 0
  const stop = store.nodes.onCommit(() => {
    heard += 1
  })
  for (let round = 0; round < 3; round++) {
    await place.sql(END_CONNECTIONS)
    const other = await place.open()
    const before = heard
    await other.accounts.create(anAccount(), null)
    await vi.waitFor(() => expect(heard).toBeGreaterThan(before), PATIENCE_MS)
  }
  stop()
})

test('a commit waits for the disk, though the database is set up to be content with less, and nothing is compiled or given workers', async () => {
  await place.sql(`do $do$ begin
    execute format('alter database %I set synchronous_commit = off', current_database());
    execute format('alter database %I set jit = on', current_database());
    execute format('alter database %I set max_parallel_workers_per_gather = 4', current_database());
    create function tell() returns trigger language plpgsql as
      $$ begin new.value := current_setting(new.name); return new; end $$;
    create trigger tell before insert on settings for each row execute function tell();
  end $do$`)
  const careful = await place.open()
  await careful.settings.write('synchronous_commit', '')
  expect(await careful.settings.read('synchronous_commit')).toBe('on')
  await careful.settings.write('max_parallel_workers_per_gather', '')
  expect(await careful.settings.read('max_parallel_workers_per_gather')).toBe('0')
  await careful.settings.write('jit', '')
  expect(await careful.settings.read('jit')).toBe('off')
})
