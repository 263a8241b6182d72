import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyPassword } from '../../src/access/password.ts'
import { readAlertTemplate } from '../../src/control/settings/alert-template.ts'
import { newId } from '../../src/core/ids.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

let control: ControlUnderTest
let admin: Asker & { account: { id: string } }
beforeAll(async () => {
  control = await controlUnderTest()
  const { account, ask } = await control.account({ role: 'admin' })
  admin = { account, ask: (...of) => (control.clock.advance(1), ask(...of)) }
})
afterAll(() => control.close())

async function lastAuditOf(subject: string) {
  const { body } = await admin.ask('GET', `/api/audit?subject=${subject}&limit=1`)
  return body.data[0]
}

describe('accounts', () => {
  test('are opened, found and read with their balance', async () => {
    const made = await admin.ask('POST', '/api/accounts', { email: 'Ada@Accounts.test', password: 'correct horse' })
    expect(made).toMatchObject({ status: 201, body: { email: 'Ada@Accounts.test', role: 'user', balance: '0' } })
    const hash = await control.store.accounts.passwordHash(made.body.id)
    expect(await verifyPassword('correct horse', hash ?? '')).toBe(true)
    await admin.ask('POST', `/api/accounts/${made.body.id}/ledger`, {
      amount: '12.5',
      reason: 'a start',
      kind: 'credit',
    })
    const read = await admin.ask('GET', `/api/accounts/${made.body.id}`)
    expect(read.body).toEqual({ ...made.body, balance: '12.5' })
    const found = await admin.ask('GET', '/api/accounts?search=ada@ACC')
    const today = new Date(control.clock.now()).toISOString().slice(0, 10)
    const went = { before: '0', days: [{ at: `${today}T00:00:00.000Z`, balance: '12.5' }] }
    const listed = { ...read.body, spend_30d: '0', keys: 0, last_seen_at: null, balance_30d: went }
    expect(found.body).toEqual({ data: [listed], next_cursor: null })
    const { changes } = (await admin.ask('GET', `/api/audit?subject=${made.body.id}`)).body.data.at(-1)
    expect(JSON.stringify(changes)).not.toContain('correct horse')
  })

  test('an address is taken once, in any case', async () => {
    await admin.ask('POST', '/api/accounts', { email: 'once@accounts.test' })
    const again = await admin.ask('POST', '/api/accounts', { email: 'ONCE@accounts.test' })
    expect(again).toMatchObject({ status: 409, body: { code: 'email_taken', field: 'email' } })
  })

  test.for([
    [{ email: 'no address' }, 'email'],
    [{ email: 'a@b.test', password: 'short' }, 'password'],
    [{ email: 'a@b.test', password: 'x'.repeat(129) }, 'password'],
    [{ email: 'a@b.test', role: 'owner' }, 'role'],
    [{ email: 'a@b.test', balance: '5' }, 'balance'],
  ] as const)('what makes no sense is refused by its field: %j', async ([body, field]) => {
    expect(await admin.ask('POST', '/api/accounts', body)).toMatchObject({ status: 422, body: { field } })
  })

  // from: directus/directus#2070
  test('disabling ends sessions and access tokens at once, and enabling brings none of them back', async () => {
    const user = await control.account({ via: 'write' })
    const browser = await control.as(user.account, 'session')
    const statuses = async () => [
      (await user.ask('GET', '/api/keys')).status,
      (await browser.ask('GET', '/api/keys')).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    const disabled = await admin.ask('PATCH', `/api/accounts/${user.account.id}`, { status: 'disabled' })
    expect(disabled.body).toMatchObject({ status: 'disabled' })
    expect(await statuses()).toEqual([401, 401])
    expect(await lastAuditOf(user.account.id)).toMatchObject({
      action: 'account.update',
      changes: { status: { before: 'active', after: 'disabled' }, access_tokens: { before: 1, after: 0 } },
    })
    await admin.ask('PATCH', `/api/accounts/${user.account.id}`, { status: 'active' })
    expect(await statuses()).toEqual([401, 401])
  })

  // from: keygen-sh/keygen-api#648
  test('a role with fewer rights deletes the access tokens, and one with more keeps them', async () => {
    const path = async (role: 'admin' | 'user') => {
      const { account } = await control.account({ role })
      return { account, url: `/api/accounts/${account.id}`, token: await control.as(account, 'write') }
    }
    const raised = await path('user')
    await admin.ask('PATCH', raised.url, { role: 'operator' })
    expect((await raised.token.ask('GET', '/api/me')).body.role).toBe('operator')
    const lowered = await path('admin')
    await admin.ask('PATCH', lowered.url, { role: 'operator' })
    expect((await lowered.token.ask('GET', '/api/me')).status).toBe(401)
    expect((await lastAuditOf(lowered.account.id)).changes).toEqual({
      role: { before: 'admin', after: 'operator' },
      access_tokens: { before: 1, after: 0 },
    })
    // Given back, it does not bring back what was made by it.
    await admin.ask('PATCH', lowered.url, { role: 'admin' })
    expect((await lowered.token.ask('GET', '/api/me')).status).toBe(401)
    await admin.ask('PATCH', lowered.url, { role: 'user' })
  })

  test('a new password replaces the old one, ends the sessions and is in no audit', async () => {
    const user = await control.account()
    const answer = await admin.ask('PATCH', `/api/accounts/${user.account.id}`, { password: 'a new password' })
    expect(answer.status).toBe(200)
    const hash = await control.store.accounts.passwordHash(user.account.id)
    expect(await verifyPassword('a new password', hash ?? '')).toBe(true)
    expect((await user.ask('GET', '/api/me')).status).toBe(401)
    const entry = await lastAuditOf(user.account.id)
    expect(entry.changes).toEqual({ password: { before: null, after: 'replaced' } })
  })

  test('admins cannot change their own role or disable themselves, and the last admin stays one', async () => {
    const path = `/api/accounts/${admin.account.id}`
    expect(await admin.ask('PATCH', path, { role: 'user' })).toMatchObject({ status: 409, body: { field: 'role' } })
    expect(await admin.ask('PATCH', path, { status: 'disabled' })).toMatchObject({ status: 409 })
    expect((await admin.ask('PATCH', path, { role: 'admin', status: 'active' })).status).toBe(200)
    const byToken = await control.as(admin.account, 'write')
    for (const own of [admin, byToken]) {
      const answer = await own.ask('PATCH', path, { password: 'another good one' })
      expect(answer).toMatchObject({ status: 409, body: { field: 'password' } })
    }
    const token = await control.adminToken.ask('PATCH', path, { role: 'user' })
    expect(token).toMatchObject({ status: 409, body: { code: 'last_admin' } })
    const second = await control.account({ role: 'admin' })
    expect((await second.ask('PATCH', path, { role: 'user' })).status).toBe(200)
    expect((await second.ask('PATCH', path, { role: 'admin' })).status).toBe(200)
    await admin.ask('PATCH', `/api/accounts/${second.account.id}`, { role: 'user' })
  })

  test('opening or changing one takes credentials that were shown lately', async () => {
    const user = await control.account()
    const stale = await control.as(admin.account, 'stale_session')
    const answer = await stale.ask('PATCH', `/api/accounts/${user.account.id}`, { role: 'admin' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'confirmation_needed' } })
    const opened = await stale.ask('POST', '/api/accounts', { email: 'stale@accounts.test', role: 'admin' })
    expect(opened).toMatchObject({ status: 403, body: { code: 'confirmation_needed' } })
  })

  test('a link lets an account in again; it is said once, and audited without it', async () => {
    const user = await control.account()
    const path = `/api/accounts/${user.account.id}/reset-link`
    const headers = { 'idempotency-key': 'a-link' }
    const made = await admin.ask('POST', path, undefined, headers)
    expect(made).toMatchObject({ status: 201, body: { was_mailed: false } })
    expect(made.body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/reset-password#/)
    expect((await admin.ask('POST', path, undefined, headers)).body).toEqual({ ...made.body, url: null })
    const entry = await lastAuditOf(user.account.id)
    expect(entry).toMatchObject({ action: 'account.reset_link' })
    expect(JSON.stringify(entry)).not.toContain('a-token')
    expect((await admin.ask('POST', '/api/accounts/acc_none/reset-link')).status).toBe(404)
  })

  test('an invitation is refused while registration is closed', async () => {
    const made = await admin.ask('POST', '/api/invitations', { email: 'new@accounts.test' })
    expect(made.body.url).toContain('/console/invitation#')
    await admin.ask('PATCH', '/api/settings', { registration: 'closed' })
    expect((await admin.ask('POST', '/api/invitations', {})).status).toBe(409)
    await admin.ask('PATCH', '/api/settings', { registration: 'invitation' })
  })
})

describe('balances', () => {
  const adjust = (id: string, body: object, headers = {}) =>
    admin.ask('POST', `/api/accounts/${id}/ledger`, { reason: 'a test', ...body }, headers)

  test('are raised and lowered with a reason, and owners see that an admin did it', async () => {
    const user = await control.account()
    const raised = await adjust(user.account.id, { amount: '10.000000001', reason: 'paid by transfer', kind: 'credit' })
    expect(raised).toMatchObject({ status: 201, body: { amount: '10.000000001', balance_after: '10.000000001' } })
    control.clock.advance(1)
    await adjust(user.account.id, { amount: '-0.000000001' })
    const own = await user.ask('GET', '/api/ledger')
    expect(own.body.data).toMatchObject([
      { kind: 'adjustment', amount: '-0.000000001', balance_after: '10', actor: 'an admin' },
      { kind: 'credit', amount: '10.000000001', reason: 'paid by transfer', actor: 'an admin' },
    ])
    const theirs = await admin.ask('GET', `/api/accounts/${user.account.id}/ledger?kind=credit`)
    expect(theirs.body.data).toMatchObject([{ kind: 'credit', actor: admin.account.id }])
    expect((await admin.ask('GET', `/api/ledger?account_id=${user.account.id}`)).body.data).toHaveLength(2)
    expect((await user.ask('GET', `/api/ledger?account_id=${admin.account.id}`)).status).toBe(403)
    const { body } = await admin.ask('GET', `/api/audit?action=ledger.post&limit=1`)
    expect(body.data[0]).toMatchObject({
      account_id: user.account.id,
      changes: { amount: { before: null, after: '-0.000000001' }, balance: { before: '10.000000001', after: '10' } },
    })
  })

  test('cannot be taken below what is there, nor be raised beyond what can be counted', async () => {
    const user = await control.account({ balance: '5' })
    const refused = await adjust(user.account.id, { amount: '-5.000000001' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'balance_insufficient', field: 'amount' } })
    expect(refused.body.detail).toMatch(/can be taken now.*give it back within 20 s\.$/)
    expect(refused.body.detail).toContain('$5 ')
    expect((await adjust(user.account.id, { amount: '-5' })).body.balance_after).toBe('0')
    expect((await adjust(user.account.id, { amount: '8999999999' })).status).toBe(201)
    const tooMuch = await adjust(user.account.id, { amount: '8999999999' })
    expect(tooMuch).toMatchObject({ status: 409, body: { code: 'balance_too_large' } })
  })

  test.for([
    [{ amount: '0' }, 'amount'],
    [{ amount: '-1', kind: 'credit' }, 'amount'],
    [{ amount: '9000000000.1' }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ amount: 5 }, 'amount'],
    [{ amount: '1', reason: ' ' }, 'reason'],
  ] as const)('no entry is made of %j', async ([body, field]) => {
    const user = await control.account()
    expect(await adjust(user.account.id, body)).toMatchObject({ status: 422, body: { field } })
    expect((await adjust('acc_none', { amount: '1' })).status).toBe(404)
  })

  test('one entry is made however often the same request is sent', async () => {
    const user = await control.account()
    const headers = { 'idempotency-key': newId('led', 1) }
    const answers = await Promise.all([1, 2, 3].map(() => adjust(user.account.id, { amount: '3' }, headers)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await user.ask('GET', '/api/me')).body.balance).toBe('3')
  })

  test('an account is credited once under a reference by several people, and another account as well', async () => {
    const [user, another] = [await control.account(), await control.account()]
    const colleague = await control.account({ role: 'finance' })
    const credit = { amount: '3', kind: 'credit', reason: 'paid', reference: 'INV-7' }
    const path = `/api/accounts/${user.account.id}/ledger`
    const answers = await Promise.all([admin, colleague, admin].map(({ ask }) => ask('POST', path, credit)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'reference_taken', field: 'reference' },
    })
    expect((await colleague.ask('POST', path, { ...credit, reference: 'INV-8' })).body.reference).toBe('INV-8')
    expect((await adjust(another.account.id, credit)).status).toBe(201)
    expect((await user.ask('GET', '/api/me')).body.balance).toBe('6')
    expect((await user.ask('GET', '/api/ledger')).body.data.at(-1)).toMatchObject({
      reason: 'paid',
      reference: 'INV-7',
    })
    expect(await adjust(user.account.id, { amount: '1', reference: 'no spaces' })).toMatchObject({ status: 422 })
  })

  test('entries go page by page', async () => {
    const user = await control.account()
    for (const amount of ['1', '2', '3']) await adjust(user.account.id, { amount })
    const first = await user.ask('GET', '/api/ledger?limit=2')
    const second = await user.ask('GET', `/api/ledger?limit=2&cursor=${first.body.next_cursor}`)
    const amounts = [...first.body.data, ...second.body.data].map(({ amount }: { amount: string }) => amount)
    expect(amounts).toEqual(['3', '2', '1'])
    expect(second.body.next_cursor).toBeNull()
  })
})

test('a template of alerts is previewed with names that would break it, and refused with what is wrong', async () => {
  const template = { text: '{{subject_name}} at {{percent}}', inner: [{ of: '{{account_email}}' }] }
  const preview = await admin.ask('POST', '/api/alerts/preview', { template })
  expect(preview.body.body).toEqual({
    text: 'the "new" <laptop>,\n{second line} at 80',
    inner: [{ of: 'ada@example.test' }],
  })
  for (const [method, path, body] of [
    ['POST', '/api/alerts/preview', { template: { text: '{{who}}' } }],
    ['PATCH', '/api/settings', { alert_template: { text: '{{who}}' } }],
  ] as const) {
    const refused = await admin.ask(method, path, body)
    expect(refused.status).toBe(422)
    expect(refused.body.detail).toContain('must not have {{who}}: its placeholders are title, text, id,')
  }
  const kept = await admin.ask('PATCH', '/api/settings', { alert_template: template })
  expect(kept.body.alert_template).toEqual(template)
  expect(await readAlertTemplate(control.store.settings)).toEqual(template)
  await admin.ask('PATCH', '/api/settings', { alert_template: null })
  expect(await readAlertTemplate(control.store.settings)).toBe(null)
})
