import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { ONE_PPM } from '../../core/money.ts'
import type { ResponseCacheRule } from '../../core/response-cache-rule.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { runCommandLine } from './command-line.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const RULE: ResponseCacheRule = { ttlSeconds: 60, price: ONE_PPM, isShared: true, since: NOON - 1 }

let folder = ''
let store: Store
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-cache-clear-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock: { now: () => NOON, elapsed: () => 0 } })
  const common = { multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true }
  await store.groups.putGroup({ ...common, id: 'grp_one', name: 'one', isManaged: true, cache: RULE })
  // Of a node whose clock is ahead.
  const ahead = { ...RULE, since: NOON + 5 }
  await store.groups.putGroup({ ...common, id: 'grp_two', name: 'two', isManaged: false, cache: ahead })
  await store.groups.putGroup({ ...common, id: 'grp_bare', name: 'bare', isManaged: false })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

async function clear(...args: string[]) {
  const { host, printed, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: folder, TOLLGATE_SECRET: 'a-secret-for-tests-only'.repeat(2) },
    openStore: async () => ({ ...store, close: async () => {} }),
    nowMs: () => NOON,
    randomBytes,
  })
  const code = await runCommandLine(['cache', 'clear', ...args], host)
  return { code, said: printed.join('') + remarked.join('') }
}

const rules = async () => Object.fromEntries((await store.groups.groups()).map(({ name, cache }) => [name, cache]))

test('clearing one group makes its rule a new one and no other, also where the file manages it', async () => {
  expect(await clear('--group', 'one')).toEqual({ code: 0, said: 'The response cache of one is cleared.\n' })
  expect(await rules()).toEqual({ one: { ...RULE, since: NOON }, two: { ...RULE, since: NOON + 5 }, bare: undefined })
  expect((await store.groups.groups()).find(({ name }) => name === 'one')?.isManaged).toBe(true)
})

test('clearing all makes every rule a later one, whatever the clock says', async () => {
  expect(await clear()).toEqual({ code: 0, said: 'The response cache of one, two is cleared.\n' })
  expect(await rules()).toMatchObject({ one: { since: NOON + 1 }, two: { since: NOON + 6 } })
})

test('a group that keeps none, or is not there, is said', async () => {
  expect(await clear('--group', 'bare')).toEqual({ code: 0, said: 'The group bare keeps no answers.\n' })
  const { code, said } = await clear('--group', 'bara')
  expect([code, said]).toEqual([1, expect.stringContaining('did you mean "bare"')])
})
