import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  const aGroup = async (name: string) => {
    const { body } = await admin.ask('POST', '/api/groups', { name, models: [] })
    return body as { id: string; name: string }
  }
  const useOf = async ({ id }: { id: string }) =>
    (await admin.ask('GET', '/api/groups/use')).body.data.find((each: { id: string }) => each.id === id)

  test('the keys of a group move to another, each with its audit entry, and then it is deleted', async () => {
    const [old, next, spare] = [await aGroup('old'), await aGroup('next'), await aGroup('spare')]
    const user = await control.account()
    const aKey = async (name: string, group: string, fallback: readonly string[]) => {
      const { body } = await user.ask('POST', '/api/keys', { name, group, fallback_groups: fallback })
      return body.key.id as string
    }
    const first = await aKey('laptop', old.name, [next.name, spare.name])
    const second = await aKey('phone', spare.name, [old.name])
    await (await control.account()).ask('POST', '/api/keys', { name: 'theirs', group: old.name })
    expect(await useOf(old)).toMatchObject({ keys: 2, accounts: 2, fallback_keys: 1, requests: 0, charged: '0' })
    const move = (to: string) => admin.ask('POST', `/api/groups/${old.id}/move-keys`, { to })
    expect(await move(old.name)).toMatchObject({ status: 422, body: { field: 'to' } })
    expect(await move('no such group')).toMatchObject({ status: 422, body: { field: 'to' } })
    expect((await move(next.name)).body).toEqual({ moved: 3, remaining: 0, managed: 0 })
    const keyNow = async (id: string) => (await user.ask('GET', `/api/keys/${id}`)).body
    expect(await keyNow(first)).toMatchObject({ group: next.name, fallback_groups: [spare.name] })
    expect(await keyNow(second)).toMatchObject({ group: spare.name, fallback_groups: [next.name] })
    const { body: audit } = await admin.ask('GET', `/api/audit?subject=${second}&action=key.update`)
    expect(audit.data).toMatchObject([{ changes: { fallback_groups: { before: [old.name], after: [next.name] } } }])
    expect(await useOf(next)).toMatchObject({ keys: 2, accounts: 2, fallback_keys: 1 })
    expect((await admin.ask('DELETE', `/api/groups/${old.id}`)).status).toBe(204)
  })

  test('a key from the declarative file is not moved, and counted', async () => {
    const [group, other] = [await aGroup('declared'), await aGroup('other')]
    const { body } = await (await control.account()).ask('POST', '/api/keys', { name: 'key', group: group.name })
    const key = await control.store.keys.findById(body.key.id)
    if (key !== null) await control.store.keys.update({ ...key, isManaged: true })
    const answer = await admin.ask('POST', `/api/groups/${group.id}/move-keys`, { to: other.name })
    expect(answer.body).toEqual({ moved: 0, remaining: 0, managed: 1 })
  })
})
