import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker
let ada: Asker & { readonly account: Account }
let path: string
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
  ada = await control.account({})
  path = `/api/accounts/${ada.account.id}`
})
afterAll(() => control.close())

test('a closed group is open to the accounts that are named, and to no other', async () => {
  const group = await admin.ask('POST', '/api/groups', { name: 'partners', open: false })
  const bob = await control.account({})
  const create = (who: Asker, name: string) => who.ask('POST', '/api/keys', { name, group: 'partners' })
  expect((await create(ada, 'early')).status).toBe(422)
  const { status, body } = await admin.ask('PATCH', path, { open_groups: ['partners'] })
  expect(status).toBe(200)
  expect(body.open_groups).toEqual([group.body.id])
  expect((await create(ada, 'now')).status).toBe(201)
  expect((await create(bob, 'other')).status).toBe(422)
  const groups = async (who: Asker) =>
    ((await who.ask('GET', '/api/groups')).body.data as { name: string }[]).map(({ name }) => name)
  expect(await groups(ada)).toContain('partners')
  expect(await groups(bob)).not.toContain('partners')
  const { body: audit } = await admin.ask('GET', `/api/audit?subject=${ada.account.id}&action=account.update`)
  expect(audit.data[0].changes).toMatchObject({ open_groups: { before: [], after: [group.body.id] } })

  // What is not named stays as it is; an empty list takes all away.
  expect((await admin.ask('PATCH', path, { role: 'user' })).body.open_groups).toEqual([group.body.id])
  expect((await admin.ask('PATCH', path, { open_groups: [] })).body.open_groups).toEqual([])
  expect((await create(ada, 'late')).status).toBe(422)
})

test('a name that no group has is refused, each change makes another version, and only admins open groups', async () => {
  const { body: before } = await admin.ask('GET', path)
  expect(await admin.ask('PATCH', path, { open_groups: ['nowhere'] })).toMatchObject({
    status: 422,
    body: { field: 'open_groups' },
  })
  await admin.ask('PATCH', path, { open_groups: ['partners'] })
  const { body: after } = await admin.ask('GET', path)
  expect(after.version).not.toBe(before.version)
  expect((await ada.ask('PATCH', path, { open_groups: [] })).status).toBe(403)
})

test('a closed group is open to the roles that it names for as long as an account has one of them', async () => {
  const { body: made } = await admin.ask('POST', '/api/groups', {
    name: 'inside',
    open: false,
    open_to_roles: ['admin', 'operator', 'operator'],
  })
  expect(made).toMatchObject({ open: false, open_to_roles: ['operator', 'admin'] })
  const create = (who: Asker, name: string) => who.ask('POST', '/api/keys', { name, group: 'inside' })
  const operator = await control.account({ role: 'operator' })
  expect((await create(operator, 'first')).status).toBe(201)
  expect((await create(await control.account({ role: 'auditor' }), 'second')).status).toBe(422)
  expect((await create(ada, 'third')).status).toBe(422)
  await admin.ask('PATCH', `/api/accounts/${operator.account.id}`, { role: 'user' })
  expect((await create(operator, 'later')).status).toBe(422)

  const groupPath = `/api/groups/${made.id}`
  expect((await admin.ask('PATCH', groupPath, { multiplier: '2' })).body.open_to_roles).toEqual(['operator', 'admin'])
  expect((await admin.ask('PATCH', groupPath, { open_to_roles: [] })).body.open_to_roles).toEqual([])
  expect((await admin.ask('PATCH', groupPath, { open_to_roles: ['owner'] })).status).toBe(422)
  const { body: audit } = await admin.ask('GET', `/api/audit?subject=${made.id}&action=group.update`)
  expect(audit.data[0].changes).toMatchObject({ open_to_roles: { before: ['operator', 'admin'], after: [] } })
})
