import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { type Answer, type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import type { Expectation } from './control-expectation.ts'
import { EXPECTATIONS } from './control-expectations.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const PATCHES = ROUTES.filter(({ method }) => method === 'patch').map(({ path }) => `PATCH ${path}`)

/** Every PATCH of the console API, by what its line in the table of expectations makes and sends. */
describe.each(ENGINES_ABOVE_STORES)('edits that collide, on %s', (engine) => {
  let control: ControlUnderTest
  let owner: Asker & { account: Account }
  let admin: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    owner = await control.account({ balance: '10' })
    admin = await control.account({ role: 'admin' })
  })
  afterAll(() => control.close())

  test.for(PATCHES)('%s is refused where another version stands, with both, and changes nothing', async (route) => {
    const { path, body } = await prepared(route)
    const refused = await admin.ask('PATCH', path, body, { 'if-match': '"read-before-that"' })
    expect(refused, refused.text).toMatchObject({ status: 412, body: { code: 'version_mismatch' } })
    const standing = refused.body.version as string
    expect(refused.headers.get('etag')).toBe(`"${standing}"`)
    expect(refused.body.differences.length).toBeGreaterThan(0)
    for (const { field, current, yours } of refused.body.differences as Difference[]) {
      expect(fieldsOf(body), field).toContain(field)
      expect(current).not.toEqual(yours)
    }
    const again = await admin.ask('PATCH', path, body, { 'if-match': '"read-before-that"' })
    expect(again.body.version, 'the refusal changed something').toBe(standing)

    const kept = await admin.ask('PATCH', path, body, { 'if-match': `"${standing}"` })
    expect(kept.status, kept.text).toBe(200)
    expect(kept.body.version).not.toBe(standing)
    expect(kept.headers.get('etag')).toBe(`"${kept.body.version}"`)
    for (const { field, yours } of refused.body.differences as Difference[]) {
      if (field in kept.body) expect(kept.body[field], field).toEqual(yours)
    }
    expect((await admin.ask('PATCH', path, body)).status, 'without the header').toBe(200)
  })

  test.for(PATCHES)('%s has the version that reading gives, until something else is set', async (route) => {
    const { path, body } = await prepared(route)
    const read = await admin.ask('GET', path)
    // Some are read in lists alone.
    const list = read.status === 404 || read.status === 405 ? await listOf(path) : null
    const version = list?.version ?? (read.body.version as string)
    if (list === null) expect(read.headers.get('etag')).toBe(`"${version}"`)
    const changed = await admin.ask('PATCH', path, body, { 'if-match': `"${version}"` })
    expect(changed.status, changed.text).toBe(200)
    expect((await admin.ask('PATCH', path, body, { 'if-match': `"${version}"` })).status).toBe(412)
  })

  test('a secret that is replaced makes another version, and is in no refusal', async () => {
    const made = await admin.ask('POST', '/api/upstreams', {
      name: 'sealed',
      protocol: 'openai',
      base_url: 'https://api.example.test/v1',
      credential: 'first-secret-of-the-provider',
      headers: { 'x-own': 'first-header-value' },
    })
    const path = `/api/upstreams/${made.body.id}`
    const versions = [made.body.version]
    for (const body of [{ credential: 'second-secret' }, { headers: { 'x-own': 'second-header-value' } }]) {
      versions.push((await admin.ask('PATCH', path, body)).body.version)
    }
    expect(new Set(versions).size).toBe(3)
    const body = { credential: 'third-secret', headers: { 'x-own': 'third-header-value' }, timeout_ms: 9_000 }
    const refused = await admin.ask('PATCH', path, body, { 'if-match': `"${made.body.version}"` })
    expect(refused.body.differences).toEqual([{ field: 'timeout_ms', current: null, yours: 9_000 }])
    expect(refused.text).not.toMatch(/secret-of|third-|second-|header-value/)
  })

  test('of two admins who save at one moment, one is refused', async () => {
    const made = await admin.ask('POST', '/api/groups', { name: 'contended' })
    const path = `/api/groups/${made.body.id}`
    const save = (multiplier: string) =>
      admin.ask('PATCH', path, { multiplier }, { 'if-match': `"${made.body.version}"` })
    const answers = await Promise.all([save('2'), save('3')])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
    const [won, lost] = answers[0].status === 200 ? answers : [answers[1], answers[0]]
    expect(lost.body.differences).toMatchObject([{ field: 'multiplier', current: won.body.multiplier }])
  })

  interface Difference {
    readonly field: string
    readonly current: unknown
    readonly yours: unknown
  }

  /** What is made anew for each edit, so that it differs from what is sent. */
  async function prepared(route: string): Promise<{ path: string; body: object }> {
    const expectation: Expectation | undefined = EXPECTATIONS[route]
    if (expectation === undefined) throw new Error(`${route} is not in the table of expectations`)
    const made = (await expectation.make?.({ control, owner, admin })) ?? {}
    const { body } = expectation
    const sent = typeof body === 'function' ? body(made, control.clock.now()) : body
    const path = route.slice('PATCH '.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '')
    // The only ones of their kind are as the test before left them.
    if (route === 'PATCH /api/me') return { path, body: { name: `Ada ${++times}` } }
    if (route === 'PATCH /api/settings') return { path, body: { site_name: `Walked ${++times}` } }
    if (route === 'PATCH /api/payment-settings') return { path, body: { smallest: `${++times}` } }
    return { path, body: sent as object }
  }

  let times = 0

  async function listOf(path: string): Promise<{ readonly version: string }> {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    const { body }: Answer = await admin.ask('GET', `${parts.join('/')}?which=all&limit=200`)
    const plain: Answer = body?.data === undefined ? await admin.ask('GET', parts.join('/')) : { ...NONE, body }
    const rows = plain.body.data as { id?: string; name?: string; version: string }[]
    const row = rows.find((each) => each.id === name || each.name === name)
    if (row === undefined) throw new Error(`${path} is in no list`)
    return row
  }
})

const NONE: Answer = { status: 200, headers: new Headers(), text: '', body: null }

function fieldsOf(body: object): readonly string[] {
  return Object.keys(body)
}
