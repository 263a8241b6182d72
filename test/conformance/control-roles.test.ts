import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { ROLES, type Role } from '../../src/core/roles.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

type Person = Asker & { readonly account: Account }

/** What the table of routes does not show: fields, other accounts by name, roles that are given, and secrets. */
describe('roles', () => {
  let control: ControlUnderTest
  let people: Readonly<Record<Role, Person>>

  beforeAll(async () => {
    control = await controlUnderTest()
    await control.group('default')
    const opened = await Promise.all(ROLES.map(async (role) => [role, await control.account({ role })] as const))
    people = Object.fromEntries(opened) as Record<Role, Person>
  })
  afterAll(() => control.close())

  test('finance changes the price of a model and locks it, and nothing else of it', async () => {
    const { body } = await people.operator.ask('POST', '/api/models', {
      name: 'priced',
      price: { input: '1', output: '2' },
    })
    const path = `/api/models/${body.id}`
    const wish = { price: { input: '3', output: '4' }, price_locked: true }
    const changed = await people.finance.ask('PATCH', path, wish)
    expect(changed.body).toMatchObject(wish)
    const refused = await people.finance.ask('PATCH', path, { price: { input: '5', output: '6' }, recommended: true })
    expect(refused).toMatchObject({ status: 403, body: { code: 'role_insufficient', field: 'recommended' } })
    expect((await people.finance.ask('GET', path)).body.price).toMatchObject({ input: '3' })
  })

  test('finance imports prices, and the audit has them as one import', async () => {
    const { body } = await people.operator.ask('POST', '/api/models', {
      name: 'imported',
      price: { input: '1', output: '2' },
    })
    const path = `/api/models/${body.id}`
    const wish = { price: { input: '3', output: '4' }, import_id: 'imp_0123456789abcdef' }
    expect((await people.finance.ask('PATCH', path, wish)).status).toBe(200)
    const limits = await people.finance.ask('PATCH', path, { ...wish, context_tokens: 1000 })
    expect(limits).toMatchObject({ status: 403, body: { field: 'context_tokens' } })
    const { body: audit } = await people.finance.ask('GET', '/api/audit?action=model.import')
    expect(audit.data).toMatchObject([
      {
        subject: body.id,
        changes: {
          import_id: { before: null, after: wish.import_id },
          price: { before: { input: '1' }, after: { input: '3' } },
        },
      },
    ])
  })

  test.for(ROLES)('%s reads and changes what another account has as its role says', async (role) => {
    const { account } = await control.account({})
    const read = await people[role].ask('GET', `/api/keys?account_id=${account.id}`)
    expect(read.status).toBe(role === 'user' ? 403 : 200)
    const made = await people[role].ask('POST', '/api/keys', { name: 'x', group: 'default', account_id: account.id })
    expect(made.status).toBe(role === 'admin' ? 201 : 403)
    const posted = await people[role].ask('POST', `/api/accounts/${account.id}/ledger`, { amount: '1', reason: 'x' })
    expect(posted.status).toBe(role === 'admin' || role === 'finance' ? 201 : 403)
  })

  test.for(ROLES.flatMap((giver) => ROLES.map((given) => ({ giver, given }))))(
    '$giver gives the role $given only with every right of it',
    async ({ giver, given }) => {
      const { account } = await control.account({})
      const status = async (method: string, path: string, body: object) =>
        (await people[giver].ask(method, path, body)).status
      const may = giver === 'admin'
      expect(await status('PATCH', `/api/accounts/${account.id}`, { role: given })).toBe(may ? 200 : 403)
      expect(await status('POST', '/api/invitations', { role: given })).toBe(may ? 201 : 403)
      const opened = { email: `${giver}-${given}@example.test`, role: given }
      expect(await status('POST', '/api/accounts', opened)).toBe(may ? 201 : 403)
      const kept = await control.store.accounts.findById(account.id)
      expect(kept?.role).toBe(may ? given : 'user')
    },
  )

  test('no role gives itself another, and what was taken is gone with the next request', async () => {
    const [token, session] = [
      await control.as(people.finance.account, 'write'),
      await control.as(people.finance.account, 'session'),
    ]
    for (const role of ['auditor', 'operator', 'finance'] as const) {
      const self = `/api/accounts/${people[role].account.id}`
      expect((await people[role].ask('PATCH', self, { role: 'admin' })).status, role).toBe(403)
    }
    expect((await token.ask('POST', '/api/redeem-codes', { amount: '1' })).status).toBe(201)
    const path = `/api/accounts/${people.finance.account.id}`
    expect((await people.admin.ask('PATCH', path, { role: 'auditor' })).status).toBe(200)
    expect((await session.ask('POST', '/api/redeem-codes', { amount: '1' })).body.code).toBe('role_insufficient')
    expect((await session.ask('GET', '/api/me')).body).toMatchObject({ role: 'auditor', rights: ['staff'] })
    expect((await token.ask('GET', '/api/me')).body.code).toBe('credential_unknown')
    await people.admin.ask('PATCH', path, { role: 'finance' })
  })

  test('an auditor reads every page, and no secret on any of them', async () => {
    const { account, ask } = await control.account({ balance: '1' })
    const planted = {
      credential: 'planted-credential-0123456789',
      header: 'planted-header-0123456789',
      proxy: 'planted-proxy-0123456789',
    }
    const upstream = await people.admin.ask('POST', '/api/upstreams', {
      name: 'secretive',
      protocol: 'openai',
      base_url: 'https://api.example.test/v1',
      credential: planted.credential,
      headers: { 'x-own': planted.header },
      proxy_url: `http://user:${planted.proxy}@proxy.example.test:8080`,
    })
    expect(upstream.status, upstream.text).toBe(201)
    const key = await ask('POST', '/api/keys', { name: 'secret', group: 'default' })
    const codes = await people.admin.ask('POST', '/api/redeem-codes', { amount: '1' })
    const invitation = await people.admin.ask('POST', '/api/invitations', {})
    const secrets = [...Object.values(planted), key.body.secret, codes.body.codes[0], invitation.body.url.split('#')[1]]
    const ids: Readonly<Record<string, string>> = {
      accounts: account.id,
      keys: key.body.key.id,
      upstreams: upstream.body.id,
    }
    const reading = ROUTES.filter(({ method, who }) => method === 'get' && who !== 'anyone')
    let read = 0
    for (const { path } of reading) {
      const filled = path.replace('{id}', ids[path.split('/')[2] ?? ''] ?? 'none')
      const answers = [filled, `${filled}?account_id=*`, `${filled}?account_id=${account.id}`]
      for (const wanted of answers) {
        const { status, text } = await people.auditor.ask('GET', wanted)
        if (status === 200) read += 1
        for (const secret of secrets) expect(text.includes(secret as string), wanted).toBe(false)
      }
    }
    expect(read).toBeGreaterThan(reading.length / 2)
  })
})
