import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { Right } from '../../src/core/roles.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { EXPECTATIONS } from './control-expectations.ts'

/** What takes a right and changes nothing of ours, though its method is POST. */
const READING = [
  'POST /api/prices/calculate',
  'POST /api/prices/fetch',
  'POST /api/alerts/preview',
  'POST /api/alerts/test',
  'POST /api/upstreams/probe',
  'POST /api/upstreams/{id}/test',
  'POST /api/upstreams/{id}/test-request',
  'POST /api/upstreams/{id}/models',
]

interface Entry {
  readonly id: string
  readonly actor: string
  readonly via: string
  readonly address: string
  readonly action: string
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
}

/** Whether each is written with its change or not at all is for control-audit-change.test.ts. */
describe('what the audit says of every change that takes a role', () => {
  let control: ControlUnderTest
  let owner: Asker & { account: Account }
  let admin: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest()
    await control.group('default')
    owner = await control.account({ balance: '10' })
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  const writing = ROUTES.filter(({ method, who }) => method !== 'get' && isRight(who))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    .filter((route) => !READING.includes(route))

  test.for(writing)('%s: by whom, from where, and what it was before and after', async (route) => {
    const expectation = EXPECTATIONS[route]
    if (expectation === undefined) throw new Error(`${route} is not in the table of expectations`)
    const made = (await expectation.make?.({ control, owner, admin })) ?? {}
    const { body, query } = expectation
    const [method = '', path = ''] = route.split(' ')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '')
    const sent = typeof body === 'function' ? body(made, control.clock.now()) : body
    const before = new Set((await newest()).map(({ id }) => id))
    const answer = await admin.ask(method, query === undefined ? filled : `${filled}?${query(made)}`, sent)
    expect(answer.status, answer.text).toBe(expectation.statuses.admin)
    const entries = (await newest()).filter(({ id }) => !before.has(id))
    expect(entries.length).toBeGreaterThan(0)
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor: admin.account.id, via: 'session', address: '127.0.0.1' })
      for (const [field, change] of Object.entries(entry.changes)) {
        expect(change, field).toHaveProperty('before')
        expect(change, field).toHaveProperty('after')
      }
    }
    if (method !== 'PATCH') return
    const differing = entries
      .flatMap(({ changes }) => Object.values(changes))
      .filter((each) => each.before !== each.after)
    expect(differing.length, 'an edit without what it changed').toBeGreaterThan(0)
  })

  async function newest(): Promise<readonly Entry[]> {
    return (await control.adminToken.ask('GET', '/api/audit?limit=200')).body.data as readonly Entry[]
  }
})

function isRight(who: string): who is Right {
  return who !== 'anyone' && who !== 'account'
}
