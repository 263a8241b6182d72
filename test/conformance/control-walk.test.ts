import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Answer, type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import type { Expectation } from './control-expectation.ts'
import { EXPECTATIONS, type Walker } from './control-expectations.ts'

/**
 * Every route of the OpenAPI document, called anonymously, as another account, as the owner, as an admin and with the admin
 * token. A route that the table of expectations does not know fails, and so does a line that no route has any more.
 */
describe('every route of the console API', () => {
  let control: ControlUnderTest
  let documented: readonly string[]
  let owner: Asker & { account: Account }
  let admin: Asker
  let accounts: Readonly<Record<Exclude<Walker, 'anonymous' | 'adminToken'>, Account>>

  beforeAll(async () => {
    control = await controlUnderTest()
    await control.group('default')
    // What the walkers find is made with access tokens: some routes end all sessions of who asks.
    const byToken = { via: 'write' } as const
    owner = await control.account({ ...byToken, balance: '10' })
    const [other, anAdmin] = [await control.account(byToken), await control.account({ ...byToken, role: 'admin' })]
    admin = anAdmin
    accounts = { other: other.account, owner: owner.account, admin: anAdmin.account }
    const { body } = await control.anonymous.ask('GET', '/api/openapi.json')
    documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  })
  afterAll(() => control.close())

  test('has its line in the table, and every line its route', () => {
    expect(documented.length).toBeGreaterThan(20)
    expect([...documented].sort()).toEqual(Object.keys(EXPECTATIONS).sort())
  })

  test.for(Object.entries(EXPECTATIONS))('%s', async ([route, expectation]) => {
    const answers = await walk(route, expectation)
    const statuses = Object.fromEntries(Object.entries(answers).map(([walker, { status }]) => [walker, status]))
    expect(statuses, explained(answers)).toEqual(expectation.statuses)
    for (const answer of Object.values(answers)) requireSound(answer)
    const { anonymous } = answers
    if (expectation.statuses.anonymous === 401) expect(anonymous.body.code).toBe('credential_missing')
  })

  /** Each walker finds the place as it was before: whatever is asked for is made anew for each of them. */
  async function walk(route: string, expectation: Expectation): Promise<Readonly<Record<Walker, Answer>>> {
    const answers = {} as Record<Walker, Answer>
    const [method = '', path = ''] = route.split(' ')
    for (const walker of ['anonymous', 'other', 'owner', 'admin', 'adminToken'] as const) {
      const asker = walker === 'anonymous' || walker === 'adminToken' ? control[walker] : await signedIn(walker)
      const made = (await expectation.make?.({ control, owner, admin })) ?? {}
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? `no-${name}`)
      const body =
        typeof expectation.body === 'function' ? expectation.body(made, control.clock.now()) : expectation.body
      const query = expectation.query === undefined ? '' : `?${expectation.query(made)}`
      answers[walker] = await asker.ask(method, filled + query, body)
    }
    return answers
  }

  function signedIn(walker: keyof typeof accounts): Promise<Asker> {
    return control.as(accounts[walker], 'session')
  }

  function requireSound({ status, headers, body, text }: Answer): void {
    expect(status, text).toBeLessThan(500)
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    if (status < 400) return
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toMatchObject({ status, code: expect.any(String), detail: expect.stringMatching(/\.$/) })
  }

  function explained(answers: Readonly<Record<Walker, Answer>>): string {
    return Object.entries(answers)
      .map(([walker, { status, text }]) => `${walker}: ${status} ${text.slice(0, 200)}`)
      .join('\n')
  }
})
