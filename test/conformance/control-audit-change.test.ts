import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import type { Expectation } from './control-expectation.ts'
import { EXPECTATIONS } from './control-expectations.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'
import { someInSuite } from '../support/run/suite.ts'
import { contentsOf, withoutRoomIn } from './table-contents.ts'

/** What stays of a refused request: the note of a try, and the name of an answer that was to be repeated. */
const NOTES = ['guesses', 'idempotency_keys', 'idempotency_actors']
/** Routes that change nothing of what the audit is about. */
const UNAUDITED = [
  'POST /api/keys/{id}/test',
  'POST /api/keys/bulk',
  // A request with a key, which is in the usage records.
  'POST /api/keys/{id}/message',
  // It reads.
  'POST /api/diagnose',
  'POST /api/alerts/preview',
  'POST /api/alerts/test',
  'POST /api/prices/calculate',
  // What people have read is not for admins to see.
  'POST /api/announcements/{id}/dismiss',
  'POST /api/auth/password/forgot',
  'POST /api/auth/email/send',
  'POST /api/auth/invitation/preview',
  // What is started is neither on nor of use until it is finished.
  'POST /api/auth/totp/start',
]

/** Every route that changes something, with a database that takes no audit entry, and with one that takes nothing else. */
describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let control: ControlUnderTest
  let owner: Asker & { account: Account }
  let admin: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    owner = await control.account({ via: 'write', balance: '10' })
    admin = await control.account({ via: 'write', role: 'admin' })
  })
  afterAll(() => control.close())

  const writing = Object.entries(EXPECTATIONS).filter(
    ([route, { statuses }]) => !route.startsWith('GET ') && Math.min(statuses.owner, statuses.admin) < 300,
  )

  test.for(someInSuite(writing, 3))('%s is made with its audit entry or not at all', async ([route, expectation]) => {
    const asking = await prepared(expectation)
    const before = await contentsOf(control.place, NOTES)
    await withoutRoomIn(control.place, 'audit_entries', async () => {
      const answer = await asking(route)
      expect(answer.status, answer.text).toBe(UNAUDITED.includes(route) ? leastOf(expectation) : 500)
    })
    if (!UNAUDITED.includes(route)) expect(await contentsOf(control.place, NOTES)).toEqual(before)
    // Where gateways have to hear of it, the entry is undone with the change.
    await withoutRoomIn(control.place, 'changes', async () => {
      const answer = await asking(route)
      if (answer.status !== 500) return
      expect(await contentsOf(control.place, NOTES)).toEqual(before)
    })
  })

  test('a change that could not be written down works once it can be', async () => {
    const name = { name: 'after a fault' }
    await withoutRoomIn(control.place, 'audit_entries', async () =>
      expect((await owner.ask('PATCH', '/api/me', name)).status).toBe(500),
    )
    expect((await owner.ask('PATCH', '/api/me', name)).body.name).toBe('after a fault')
    const { body } = await admin.ask('GET', `/api/audit?action=account.profile&subject=${owner.account.id}`)
    const names = (body.data as { changes: { name?: { after: string } } }[]).map(({ changes }) => changes.name?.after)
    expect(names.filter((after) => after === name.name)).toHaveLength(1)
  })

  async function prepared({ make, body, query, statuses }: Expectation) {
    const made = (await make?.({ control, owner, admin })) ?? {}
    const { account } = statuses.owner < 300 ? owner : admin
    const asker = await control.as(account, 'session')
    return (route: string) => {
      const [method = '', path = ''] = route.split(' ')
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '')
      const sent = typeof body === 'function' ? body(made, control.clock.now()) : body
      return asker.ask(method, query === undefined ? filled : `${filled}?${query(made)}`, sent)
    }
  }
})

function leastOf({ statuses }: Expectation): number {
  return Math.min(statuses.owner, statuses.admin)
}
