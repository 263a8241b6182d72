import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { isSeen } from '../../src/control/api/see-as.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { EXPECTATIONS } from './control-expectations.ts'

const HEADER = 'x-tollgate-see-as'
type Person = Asker & { readonly account: Account }

describe('an admin who sees an account as its owner does', () => {
  let control: ControlUnderTest
  let owner: Person
  let other: Person
  let admin: Person
  let keyId: string
  beforeAll(async () => {
    control = await controlUnderTest()
    await control.group('default')
    owner = await control.account({ balance: '10' })
    other = await control.account()
    admin = await control.account({ role: 'admin' })
    keyId = (await owner.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })).body.key.id
  })
  afterAll(() => control.close())

  async function grantOf(asker: Asker = admin, account = owner.account): Promise<string> {
    const begun = await asker.ask('POST', `/api/accounts/${account.id}/see-as`, { reason: 'your question' })
    expect(begun.status, begun.text).toBe(201)
    return begun.body.grant
  }

  const seen = ROUTES.filter(isSeen)
  test.for(seen.map(({ path }) => path))('GET %s answers as it answers the owner', async (path) => {
    const filled = path.replace('{id}', path.startsWith('/api/keys') ? keyId : 'none')
    const query = path === '/api/usage/first-steps' ? '?since=2026-01-01T00:00:00Z' : ''
    const headers = { [HEADER]: await grantOf() }
    const asOwner = await owner.ask('GET', filled + query)
    const asSeen = await admin.ask('GET', filled + query, undefined, headers)
    expect(asSeen.status).toBe(asOwner.status)
    expect(withoutTimes(asSeen.body)).toEqual(withoutTimes(asOwner.body))
  })

  const refused = Object.keys(EXPECTATIONS).filter((line) => {
    const route = ROUTES.find(({ method, path }) => `${method.toUpperCase()} ${path}` === line)
    return route !== undefined && route.who !== 'anyone' && !isSeen(route)
  })
  test.for(refused)('%s is refused', async (line) => {
    const [method = '', path = ''] = line.split(' ')
    const filled = path.replace('{id}', path.startsWith('/api/keys') ? keyId : owner.account.id)
    const answer = await admin.ask(method, filled, method === 'GET' ? undefined : {}, { [HEADER]: await grantOf() })
    expect(answer).toMatchObject({ status: 403, body: { code: 'see_as_read_only' } })
  })

  test('how the owner signs in, tokens and what is of the installation are not among what is seen', () => {
    const paths = seen.map(({ path }) => path)
    expect(paths.filter((path) => /auth|tokens|accounts|audit|settings|upstreams|explore/.test(path))).toEqual([])
    expect(paths).toContain('/api/keys')
    expect(refused.length).toBeGreaterThan(80)
  })

  test('what is of a third account is not reached, though the admin could', async () => {
    const headers = { [HEADER]: await grantOf() }
    for (const wanted of ['*', other.account.id]) {
      const answer = await admin.ask('GET', `/api/keys?account_id=${wanted}`, undefined, headers)
      expect(answer.body.code).toBe('role_insufficient')
    }
    expect((await admin.ask('GET', '/api/keys?account_id=*')).status).toBe(200)
  })

  test('a grant holds for its session, its account and its time alone', async () => {
    const grant = await grantOf()
    const code = async (asker: Asker, value: string) =>
      (await asker.ask('GET', '/api/me', undefined, { [HEADER]: value })).body.code
    const another = await control.as(admin.account, 'session')
    const auditor = await control.account({ role: 'auditor' })
    const byToken = await control.as(admin.account, 'write')
    for (const asker of [another, other, auditor, byToken, control.adminToken]) {
      expect(await code(asker, grant)).toBe('see_as_ended')
    }
    for (const value of ['', 'x', `${grant}x`, grant.slice(0, -1)])
      expect(await code(admin, value)).toBe('see_as_ended')
    expect(await code(admin, grant)).toBeUndefined()
    control.clock.advance(30 * 60_000)
    expect(await code(admin, grant)).toBe('see_as_ended')
  })

  test('an account of staff is not seen so, nor one that became such meanwhile', async () => {
    const someone = await control.account()
    const auditor = await control.account({ role: 'auditor' })
    const path = `/api/accounts/${auditor.account.id}/see-as`
    expect((await admin.ask('POST', path, { reason: 'x' })).body.code).toBe('conflict')
    const headers = { [HEADER]: await grantOf(admin, someone.account) }
    expect((await admin.ask('GET', '/api/me', undefined, headers)).body.id).toBe(someone.account.id)
    await admin.ask('PATCH', `/api/accounts/${someone.account.id}`, { role: 'finance' })
    expect((await admin.ask('GET', '/api/me', undefined, headers)).body.code).toBe('see_as_ended')
  })

  test('an admin who is one no more sees nothing by it', async () => {
    const second = await control.account({ role: 'admin' })
    const headers = { [HEADER]: await grantOf(second) }
    await admin.ask('PATCH', `/api/accounts/${second.account.id}`, { role: 'auditor' })
    expect((await second.ask('GET', '/api/me', undefined, headers)).body.code).toBe('see_as_ended')
  })

  test('beginning and ending are in the audit, and the owner reads when and why', async () => {
    const someone = await control.account()
    const path = `/api/accounts/${someone.account.id}/see-as`
    expect((await admin.ask('POST', path, { reason: '  ' })).status).toBe(422)
    await admin.ask('POST', path, { reason: 'the charge of 3 May' })
    control.clock.advance(1_000)
    expect((await admin.ask('DELETE', path)).status).toBe(204)
    const { body } = await admin.ask('GET', `/api/audit?subject=${someone.account.id}`)
    expect(body.data).toMatchObject([
      { action: 'account.see_as_end', actor: admin.account.id },
      { action: 'account.see_as', actor: admin.account.id, changes: { reason: { after: 'the charge of 3 May' } } },
    ])
    const { body: visits } = await someone.ask('GET', '/api/me/visits')
    expect(visits.data).toEqual([expect.objectContaining({ reason: 'the charge of 3 May' })])
    expect(JSON.stringify(visits)).not.toContain(admin.account.id)
    expect((await other.ask('GET', '/api/me/visits')).body.data).toEqual([])
  })
})

/** Two answers of one moment and the next: the time at which each was given, and whose session asked, differ. */
function withoutTimes(body: unknown): unknown {
  const mask = (name: string, value: unknown): unknown =>
    /^(as_of|signed_in_at|from|to|request_id|instance|mark|marked_text)$/.test(name) ? null : value
  return typeof body === 'string' ? body : JSON.parse(JSON.stringify(body, mask))
}
