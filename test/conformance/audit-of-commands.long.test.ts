import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { COMMANDS } from '../../src/app/cli/commands.ts'
import { prepareFirstStart } from '../../src/app/installation/first-start.ts'
import { type AuditDesk, auditDesk, SECRET } from './audit-desk.ts'
import { COMMAND_WALK, type Given, SHOWN_ONCE, type Writing } from './command-walk.ts'
import { aKey, aSecret, anAccount, aPosting, NOON } from './store-fixtures.ts'
import { ENGINES } from './store-under-test.ts'
import { withoutRoomIn } from './table-contents.ts'
import { ONE_PPM, parseUsd } from '../../src/core/money.ts'

/** The stores are the same for both engines: on PostgreSQL a few commands stand for all. */
const ON_POSTGRES = ['account role', 'account credit', 'key create', 'subscription renew', 'import', 'secret rotate']

test('the walk has every command of the command line', () => {
  expect(Object.keys(COMMAND_WALK).toSorted()).toEqual(COMMANDS.map(({ words }) => words).toSorted())
})

describe.each(ENGINES)('on %s', (engine) => {
  let desk: AuditDesk
  let given: Given
  beforeAll(async () => {
    desk = await auditDesk(engine)
    given = await things()
  })
  afterAll(async () => {
    await rm(given.folder, { recursive: true, force: true })
    await desk.place.leave()
  })

  const walked = Object.entries(COMMAND_WALK).filter(([words]) => engine === 'sqlite' || ON_POSTGRES.includes(words))
  const writing = walked.flatMap(([words, walk]) => (walk.kind === 'writes' ? [[words, walk] as const] : []))
  const quiet = walked.flatMap(([words, walk]) => (walk.kind === 'quiet' ? [[words, walk] as const] : []))

  test.for(quiet)('"tollgate %s" changes nothing that the audit is about', async ([words, walk]) => {
    const before = await desk.administered()
    const entries = await desk.entriesOf(async () => {
      const { environment = {} } = walk
      const ran = await desk.run([...words.split(' '), ...walk.args(given)], { environment })
      expect(ran, ran.remarked).toMatchObject({ code: walk.code ?? 0 })
    })
    expect(entries).toEqual([])
    expect(await desk.administered()).toEqual(before)
  })

  test.for(writing)('"tollgate %s" writes its entry in the transaction of its change', async ([words, walk]) => {
    const call = await called(words, walk)
    const before = await desk.administered()
    await withoutRoomIn(desk.place, 'audit_entries', async () => {
      const remarked: unknown = expect.stringContaining('no room')
      expect(await call()).toMatchObject({ code: 1, remarked, printed: walk.printsFirst ?? '' })
    })
    expect(await desk.administered()).toEqual(before)
    const entries = await desk.entriesOf(async () => {
      const ran = await call()
      expect(ran, ran.remarked).toMatchObject({ code: 0 })
    })
    expect(entries.map(({ action }) => action)).toEqual(walk.entries)
    for (const entry of entries) expect(entry).toMatchObject({ actor: 'cli', via: 'cli', address: '', createdAt: NOON })
    expect(entries[0]).toMatchObject({ changes: walk.changes })
    for (const secret of SHOWN_ONCE) expect(JSON.stringify(entries)).not.toContain(secret)
    if (walk.onlyNotes !== true) expect(await desk.administered()).not.toEqual(before)
  })

  async function called(words: string, walk: Writing) {
    const made = await walk.make?.(desk, given)
    const { stdin = '', environment = {} } = walk
    return () => desk.run([...words.split(' '), ...walk.args({ ...given, made: made ?? '' })], { stdin, environment })
  }

  /** What commands are about: each finds what it needs, whatever those before it did. */
  async function things(): Promise<Given> {
    const { store } = desk
    const common = { multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true, isManaged: false }
    const cache = { ttlSeconds: 60, price: ONE_PPM, isShared: true, since: NOON - 1 }
    await store.groups.putGroup({ ...common, id: 'grp_default', name: 'default', cache })
    const plan = {
      id: 'pln_pro',
      name: 'pro',
      days: 30,
      price: parseUsd('20'),
      quotas: [],
      groupIds: ['grp_default'],
      opensGroups: true,
    }
    await store.plans.putPlan({ ...plan, isManaged: false })
    const accounts: Account[] = [
      anAccount({ email: 'ada@example.test' }),
      anAccount({ email: 'root@example.test', role: 'admin' }),
    ]
    for (const account of accounts) await store.accounts.create(account, null)
    const [ada] = accounts
    await store.ledger.post(aPosting(ada?.id ?? '', '5'))
    await store.keys.create(aKey(ada?.id ?? '', { id: 'key_laptop' }), aSecret())
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-'))
    await writeFile(
      join(folder, 'config.yaml'),
      'model_list:\n  - { model_name: m, litellm_params: { model: openai/m, api_key: sk-of-an-upstream, input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 } }\n',
    )
    await writeFile(join(folder, 'tollgate.yaml'), 'groups: [{ name: filed, multiplier: "2" }]\n')
    // The first command that opens an installation marks its database with the secret.
    await desk.run(['redeem-code', 'create', '--usd', '1'])
    return { accountId: ada?.id ?? '', folder, made: '' }
  }
})

describe('what is written elsewhere or before', () => {
  test('a restored database says in its audit that it was restored, or is not put in place', async () => {
    const desk = await auditDesk('sqlite')
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-restore-'))
    await desk.run(['account', 'create', '--email', 'ada@example.test'])
    const [sound, full, into] = [join(folder, 'sound'), join(folder, 'full'), join(folder, 'into')]
    await desk.run(['backup', sound])
    await withoutRoomIn(desk.place, 'audit_entries', async () => {
      await desk.run(['backup', full])
    })
    expect(await desk.run(['restore', full, '--into', into])).toMatchObject({ code: 1 })
    expect(await readdir(into)).toEqual([])
    expect(await desk.run(['restore', sound, '--into', into])).toMatchObject({ code: 0 })
    const restored = new DatabaseSync(join(into, 'tollgate.db'))
    const said = restored.prepare('select actor, action, changes_json from audit_entries order by id').all()
    restored.close()
    expect(said.map(({ actor, action }) => `${String(actor)} ${String(action)}`)).toEqual([
      'cli account.create',
      'cli system.restore',
    ])
    expect(said[1]?.['changes_json']).toContain(new Date(NOON).toISOString())
    await rm(folder, { recursive: true })
    await desk.place.leave()
  })

  test('whatever the first start makes is in the audit, or is not made', async () => {
    const desk = await auditDesk('sqlite')
    const start = () =>
      prepareFirstStart({
        store: desk.store,
        hashSecret: (secret) => `hash of ${secret}`,
        hashLink: () => 'hash of a link',
        wantsDemo: true,
        hasDeclaration: false,
        randomBytes: (count) => Buffer.alloc(count, SECRET),
        nowMs: NOON,
        thisProcess: { host: 'here', id: process.pid },
        dataDirectory: null,
      })
    const { settings: _, ...before } = await desk.administered()
    await withoutRoomIn(desk.place, 'audit_entries', () => expect(start()).rejects.toThrow())
    expect(await desk.administered()).toMatchObject(before)
    expect(await desk.store.accounts.list(10)).toEqual([])
    const entries = await desk.entriesOf(async () => void (await start()))
    expect(entries.map(({ action }) => action)).toEqual([
      'account.create',
      'group.create',
      'upstream.create',
      'model.create',
      'model.create',
      'model.create',
      'ledger.post',
      'key.create',
      'account.set_up_link',
    ])
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['cli']))
    await desk.place.leave()
  })
})
