import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

describe.each(ENGINES_ABOVE_STORES)('an account that an admin closes (%s)', (engine) => {
  let control: ControlUnderTest
  let admin: Awaited<ReturnType<ControlUnderTest['account']>>
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  test('leaves its books under its id, and its name and address nowhere', async () => {
    const email = 'Grace.Closed@accounts.test'
    await admin.ask('POST', '/api/invitations', { email })
    const { body: opened } = await admin.ask('POST', '/api/accounts', { email, role: 'user' })
    const path = `/api/accounts/${opened.id}`
    const account = await control.store.accounts.findById(opened.id)
    if (account === null) throw new Error('the account is not there')
    const owner = await control.as(account, 'session')
    await owner.ask('PATCH', '/api/me', { name: 'Grace Hopper' })
    const { body: key } = await owner.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
    await owner.ask('POST', '/api/tokens', { name: 'report', scope: 'read', expires_at: null })
    await admin.ask('POST', `${path}/ledger`, { amount: '5', reason: `paid by ${email}`, kind: 'credit' })
    // As older versions wrote it.
    await control.store.audit.write({
      id: 'aud_0old',
      createdAt: control.clock.now(),
      actor: 'admin_token',
      via: 'admin_token',
      address: '127.0.0.1',
      action: 'account.create',
      subject: opened.id,
      accountId: opened.id,
      changes: { email: { before: null, after: email } },
    })

    const closed = await admin.ask('POST', `${path}/close`)
    expect(closed).toMatchObject({
      status: 200,
      body: { email: `${opened.id}@closed.invalid`, name: '', status: 'disabled', balance: '5' },
    })
    expect(await control.store.keys.findById(key.key.id)).toMatchObject({ status: 'deleted' })
    expect((await owner.ask('GET', '/api/me')).status).toBe(401)
    for (const left of [
      path,
      '/api/accounts?limit=200',
      '/api/audit?limit=200',
      '/api/invitations',
      `${path}/ledger`,
    ]) {
      const { text } = await admin.ask('GET', left)
      const isLedger = left.endsWith('/ledger')
      // The reason of an entry is what an admin wrote into the books, and stays as it is.
      expect(text.toLowerCase().includes(email.toLowerCase()), left).toBe(isLedger)
      expect(text, left).not.toContain('Grace Hopper')
    }
    const { body: audit } = await admin.ask('GET', `/api/audit?subject=${opened.id}&action=account.close`)
    expect(audit.data).toMatchObject([
      { actor: admin.account.id, changes: { keys: { before: 1, after: 0 }, access_tokens: { before: 1, after: 0 } } },
    ])
  })

  test('is not one’s own, one of the declarative file, nor one that is closed', async () => {
    expect(await admin.ask('POST', `/api/accounts/${admin.account.id}/close`)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    const filed = { role: 'user', status: 'active', createdAt: 0, isManaged: true } as const
    await control.store.accounts.create({ id: 'acc_filed', email: 'filed@accounts.test', ...filed }, null)
    expect((await admin.ask('POST', '/api/accounts/acc_filed/close')).body.code).toBe('managed')
    expect((await admin.ask('POST', '/api/accounts/acc_none/close')).status).toBe(404)
    const other = await control.account()
    const path = `/api/accounts/${other.account.id}/close`
    expect((await admin.ask('POST', path)).status).toBe(200)
    expect((await admin.ask('POST', path)).body.code).toBe('conflict')
    expect((await admin.ask('PATCH', path.replace('/close', ''), { status: 'active' })).body.code).toBe('conflict')
  })

  test('needs credentials that were shown lately, and the right of admins', async () => {
    const other = await control.account()
    const path = `/api/accounts/${other.account.id}/close`
    const stale = await control.as(admin.account, 'stale_session')
    expect((await stale.ask('POST', path)).body.code).toBe('confirmation_needed')
    const finance = await control.account({ role: 'finance' })
    expect((await finance.ask('POST', path)).status).toBe(403)
  })
})

describe.each(ENGINES_ABOVE_STORES)('how an account signs in, for admins (%s)', (engine) => {
  let control: ControlUnderTest
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
  })
  afterAll(() => control.close())

  test('its sessions and ways are listed without a secret, and one or all are ended, which the audit says', async () => {
    const admin = await control.account({ role: 'admin' })
    const owner = await control.account({ via: 'session' })
    await control.as(owner.account, 'session')
    const path = `/api/accounts/${owner.account.id}`
    const { body } = await admin.ask('GET', `${path}/sign-in`)
    expect(body).toMatchObject({
      has_password: false,
      second_factor: false,
      passkeys: [],
      oidc_linked_at: null,
      access_tokens: 0,
      is_email_verified: true,
    })
    expect(body.sessions).toHaveLength(2)
    expect(JSON.stringify(body)).not.toMatch(/token_hash|tokenHash/)

    const [first] = body.sessions
    expect((await admin.ask('DELETE', `${path}/sessions/${first.id}`)).status).toBe(204)
    expect((await admin.ask('DELETE', `${path}/sessions/${first.id}`)).status).toBe(404)
    expect((await admin.ask('GET', `${path}/sign-in`)).body.sessions).toHaveLength(1)
    // Not one of another account by this path.
    const { body: own } = await admin.ask('GET', `/api/accounts/${admin.account.id}/sign-in`)
    expect((await admin.ask('DELETE', `${path}/sessions/${own.sessions[0].id}`)).status).toBe(404)

    const token = await control.as(owner.account, 'read')
    const lastEntry = async () => (await admin.ask('GET', `/api/audit?subject=${owner.account.id}`)).body.data[0]
    control.clock.advance(1_000)
    expect((await admin.ask('DELETE', `${path}/sessions?end_access_tokens=false`)).status).toBe(204)
    expect((await admin.ask('GET', `${path}/sign-in`)).body.sessions).toEqual([])
    expect((await token.ask('GET', '/api/me')).status).toBe(200)
    expect(await lastEntry()).toMatchObject({ action: 'account.end_sessions', changes: {} })

    control.clock.advance(1_000)
    expect((await admin.ask('DELETE', `${path}/sessions`)).status).toBe(204)
    expect((await token.ask('GET', '/api/me')).status).toBe(401)
    expect(await lastEntry()).toMatchObject({
      action: 'account.end_sessions',
      changes: { access_tokens: { before: 1, after: 0 } },
    })
  })
})
