import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { EXPECTATIONS } from './control-expectations.ts'

const READINGS = Object.entries(EXPECTATIONS).filter(([route]) => route.startsWith('GET '))

/** Each route with its parameters and query filled in. */
const paths = new Map<string, string>()
let control: ControlUnderTest
let asAdmin: () => Asker
let asOwner: () => Asker
let ended: Asker

beforeAll(async () => {
  control = await controlUnderTest()
  await control.group('default')
  const owner = await control.account({ via: 'write', balance: '10' })
  const admin = await control.account({ via: 'write', role: 'admin' })
  for (const [route, { make, query }] of READINGS) {
    const made = (await make?.({ control, owner, admin })) ?? {}
    const path = route.slice('GET '.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? `no-${name}`)
    paths.set(route, query === undefined ? path : `${path}?${query(made)}`)
  }
  const signedIn = await control.as(admin.account, 'session')
  ended = await control.as(owner.account, 'session')
  await control.place.sql(`update sessions set expires_at = 1 where account_id = '${owner.account.id}'`)
  // A token that was not used yet: its first use is noted.
  const tokens = await Promise.all(READINGS.map(() => control.as(owner.account, 'read')))
  asAdmin = () => signedIn
  asOwner = () => tokens.pop() ?? owner
  await allowToWrite(false)
})

afterAll(async () => {
  await allowToWrite(true)
  await control.close()
})

test('nothing can be written any more', async () => {
  const answer = await asAdmin().ask('POST', '/api/groups', { name: 'one more' })
  expect([answer.status, answer.body.code], answer.text).toEqual([503, 'store_unavailable'])
})

test.for(READINGS)('%s is answered as ever on a disk that takes nothing', async ([route, { statuses }]) => {
  const path = paths.get(route) ?? ''
  const [toAdmin, toOwner] = [await asAdmin().ask('GET', path), await asOwner().ask('GET', path)]
  expect(toAdmin.status, toAdmin.text).toBe(statuses.admin)
  // What only sessions may read is refused to a token; nothing of it fails.
  expect(toOwner.status < 500, toOwner.text).toBe(true)
})

test('a session that is over is none, though it cannot be deleted', async () => {
  const answer = await ended.ask('GET', '/api/me')
  expect([answer.status, answer.body.code], answer.text).toEqual([401, 'credential_missing'])
})

/** The kernel lets this process write no byte to any file, which is what the disk of a database does that has no room left. */
async function allowToWrite(isAllowed: boolean): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(process.pid), `--fsize=${isAllowed ? 'unlimited' : '0'}:`])
}
