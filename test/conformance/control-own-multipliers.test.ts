import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker
let ada: Asker & { readonly account: Account }
let path: string
let id: string
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
  ada = await control.account({})
  path = `/api/accounts/${ada.account.id}`
  id = (await admin.ask('POST', '/api/groups', { name: 'trade', multiplier: '0.8' })).body.id
})
afterAll(() => control.close())

type Pair = readonly [group: string, multiplier: string]

const own = (...multipliers: readonly Pair[]) => ({
  multipliers: multipliers.map(([group, multiplier]) => ({ group, multiplier })),
})

test('an admin gives an account its own multipliers, its owner sees prices with them, and the audit has both versions', async () => {
  const set = await admin.ask('PATCH', path, own(['trade', '0.5']))
  expect(set).toMatchObject({ status: 200, body: { multipliers: [{ group: id, multiplier: '0.5' }] } })
  const { body: audit } = await admin.ask('GET', `/api/audit?subject=${ada.account.id}&action=account.update`)
  const after = [{ group: id, multiplier: '0.5' }]
  expect(audit.data[0].changes).toMatchObject({ multipliers: { before: [], after } })
  const multiplierFor = async (who: Asker) => (await who.ask('GET', `/api/groups/${id}`)).body.multiplier
  expect([await multiplierFor(ada), await multiplierFor(await control.account({}))]).toEqual(['0.5', '0.8'])
  // Staff see what is set on the group, whatever they have themselves.
  const root = await control.account({ role: 'admin' })
  await admin.ask('PATCH', `/api/accounts/${root.account.id}`, own([id, '0.1']))
  expect(await multiplierFor(root)).toBe('0.8')

  // What is not named stays as it is; an empty list takes all away.
  expect((await admin.ask('PATCH', path, { role: 'user' })).body.multipliers).toEqual(after)
  const listed = await admin.ask('POST', '/api/keys', { name: 'own', group: 'trade', account_id: ada.account.id })
  expect(listed.body.key.group_multiplier).toBe('0.5')
  const keys = await admin.ask('GET', `/api/keys?account_id=${ada.account.id}`)
  expect(keys.body.data[0].group_multiplier).toBe('0.5')
  expect((await admin.ask('PATCH', path, own())).body.multipliers).toEqual([])
})

test('more than the group’s own, no group, and a group twice are refused with the field, and owners set nothing', async () => {
  const refused = async (...pairs: readonly Pair[]) => {
    const { status, body } = await admin.ask('PATCH', path, own(...pairs))
    expect([status, body.field]).toEqual([422, 'multipliers'])
    return body.detail as string
  }
  expect(await refused(['trade', '0.9'])).toContain('own multiplier is 0.8')
  expect(await refused(['nowhere', '0.1'])).toContain('must name groups that exist')
  expect(await refused(['trade', '0.1'], [id, '0.2'])).toContain('must name each group once')
  expect((await admin.ask('GET', path)).body.multipliers).toEqual([])
  expect((await ada.ask('PATCH', path, own(['trade', '0.1']))).status).toBe(403)

  // What stands already is not in the way once the group is cheaper.
  await admin.ask('PATCH', path, own(['trade', '0.7']))
  await admin.ask('PATCH', `/api/groups/${id}`, { multiplier: '0.6' })
  expect((await admin.ask('PATCH', path, own(['trade', '0.7']))).status).toBe(200)
  expect(await refused(['trade', '0.65'])).toContain('own multiplier is 0.6')
})
