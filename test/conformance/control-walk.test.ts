import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import type { ApiRoute } from '../../src/control/api/route.ts'
import { rightsOf } from '../../src/core/roles.ts'
import type { Account } from '../../src/access/account.ts'
import { type Answer, type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import type { Expectation } from './control-expectation.ts'
import { EXPECTATIONS, type Walker } from './control-expectations.ts'
import { inSuite, someInSuite } from '../support/run/suite.ts'

const STAFF = ['auditor', 'operator', 'finance'] as const
const WALKERS: readonly Walker[] = ['anonymous', 'other', 'owner', 'admin', 'adminToken']

/** Who walks a route: all, or in the short suite one who may not, and one who may, in turn. */
function walkersOf(route: string): readonly Walker[] {
  const place = Object.keys(EXPECTATIONS).indexOf(route)
  const short = [
    place % 2 === 0 ? 'anonymous' : 'other',
    (['owner', 'admin', 'adminToken'] as const)[place % 3] ?? 'owner',
  ] as const
  return inSuite({ long: WALKERS, short })
}

/**
 * Every route of the OpenAPI document, called anonymously, as another account, as the owner, as an admin and with the admin
 * token. A route that the table of expectations does not know fails, and so does a line that no route has any more.
 */
describe('every route of the console API', () => {
  let control: ControlUnderTest
  let documented: readonly string[]
  let owner: Asker & { account: Account }
  let admin: Asker
  let staff: Readonly<Record<(typeof STAFF)[number], Account>>
  let accounts: Readonly<Record<Exclude<Walker, 'anonymous' | 'adminToken'>, Account>>

  beforeAll(async () => {
    control = await controlUnderTest()
    await control.group('default')
    // What the walkers find is made with access tokens: some routes end all sessions of who asks.
    const byToken = { via: 'write' } as const
    owner = await control.account({ ...byToken, balance: '10' })
    const [other, anAdmin] = [await control.account(byToken), await control.account({ ...byToken, role: 'admin' })]
    admin = anAdmin
    staff = {
      auditor: (await control.account({ ...byToken, role: 'auditor' })).account,
      operator: (await control.account({ ...byToken, role: 'operator' })).account,
      finance: (await control.account({ ...byToken, role: 'finance' })).account,
    }
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
    const expected = walkersOf(route).map((walker) => [walker, expectation.statuses[walker]])
    expect(statuses, explained(answers)).toEqual(Object.fromEntries(expected))
    for (const answer of Object.values(answers)) requireSound(answer)
    const { anonymous } = answers
    if (anonymous?.status === 401) expect(anonymous.body.code).toBe('credential_missing')
  })

  const notTheirs = Object.entries(EXPECTATIONS).filter(
    ([route, { statuses, make }]) => route.includes('{') && statuses.other === 404 && make !== undefined,
  )
  test.for(someInSuite(notTheirs, 2))(
    '%s answers of what belongs to others as of what is not there',
    async ([route, expectation]) => {
      const other = await signedIn('other')
      const [theirs, nothing] = [
        await asked(route, expectation, other),
        await asked(route, { ...expectation, named: invented }, other),
      ]
      const plain = ({ body }: Answer) => ({ ...body, instance: null, request_id: null })
      expect(plain(theirs)).toEqual(plain(nothing))
      expect(theirs.status).toBe(nothing.status)
    },
  )

  const asRole = Object.entries(EXPECTATIONS)
    .filter(([route]) => routeOf(route).who !== 'anyone')
    .flatMap(([route, expectation]) => STAFF.map((role) => ({ route, role, expectation })))
  // In the short suite every tenth, which is each role in turn: control-roles.test.ts has what the roles differ in.
  const some = asRole.filter((_, at) => at % 10 === 0)
  test.for(inSuite({ long: asRole, short: some }))('$route as $role', async ({ route, role, expectation }) => {
    const { who, limits } = routeOf(route)
    const { other, admin: asAdmin } = expectation.statuses
    const isOpen = who === 'anyone' || who === 'account'
    // Of what belongs to others, a role of staff reads what admins read, and changes nothing.
    const reached = isOpen ? limits.isReadOnly : rightsOf(role).includes(who)
    const answer = await asked(route, expectation, await control.as(staff[role], 'session'))
    expect(answer.status, answer.text).toBe(reached ? asAdmin : isOpen ? other : 403)
    if (!isOpen && !reached) expect(answer.body.code).toBe(who === 'admin' ? 'admin_needed' : 'role_insufficient')
  })

  /** Each walker finds the place as it was before: whatever is asked for is made anew for each of them. */
  async function walk(route: string, expectation: Expectation): Promise<Partial<Record<Walker, Answer>>> {
    const answers: Partial<Record<Walker, Answer>> = {}
    for (const walker of walkersOf(route)) {
      const asker = walker === 'anonymous' || walker === 'adminToken' ? control[walker] : await signedIn(walker)
      answers[walker] = await asked(route, expectation, asker)
    }
    return answers
  }

  /** `named`: the name by which what was made is asked for. */
  async function asked(
    route: string,
    how: Expectation & { named?(id: string): string },
    asker: Asker,
  ): Promise<Answer> {
    const { make, body, query, named = (id: string) => id } = how
    const [method = '', path = ''] = route.split(' ')
    const made = (await make?.({ control, owner, admin })) ?? {}
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named(made[name] ?? `no-${name}`))
    const sent = typeof body === 'function' ? body(made, control.clock.now()) : body
    return asker.ask(method, query === undefined ? filled : `${filled}?${query(made)}`, sent)
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

  function explained(answers: Partial<Record<Walker, Answer>>): string {
    return Object.entries(answers)
      .map(([walker, { status, text }]) => `${walker}: ${status} ${text.slice(0, 200)}`)
      .join('\n')
  }
})

/** An id of the same form that nothing has. */
function invented(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
}

function routeOf(written: string): ApiRoute {
  const found = ROUTES.find(({ method, path }) => `${method.toUpperCase()} ${path}` === written)
  if (found === undefined) throw new Error(`${written} is not among the routes`)
  return found
}
