import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

describe.each(ENGINES_ABOVE_STORES)('the system on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let directory: string
  beforeAll(async () => {
    directory = await temporaryDirectory()
    // PostgreSQL is not backed up, and refuses to start with the directory.
    const environment: Record<string, string> = {
      ...(engine === 'sqlite' ? { TOLLGATE_BACKUP_DIR: directory } : { TOLLGATE_ARCHIVE_DIR: directory }),
      TOLLGATE_KEEP_AUDIT_DAYS: '30',
    }
    control = await controlUnderTest({ engine, environment })
    admin = await control.account({ role: 'admin', balance: '5' })
  })
  afterAll(() => control.close())

  test('size, growth, largest tables and migrations are known', async () => {
    const first = (await admin.ask('GET', '/api/system')).body
    expect(first.database.engine).toBe(engine)
    expect(first.database.bytes).toBeGreaterThan(10_000)
    expect(first.database.migrations.newest).toMatch(/^\d{4}_/)
    expect(first.database.tables.map(({ name }: { name: string }) => name)).toContain('audit_entries')
    expect(first.database.growth_bytes_per_day).toBeNull()
    control.clock.advance(2 * 86_400_000)
    const second = (await admin.ask('GET', '/api/system')).body
    expect(second.database.growth_bytes_per_day).not.toBeNull()
    expect(second.database.disk === null).toBe(engine === 'postgres')
  })

  test('nodes that run are listed, with how far they are behind', async () => {
    const { nodes } = control.store
    const since = control.clock.now() - 60_000
    const [one, two] = [newId('nod', since), newId('nod', since + 1)]
    await nodes.join({ id: one, host: 'one boot', processId: 1 })
    await nodes.join({ id: two, host: 'two boot', processId: 2 })
    await nodes.acknowledge(one, 1_000_000)
    const { body } = await admin.ask('GET', '/api/system')
    expect(body.nodes).toMatchObject([
      { host: 'one', process_id: 1, behind: 0, here: false },
      { host: 'two', process_id: 2 },
    ])
    expect(body.nodes[1].behind).toBeGreaterThan(0)
    expect(Date.parse(body.nodes[0].since)).toBe(since)
  })

  test('a node says its version, its load and how its clock compares; the server says what time it is', async () => {
    const { nodes } = control.store
    const id = newId('nod', control.clock.now())
    await nodes.join({ id, host: 'three boot', processId: 3 })
    const clock = { database: -4_000, providers: null }
    const serverMs = await nodes.report(id, { version: '9.9.9', inFlight: 7, busy: 0.25, clock })
    expect(serverMs === null).toBe(engine === 'sqlite')
    if (serverMs !== null) expect(Math.abs(serverMs - Date.now())).toBeLessThan(PATIENCE_MS)
    const { body } = await admin.ask('GET', '/api/system')
    expect(body.nodes.at(-1)).toMatchObject({
      host: 'three',
      standing: { version: '9.9.9', in_flight: 7, busy: 0.25, clock },
    })
    expect(body.nodes[0].standing).toBeNull()
    const attention = await admin.ask('GET', '/api/attention')
    expect(attention.body.data).toContainEqual(
      expect.objectContaining({ kind: 'clock_off', clock: { host: 'three', ahead_ms: -4_000, of: 'database' } }),
    )
  })

  test.runIf(engine === 'sqlite')(
    'a backup is made, and its rehearsal proves the books and leaves nothing',
    async () => {
      const begin = (kind: string) => admin.ask('POST', '/api/system/maintenance', { kind })
      expect((await begin('rehearsal')).body).toMatchObject({ status: 409, code: 'conflict' })
      expect((await begin('backup')).status).toBe(202)
      const backups = async () => (await admin.ask('GET', '/api/system')).body.backups
      await expect.poll(backups, { timeout: PATIENCE_MS }).toMatchObject({
        running: null,
        last_backup: { failure: null },
        files: [{ name: expect.stringMatching(/^tollgate-/) }],
      })
      expect((await begin('rehearsal')).status).toBe(202)
      await expect.poll(backups, { timeout: PATIENCE_MS }).toMatchObject({
        running: null,
        last_rehearsal: { failure: null, proof: { accounts: 1, entries: 1, disagreements: 0 } },
      })
      expect((await readdir(control.place.directory)).filter((name) => name.startsWith('.'))).toEqual([])
      expect((await readdir(directory)).every((name) => name.endsWith('.db'))).toBe(true)
      const audit = await admin.ask('GET', '/api/audit?action=system.rehearsal')
      expect(audit.body.data.length).toBeGreaterThan(0)
    },
  )

  test.runIf(engine === 'sqlite')('one thing is done at a time', async () => {
    const { maintenance } = control
    await expect.poll(() => maintenance.running, { timeout: PATIENCE_MS }).toBeNull()
    // The name of a backup is a second, and that of the test before is taken.
    control.clock.advance(2_000)
    expect(await Promise.all([maintenance.begin('backup'), maintenance.begin('rehearsal')])).toEqual(['begun', 'busy'])
    await expect.poll(() => maintenance.running, { timeout: PATIENCE_MS }).toBeNull()
    expect(maintenance.last).toMatchObject({ backup: { failure: null } })
  })

  test.runIf(engine === 'postgres')('PostgreSQL is referred to its own tools', async () => {
    const refused = await admin.ask('POST', '/api/system/maintenance', { kind: 'backup' })
    expect(refused.body).toMatchObject({ status: 409, detail: expect.stringContaining('pg_dump') })
  })

  test('says how long each kind of record is kept, and how many entries the next run would archive and delete', async () => {
    // Past the period, with entries of the audit from the accounts of this test.
    await admin.ask('PATCH', '/api/settings', { site_name: 'Old' })
    control.clock.advance(40 * 86_400_000)
    const later = await control.account({ role: 'admin' })
    const { body } = await later.ask('GET', '/api/system/retention')
    const of = (kind: string) => body.kinds.find((each: { kind: string }) => each.kind === kind)
    expect(of('usage')).toMatchObject({ keep_days: null, before: null, due: null })
    expect(of('audit')).toMatchObject({ keep_days: 30, variable: 'TOLLGATE_KEEP_AUDIT_DAYS' })
    expect(of('audit').due).toBeGreaterThan(0)
    expect(body).toMatchObject({ keep_sessions_days: 30, run: null, archived: { files: 0 }, archives: [] })
  })
})
