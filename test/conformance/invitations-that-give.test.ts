import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'
import { withoutRoomIn } from './table-contents.ts'

// An invitation may carry credit, a plan and groups. Each is given once, with the account, or not at all. Others' gateways
// gave it twice or let one link open many accounts: one-api #2399 (one code, several accounts at one instant), connxio #65 (one
// link, two accounts), psibase #1004 (accepted twice by one page). Lists of people lost lines in silence: surveyproject #6 (two
// of one address), cosmetic-product-notifications #2089 (ends of lines within the address).

const HOUR = 3_600_000
const PASSWORD = 'correct horse battery'
const NOTHING = { credit: null, plan: null, open_groups: [] }

let people = 0
const newEmail = () => `invited-${++people}@example.test`
const tokenIn = (url: string) => url.split('#')[1] ?? ''

describe.each(ENGINES_ABOVE_STORES)('an invitation that gives, on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let planId: string
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    await control.group('vip', { isOpen: false })
    admin = await control.account({ role: 'admin', via: 'session' })
    planId = (await admin.ask('POST', '/api/plans', { name: 'pro', groups: ['vip'], days: 30, price: '0' })).body.id
  })
  afterAll(() => control.close())
  // One address opens so many accounts an hour.
  beforeEach(() => control.clock.advance(HOUR))

  const invite = async (body: object = {}): Promise<Answer> => admin.ask('POST', '/api/invitations', body)
  const signUp = (token: string, email = newEmail()): Promise<Answer> =>
    control.anonymous.ask('POST', '/api/auth/sign-up', { email, password: PASSWORD, invitation: token })
  const ledgerOf = async (id: string) => (await admin.ask('GET', `/api/accounts/${id}/ledger`)).body.data
  const balanceOf = async (id: string) => (await admin.ask('GET', `/api/accounts/${id}`)).body.balance
  const tokenOf = async (body: object) => tokenIn((await invite(body)).body.url)

  test('gives credit, plan and groups to the account that it opens, and the ledger names who invited', async () => {
    const email = newEmail()
    const made = await invite({ email, credit: '10', plan: planId, open_groups: ['vip'] })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body.invitation
    const gives = { credit: '10', plan: { id: planId, name: 'pro', days: 30 } }
    expect(made.body.invitation).toMatchObject({ ...gives, open_groups: ['vip'], invited_by: admin.account?.email })
    const token = tokenIn(made.body.url)
    const preview = await control.anonymous.ask('POST', '/api/auth/invitation/preview', { token })
    expect(preview.body).toMatchObject({ email, credit: '10', plan: { name: 'pro', days: 30 } })
    const { body } = await signUp(token, email)
    const accountId: string = body.account.id
    expect(await balanceOf(accountId)).toBe('10')
    const entries = await ledgerOf(accountId)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ kind: 'grant', amount: '10', reason: 'opening credit of an invitation' })
    expect(entries[0]).toMatchObject({ actor: admin.account?.id })
    const subscriptions = await admin.ask('GET', `/api/accounts/${accountId}/subscriptions`)
    expect(subscriptions.body.data).toMatchObject([{ plan: 'pro', status: 'running' }])
    const groups = (await admin.ask('GET', `/api/accounts/${accountId}`)).body.open_groups
    expect(groups).toHaveLength(1)
    const audit = (await admin.ask('GET', `/api/audit?account=${accountId}`)).body.data
    const opened = audit.find(({ action }: { action: string }) => action === 'sign_in.account_created')
    expect(opened.changes).toMatchObject({
      detail: { after: 'invitation' },
      credit: { after: '10' },
      plan: { after: 'pro' },
      open_groups: { after: ['vip'] },
      invited_by: { after: admin.account?.id },
    })
    const ofInvitation = (await admin.ask('GET', `/api/audit?subject=${id}`)).body.data
    expect(ofInvitation[0].changes).toMatchObject({ credit: { after: '10' }, plan: { after: 'pro' } })
    expect(JSON.stringify(ofInvitation)).not.toContain(email)
    const listed = (await admin.ask('GET', '/api/invitations')).body.data[0]
    expect(listed).toMatchObject({ id, used_by: accountId, ...gives })
  })

  test('opened twice at one instant gives to one account, once', async () => {
    const token = await tokenOf({ credit: '7' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUp(token)))
    const opened = answers.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(3)
    expect(await balanceOf(opened[0]?.body.account.id)).toBe('7')
  })

  test('accepted and withdrawn at one instant either gives all or opens no account', async () => {
    for (let round = 0; round < 6; round++) {
      const email = newEmail()
      const made = await invite({ email, credit: '3' })
      const withdraw = () => admin.ask('DELETE', `/api/invitations/${made.body.invitation.id}`)
      const [answer, withdrawn] = await Promise.all([signUp(tokenIn(made.body.url), email), withdraw()])
      const found = (await admin.ask('GET', `/api/accounts?search=${email}`)).body.data
      expect([answer.status, withdrawn.status]).toEqual(answer.status === 200 ? [200, 404] : [410, 204])
      expect(found.map(({ balance }: { balance: string }) => balance)).toEqual(answer.status === 200 ? ['3'] : [])
    }
  })

  test.for(['ledger_entries', 'subscriptions', 'audit_entries', 'changes'])(
    'where %s take nothing, no account is opened, and the link works once they do',
    async (table) => {
      const email = newEmail()
      const token = await tokenOf({ email, credit: '5', plan: 'pro' })
      await withoutRoomIn(control.place, table, async () => {
        expect((await signUp(token, email)).status).toBe(500)
      })
      expect((await admin.ask('GET', `/api/accounts?search=${email}`)).body.data).toEqual([])
      const { body } = await signUp(token, email)
      expect(await balanceOf(body.account.id)).toBe('5')
      // The answer was lost, and the browser sends it again.
      expect((await signUp(token, email)).status).toBe(410)
      expect(await ledgerOf(body.account.id)).toHaveLength(1)
    },
  )

  test('withdrawn, expired, or of an admin who is one no more gives nothing', async () => {
    const withdrawn = await invite({ credit: '4' })
    await admin.ask('DELETE', `/api/invitations/${withdrawn.body.invitation.id}`)
    expect((await signUp(tokenIn(withdrawn.body.url))).status).toBe(410)
    const late = await tokenOf({ credit: '4', expires_in_hours: 1 })
    control.clock.advance(HOUR)
    expect((await signUp(late)).status).toBe(410)
    const other = await control.account({ role: 'admin', via: 'session' })
    const made = await other.ask('POST', '/api/invitations', { credit: '4' })
    await admin.ask('PATCH', `/api/accounts/${other.account.id}`, { role: 'finance' })
    expect((await signUp(tokenIn(made.body.url))).status).toBe(410)
  })

  test('of two for one address the second is worth nothing once the first was used', async () => {
    const email = newEmail()
    const [one, other] = [await tokenOf({ email, credit: '2' }), await tokenOf({ email, credit: '2' })]
    const { body } = await signUp(one, email)
    expect(body.account.email).toBe(email)
    // With another address since, the account would leave its first one to a second account.
    await control.store.accounts.updateCredentials(body.account.id, { email: newEmail() })
    expect((await signUp(other, email)).status).toBe(410)
  })

  test('keeps its plan from being deleted while it can be used', async () => {
    const { id } = (await admin.ask('POST', '/api/plans', { name: 'gift', groups: ['vip'], days: 1, price: '0' })).body
    const made = await invite({ plan: 'gift' })
    const refused = await admin.ask('DELETE', `/api/plans/${id}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(refused.body.detail).toContain('1 open invitation')
    await admin.ask('DELETE', `/api/invitations/${made.body.invitation.id}`)
    expect((await admin.ask('DELETE', `/api/plans/${id}`)).status).toBe(204)
  })

  test('gives a group that was deleted meanwhile to no account', async () => {
    await control.group('gone', { isOpen: false })
    const token = await tokenOf({ open_groups: ['gone', 'vip'] })
    const { data } = (await admin.ask('GET', '/api/groups')).body
    await admin.ask('DELETE', `/api/groups/${data.find(({ name }: { name: string }) => name === 'gone').id}`)
    const { body } = await signUp(token)
    expect((await admin.ask('GET', `/api/accounts/${body.account.id}`)).body.open_groups).toHaveLength(1)
  })

  test('refuses credit without an amount, above the bound, and of a plan or group that is not there', async () => {
    for (const [field, value] of [
      ['credit', '0'],
      ['credit', '-1'],
      ['credit', '10000.000000001'],
      ['plan', 'none'],
      ['open_groups', ['none']],
    ] as const) {
      expect((await invite({ [field]: value })).body).toMatchObject({ code: 'field_invalid' })
    }
  })

  test('many at once: each address has a link of its own, and what gets none is named', async () => {
    const [ada, bob] = [newEmail(), newEmail()]
    const known = await control.account({ email: newEmail() })
    const sent = [ada, ` ${bob} `, 'not an address', ada.toUpperCase(), known.account.email]
    const made = await admin.ask('POST', '/api/invitations/batch', { emails: sent, credit: '1.50' })
    expect(made.status, made.text).toBe(201)
    const rows = made.body.data.map(({ email, problem }: { email: string; problem: string }) => [email, problem])
    expect(rows).toEqual([
      [ada, null],
      [bob, null],
      ['not an address', 'not_an_address'],
      [ada.toUpperCase(), 'repeated'],
      [known.account.email, 'has_account'],
    ])
    expect(made.body.total).toBe('3')
    expect(made.body.urls.map((url: string | null) => url !== null)).toEqual([true, true, false, false, false])
    const { body } = await signUp(tokenIn(made.body.urls[1]), bob)
    expect(await balanceOf(body.account.id)).toBe('1.5')
    expect((await signUp(tokenIn(made.body.urls[0]), bob)).status).toBe(410)
  })

  test('many at once are made all or none, and together give at most the bound', async () => {
    const emails = [newEmail(), newEmail()]
    const over = await admin.ask('POST', '/api/invitations/batch', { emails, credit: '5000.01' })
    expect(over.body).toMatchObject({ code: 'field_invalid', field: 'credit' })
    const before = (await admin.ask('GET', '/api/invitations')).body.data.length
    await withoutRoomIn(control.place, 'audit_entries', async () => {
      expect((await admin.ask('POST', '/api/invitations/batch', { emails })).status).toBe(500)
    })
    const unsent = await admin.ask('POST', '/api/invitations/batch', { emails: Array(101).fill(emails[0]) })
    expect(unsent.body).toMatchObject({ code: 'field_invalid' })
    expect((await admin.ask('GET', '/api/invitations')).body.data).toHaveLength(before)
    const key = { 'idempotency-key': 'these-two-once' }
    const first = await admin.ask('POST', '/api/invitations/batch', { emails }, key)
    const again = await admin.ask('POST', '/api/invitations/batch', { emails }, key)
    expect(again.body).toEqual({ ...first.body, urls: null })
    expect((await admin.ask('GET', '/api/invitations')).body.data).toHaveLength(before + 2)
  })

  test('one that gives nothing is as it was before', async () => {
    const made = await invite()
    expect(made.body.invitation).toMatchObject(NOTHING)
    const { body } = await signUp(tokenIn(made.body.url))
    expect(await ledgerOf(body.account.id)).toEqual([])
  })
})
