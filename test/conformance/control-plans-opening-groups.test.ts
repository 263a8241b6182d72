import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

/** A plan over an open group and two that are closed, as imports make it of plans that pay wherever their user may go. */
const GROUPS = ['default', 'svip', 'hidden']
const TERMS = { groups: GROUPS, days: 30, price: '20', limits: { max_keys: 7 } }

describe.each(ENGINES_ABOVE_STORES)('plans that open groups, and plans that only pay there, on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let payer: Asker & { readonly account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    for (const name of ['svip', 'hidden']) await control.group(name, { isOpen: false })
    admin = await control.account({ role: 'admin' })
    await made('/api/plans', { name: 'opens', ...TERMS })
    await made('/api/plans', { name: 'pays', ...TERMS, opens_groups: false })
    payer = await control.account({})
    await subscribe(payer, 'pays')
  })
  afterAll(() => control.close())

  async function made(path: string, fields: object) {
    const { status, body, text } = await admin.ask('POST', path, fields)
    expect(status, text).toBe(201)
    return body
  }
  const subscribe = ({ account }: { readonly account: Account }, plan: string) =>
    made(`/api/accounts/${account.id}/subscriptions`, { plan })
  const groupsShownTo = async (who: Asker) =>
    ((await who.ask('GET', '/api/groups')).body.data as { name: string }[]).map(({ name }) => name).toSorted()
  const planShownTo = async (who: Asker, name: string) =>
    ((await who.ask('GET', '/api/plans')).body.data as { name: string }[]).find((each) => each.name === name)

  test('who has one that only pays makes no key in a closed group, names none as a fallback, and moves none there', async () => {
    const refused = { status: 422, body: { code: 'field_invalid' } }
    const create = (fields: object) => payer.ask('POST', '/api/keys', { name: 'laptop', ...fields })
    expect(await create({ group: 'svip' })).toMatchObject({ ...refused, body: { field: 'group' } })
    expect(await create({ group: 'default', fallback_groups: ['svip'] })).toMatchObject({ status: 422 })
    const { status, body: created } = await create({ group: 'default' })
    expect(status).toBe(201)
    for (const change of [{ group: 'svip' }, { fallback_groups: ['hidden'] }]) {
      expect((await payer.ask('PATCH', `/api/keys/${created.key.id}`, change)).status).toBe(422)
    }
    expect(await groupsShownTo(payer)).toEqual(['default'])
  })

  test('who has one that opens them does all of that', async () => {
    const member = await control.account({})
    await subscribe(member, 'opens')
    expect(await groupsShownTo(member)).toEqual(GROUPS.toSorted())
    const key = await member.ask('POST', '/api/keys', { name: 'a', group: 'svip', fallback_groups: ['hidden'] })
    expect(key.status).toBe(201)
  })

  test('its limits hold all the same, and it pays: it runs with its quotas and says that it opens nothing', async () => {
    expect((await payer.ask('GET', '/api/me/limits')).body).toMatchObject({ limits: { max_keys: 7 } })
    const { body } = await payer.ask('GET', '/api/subscriptions')
    expect(body.data).toMatchObject([{ plan: 'pays', status: 'running', opens_groups: false }])
  })

  test('its owner is shown only those of its groups that the account may use; admins are shown all', async () => {
    const { body } = await payer.ask('GET', '/api/subscriptions')
    expect(body.data).toMatchObject([{ groups: ['default'] }])
    const { body: overview } = await payer.ask('GET', '/api/overview')
    expect(overview.subscriptions).toMatchObject([{ groups: ['default'] }])
    expect(await planShownTo(payer, 'pays')).toMatchObject({ groups: ['default'], opens_groups: false })
    expect(await planShownTo(payer, 'opens')).toMatchObject({ groups: GROUPS, opens_groups: true })
    expect(await planShownTo(admin, 'pays')).toMatchObject({ groups: GROUPS })
    const { body: ofAccount } = await admin.ask('GET', `/api/accounts/${payer.account.id}/subscriptions`)
    expect(ofAccount.data).toMatchObject([{ groups: GROUPS }])
    // What it is shown of a plan has the version of all of it.
    const [own, whole] = [await planShownTo(payer, 'pays'), await planShownTo(admin, 'pays')]
    expect(own).toMatchObject({ version: (whole as unknown as { version: string }).version })
  })

  test('a subscription keeps what was sold, whichever way the plan is changed since', async () => {
    const plan = await made('/api/plans', { name: 'changes', ...TERMS, groups: ['hidden'] })
    expect(plan.opens_groups).toBe(true)
    const [early, late] = [await control.account({}), await control.account({})]
    await subscribe(early, 'changes')
    const { body: changed } = await admin.ask('PATCH', `/api/plans/${plan.id}`, { opens_groups: false })
    expect(changed).toMatchObject({ opens_groups: false, groups: ['hidden'], days: 30 })
    expect(changed.version).not.toBe(plan.version)
    expect((await admin.ask('PATCH', `/api/plans/${plan.id}`, { days: 31 })).body.opens_groups).toBe(false)
    await subscribe(late, 'changes')
    expect(await groupsShownTo(early)).toContain('hidden')
    expect(await groupsShownTo(late)).not.toContain('hidden')
    // A code sells what the plan is when it is redeemed.
    const { codes } = await made('/api/redeem-codes', { plan: 'changes' })
    const reader = await control.account({})
    expect((await reader.ask('POST', '/api/redeem', { code: codes[0] })).status).toBe(200)
    expect(await groupsShownTo(reader)).not.toContain('hidden')
    const { body: audit } = await admin.ask('GET', `/api/audit?subject=${plan.id}&action=plan.update`)
    expect(audit.data[1].changes).toMatchObject({ opens_groups: { before: true, after: false } })
    expect((await admin.ask('PATCH', `/api/plans/${plan.id}`, { opens_groups: null })).status).toBe(422)
  })
})
