import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declarationSchema } from '../../src/app/declarative/schema.ts'
import { type AuditDesk, auditDesk } from './audit-desk.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'
import { withoutRoomIn } from './table-contents.ts'

/** What files of one section say one after the other, and the entries that each leaves: one for each object that is changed. */
type Steps = readonly { readonly file: string; readonly entries: Readonly<Record<string, object>> }[]

const MANAGED_BEGINS = { managed: { before: false, after: true } }
const MANAGED_ENDS = { managed: { before: true, after: false } }
const MAIN = '{ name: main, protocol: openai, base_url: https://api.example.test/v1'

/** Steps by the sections of the file. */
const WALK: Readonly<Record<string, Steps>> = {
  upstreams: [
    {
      file: `upstreams: [${MAIN}, credential: sk-one, headers: { x-team: of-a-header } }]`,
      entries: {
        'upstream.create': { name: { before: null, after: 'main' }, headers: { before: null, after: ['x-team'] } },
      },
    },
    {
      file: `upstreams: [${MAIN}, timeout_ms: 5000, credentials: [{ name: default, secret: sk-two }] }]`,
      entries: {
        'upstream.update': {
          timeout_ms: { before: null, after: 5000 },
          credential: { before: null, after: 'replaced' },
        },
      },
    },
    {
      file: `upstreams: [${MAIN}, timeout_ms: 5000, credentials: [{ name: default, secret: sk-two, disabled: true }] }]`,
      entries: { 'upstream.credential': { disabled: { before: false, after: true } } },
    },
    { file: '{}', entries: { 'upstream.update': MANAGED_ENDS } },
  ],
  models: [
    {
      file: 'models: [{ name: gpt, price: { input: "2.50", output: "10" }, targets: [{ upstream: main }] }]',
      entries: { 'model.create': { name: { before: null, after: 'gpt' } } },
    },
    {
      file: 'models: [{ name: gpt, price: { input: "3", output: "10" }, targets: [{ upstream: main }] }]',
      entries: { 'model.update': { price: { before: expect.anything(), after: expect.anything() } } },
    },
    { file: '{}', entries: { 'model.update': MANAGED_ENDS } },
  ],
  groups: [
    {
      file: 'groups: [{ name: pro, multiplier: "0.8", models: ["*"] }]',
      entries: { 'group.create': { multiplier: { before: null, after: '0.8' } } },
    },
    {
      file: 'groups: [{ name: pro, multiplier: "0.9", models: ["*"] }]',
      entries: { 'group.update': { multiplier: { before: '0.8', after: '0.9' } } },
    },
    { file: '{}', entries: { 'group.update': MANAGED_ENDS } },
    { file: 'groups: [{ name: pro, multiplier: "0.9", models: ["*"] }]', entries: { 'group.update': MANAGED_BEGINS } },
    { file: '{}', entries: { 'group.update': MANAGED_ENDS } },
  ],
  plans: [
    {
      file: 'plans: [{ name: month, groups: [pro], days: 30, price: "20" }]',
      entries: { 'plan.create': { price: { before: null, after: '20' } } },
    },
    {
      file: 'plans: [{ name: month, groups: [pro], days: 31, price: "20" }]',
      entries: { 'plan.update': { days: { before: 30, after: 31 } } },
    },
    { file: '{}', entries: { 'plan.update': MANAGED_ENDS } },
  ],
  accounts: [
    {
      file: 'accounts: [{ email: eve@example.test, role: user }]',
      entries: { 'account.create': { role: { before: null, after: 'user' } } },
    },
    {
      file: 'accounts: [{ email: eve@example.test, role: admin, password: correct horse battery }]',
      entries: {
        'account.update': { role: { before: 'user', after: 'admin' }, password: { before: null, after: 'replaced' } },
      },
    },
    {
      file: 'accounts: [{ email: eve@example.test, role: admin, password: correct horse battery, balance: "7" }]',
      entries: { 'ledger.post': { amount: { before: null, after: '7' }, balance: { before: '0', after: '7' } } },
    },
    {
      file: 'accounts: [{ email: eve@example.test, role: admin, balance: "7", subscription: month }]',
      entries: { 'subscription.open': { plan: { before: null, after: 'month' } } },
    },
    { file: '{}', entries: { 'account.update': MANAGED_ENDS } },
  ],
  keys: [
    {
      file: key('eve-laptop-2f9c61d07b3e'),
      entries: { 'key.create': { custom_key: { before: null, after: true } } },
    },
    {
      file: key('eve-laptop-2f9c61d07b3e', ', status: disabled, tags: [ci]'),
      entries: {
        'key.update': {
          status: { before: 'active', after: 'disabled' },
          tags: { before: [], after: ['ci'] },
        },
      },
    },
    {
      file: key('eve-laptop-93ab07b3e2f1'),
      entries: {
        'key.create': { custom_key: { before: null, after: true } },
        'key.disable': MANAGED_ENDS,
      },
    },
    { file: '{}', entries: { 'key.update': MANAGED_ENDS } },
  ],
  settings: [
    {
      file: 'settings: { site_name: Models, account_limits: { max_keys: 5 } }',
      entries: {
        'settings.update': {
          site_name: { before: 'Tollgate', after: 'Models' },
          account_limits: { before: null, after: { max_keys: 5 } },
          managed: { before: [], after: ['account_limits', 'site_name'] },
        },
      },
    },
    { file: '{}', entries: { 'settings.update': { managed: { before: ['account_limits', 'site_name'], after: [] } } } },
  ],
}

/** What no entry may have in it. */
const SECRETS = ['sk-one', 'sk-two', 'of-a-header', 'correct horse', 'eve-laptop']

function key(secret: string, more = ''): string {
  return `keys: [{ account: eve@example.test, name: laptop, group: pro, custom_key: ${secret}${more} }]`
}

test('the walk has every section of the file', () => {
  expect(Object.keys(WALK).toSorted()).toEqual(Object.keys(declarationSchema.shape).toSorted())
})

describe.each(ENGINES_ABOVE_STORES)('on %s', (engine) => {
  let desk: AuditDesk
  let folder = ''
  beforeAll(async () => {
    desk = await auditDesk(engine)
    folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-file-'))
    await apply('{}')
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    await desk.place.leave()
  })

  /** Applies a file as it is written. */
  async function apply(text: string, ...flags: string[]) {
    const path = join(folder, 'tollgate.yaml')
    await writeFile(path, text)
    return desk.run(['apply', path, ...flags])
  }

  const steps = Object.entries(WALK).flatMap(([section, each]) =>
    each.map((step, i) => [`${section}, step ${i + 1}`, step] as const),
  )

  test.for(steps)('%s: each object has its entry in the transaction of its change', async ([, { file, entries }]) => {
    const before = await desk.administered()
    expect(await desk.entriesOf(async () => void (await apply(file, '--dry-run')))).toEqual([])
    await withoutRoomIn(desk.place, 'audit_entries', async () => {
      expect(await apply(file)).toMatchObject({ code: 1, remarked: expect.stringContaining('no room') })
    })
    expect(await desk.administered()).toEqual(before)
    const written = await desk.entriesOf(async () => {
      const ran = await apply(file)
      expect(ran, ran.remarked).toMatchObject({ code: 0 })
    })
    expect(written.map(({ action }) => action)).toEqual(Object.keys(entries))
    for (const entry of written) {
      expect(entry).toMatchObject({ actor: 'file', via: 'file', address: '', changes: entries[entry.action] })
    }
    for (const secret of SECRETS) expect(JSON.stringify(written)).not.toContain(secret)
    const after = await desk.administered()
    expect(after).not.toEqual(before)
    expect(await desk.entriesOf(async () => void (await apply(file)))).toEqual([])
    expect(await desk.administered()).toEqual(after)
  })
})
