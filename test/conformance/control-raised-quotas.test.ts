import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyEntries } from '../../src/app/declarative/export-file.ts'
import { endDueRaises } from '../../src/control/scheduled/due-quotas.ts'
import { newId } from '../../src/core/ids.ts'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES_ABOVE_STORES)('raised quotas on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker & { readonly account: Account }
  let owner: Asker & { readonly account: Account }
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    owner = await control.account({ balance: '100' })
    await control.group('default')
  })
  afterAll(() => control.close())

  const aKey = async (quota: string | null = '10') => {
    const wish = { name: 'raised', group: 'default', quota_limit: quota }
    return (await owner.ask('POST', '/api/keys', wish)).body.key.id as string
  }
  const inHours = (hours: number) => new Date(control.clock.now() + hours * HOUR_MS).toISOString()
  const raise = (id: string, limit: string, endsAt: string) =>
    admin.ask('POST', `/api/keys/${id}/raise-quota`, { limit, ends_at: endsAt })
  const end = (id: string) => admin.ask('POST', `/api/keys/${id}/end-raise`)
  const read = async (id: string) => (await owner.ask('GET', `/api/keys/${id}`)).body
  const quotaOf = async (id: string) => {
    const { quota_limit: limit, quota_raise: raised } = await read(id)
    return [limit, raised]
  }
  /** Ends what is due, as every node does. */
  const endDue = () => {
    const nowMs = control.clock.now()
    return endDueRaises(control.store, { nowMs, newId: (prefix) => newId(prefix, nowMs) })
  }
  const audited = async (id: string) => (await admin.ask('GET', `/api/audit?subject=${id}`)).body.data

  test('a raise holds until its end, ends once though two nodes try, and the audit has both with before and after', async () => {
    const id = await aKey()
    const until = inHours(1)
    expect((await raise(id, '25', until)).body).toMatchObject({
      quota_limit: '25',
      quota_raise: { limit: '10', ends_at: until },
    })
    expect(await endDue()).toEqual([])
    expect((await read(id)).quota_limit).toBe('25')
    control.clock.advance(HOUR_MS)
    const ended = (await Promise.all([endDue(), endDue()])).flat()
    expect(ended).toEqual([id])
    expect(await quotaOf(id)).toEqual(['10', null])
    const [ending, raising] = await audited(id)
    const raised = { limit: '10', ends_at: until }
    expect(raising).toMatchObject({ action: 'key.raise_quota', actor: admin.account.id, account_id: owner.account.id })
    expect(raising.changes).toEqual({
      quota_limit: { before: '10', after: '25' },
      quota_raise: { before: null, after: raised },
    })
    expect(ending).toMatchObject({ action: 'key.end_raise', actor: admin.account.id, via: 'none', address: '' })
    expect(ending.changes).toEqual({
      quota_limit: { before: '25', after: '10' },
      quota_raise: { before: raised, after: null },
    })
    expect(await endDue()).toEqual([])
  })

  test('a second raise keeps the quota from before the first, and may leave the limit and move the end', async () => {
    const id = await aKey()
    await raise(id, '20', inHours(1))
    const later = inHours(3)
    expect((await raise(id, '30', inHours(2))).body.quota_raise.limit).toBe('10')
    expect((await raise(id, '30', later)).body.quota_raise).toEqual({ limit: '10', ends_at: later })
    control.clock.advance(2 * HOUR_MS)
    expect(await endDue()).toEqual([])
    control.clock.advance(HOUR_MS)
    expect(await endDue()).toEqual([id])
    expect(await quotaOf(id)).toEqual(['10', null])
  })

  test.for([
    { to: 'more', limit: '40' },
    { to: 'what it was', limit: '10' },
    { to: 'less', limit: '5' },
    { to: 'no limit', limit: null },
  ])('an edit of the quota to $to ends the raise and stays', async ({ limit }) => {
    const id = await aKey()
    await raise(id, '20', inHours(1))
    expect((await owner.ask('PATCH', `/api/keys/${id}`, { quota_limit: limit })).body).toMatchObject({
      quota_limit: limit,
      quota_raise: null,
    })
    expect((await audited(id))[0].changes.quota_raise).toMatchObject({ before: { limit: '10' }, after: null })
    control.clock.advance(HOUR_MS)
    expect(await endDue()).toEqual([])
    expect(await quotaOf(id)).toEqual([limit, null])
    // Nor does it come back with the limit that it had.
    await owner.ask('PATCH', `/api/keys/${id}`, { quota_limit: '20' })
    expect(await quotaOf(id)).toEqual(['20', null])
  })

  test('other edits keep the raise, and so does a new secret; a deleted key has none that is due', async () => {
    const id = await aKey()
    const until = inHours(1)
    await raise(id, '20', until)
    await owner.ask('PATCH', `/api/keys/${id}`, { name: 'renamed', quota_reset: 'monthly', status: 'disabled' })
    await owner.ask('POST', `/api/keys/${id}/rotate`, { overlap_seconds: 0 })
    expect(await quotaOf(id)).toEqual(['20', { limit: '10', ends_at: until }])
    await owner.ask('DELETE', `/api/keys/${id}`)
    control.clock.advance(HOUR_MS)
    expect(await endDue()).toEqual([])
  })

  test('a raise that is ended at once is over, and cannot be ended again', async () => {
    const id = await aKey()
    await raise(id, '20', inHours(1))
    expect((await end(id)).body).toMatchObject({ quota_limit: '10', quota_raise: null })
    expect((await audited(id))[0]).toMatchObject({ action: 'key.end_raise', actor: admin.account.id })
    expect(await end(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    control.clock.advance(HOUR_MS)
    expect(await endDue()).toEqual([])
  })

  test('what raises nothing, has no end within a year or is not for this route is refused, and nothing is changed', async () => {
    const id = await aKey()
    for (const [limit, endsAt, field] of [
      ['10', inHours(1), 'limit'],
      ['9', inHours(1), 'limit'],
      ['20', inHours(0), 'ends_at'],
      ['20', inHours(24 * 367), 'ends_at'],
    ] as const) {
      expect((await raise(id, limit, endsAt)).body, `${limit} until ${endsAt}`).toMatchObject({
        code: 'field_invalid',
        field,
      })
    }
    await raise(id, '20', inHours(1))
    expect((await raise(id, '19', inHours(1))).body).toMatchObject({ field: 'limit' })
    const unlimited = await aKey(null)
    expect((await raise(unlimited, '20', inHours(1))).body.code).toBe('conflict')
    const own = await owner.ask('POST', `/api/keys/${id}/raise-quota`, { limit: '30', ends_at: inHours(1) })
    expect(own).toMatchObject({ status: 403, body: { code: 'admin_needed' } })
    expect((await owner.ask('POST', `/api/keys/${id}/end-raise`)).status).toBe(403)
    expect(await quotaOf(id)).toMatchObject(['20', { limit: '10' }])
  })

  test('an export has the quota without the raise', async () => {
    const id = await aKey()
    await raise(id, '20', inHours(1))
    const key = await control.store.keys.findById(id)
    const entries = await keyEntries(key === null ? [] : [key], {
      store: control.store,
      nowMs: control.clock.now(),
      accounts: [owner.account],
      models: [],
      nameOfGroup: () => 'default',
      remarks: [],
    })
    expect(entries).toMatchObject([{ name: 'raised', quota_limit: '10' }])
    expect(entries[0]).not.toHaveProperty('quota_raise')
  })

  test('the declarative file’s keys are not raised, and a key that enters the file loses its raise', async () => {
    const id = await aKey()
    await raise(id, '20', inHours(1))
    const key = await control.store.keys.findById(id)
    if (key === null) throw new Error('the key is there')
    await control.store.keys.update({ ...key, isManaged: true })
    expect(await quotaOf(id)).toEqual(['20', null])
    expect((await raise(id, '30', inHours(1))).body.code).toBe('managed')
    expect((await end(id)).body.code).toBe('managed')
    control.clock.advance(HOUR_MS)
    expect(await endDue()).not.toContain(id)
  })

  test('a raise that a node of the release before left with another quota is in no other’s way', async () => {
    const [left, standing] = [await aKey(), await aKey()]
    await raise(left, '20', inHours(1))
    await raise(standing, '20', inHours(2))
    await control.place.sql(`update api_keys set quota_limit_nano = 15000000000 where id = '${left}' returning id`)
    control.clock.advance(2 * HOUR_MS)
    const due = () => control.store.keys.raisesDue(control.clock.now(), 1)
    expect([await due(), await due()]).toEqual([[], [standing]])
    expect(await quotaOf(left)).toEqual(['15', null])
    expect(await endDue()).toEqual([standing])
  })
})
