import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archivedRecords } from '../../src/app/retention/archive-file.ts'
import { type RetentionOptions, RetentionRun } from '../../src/app/retention/retention-run.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import type { LedgerProof } from '../../src/metering/funds/ledger.ts'
import type { Store } from '../../src/store/store.ts'
import { seededPlace } from '../support/seeded-place.ts'
import { aRecord, aSettlement, leaseFor, NOON, quotaOf } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'
import { inSuite } from '../support/run/suite.ts'

/* What becomes of the books when old records go: they agree after every portion, with the archive and without it. */

const DAY_MS = 86_400_000
const OLD = NOON - 20 * DAY_MS
const OLD_DAY = Math.floor(OLD / DAY_MS) * DAY_MS

describe.each(inSuite({ long: ENGINES, short: ['sqlite'] as const }))('retention on %s', (engine) => {
  let place: Place
  let store: Store
  let close: () => Promise<void>
  let directory: string
  let before: LedgerProof
  let accountId: string

  beforeAll(async () => {
    place = await newPlace(engine)
    directory = await mkdtemp(join(tmpdir(), 'tollgate-archive-'))
    const seeded = await seededPlace(place, { records: 600 })
    ;({ store, close } = seeded)
    accountId = seeded.seeded.accountIds[0] ?? ''
    await chargeQuota(store, accountId)
    await refuse(store, accountId)
    before = await store.ledger.prove()
    expect(before.disagreements).toEqual([])
  })
  afterAll(async () => {
    await close()
    await place.leave()
  })

  const run = (over: Partial<RetentionOptions['settings']>, options: Partial<RetentionOptions> = {}) =>
    new RetentionRun({ ...optionsOf(store, directory, over), ...options }).run()

  const proveWithArchive = async () => {
    const { records, unusable } = await archivedRecords(directory, await store.retention.archives())
    expect(unusable).toEqual([])
    return store.ledger.prove({ archive: records })
  }

  test('nothing goes while no period is set', async () => {
    expect(await run({})).toMatchObject({ retired: { usage: 0, refusals: 0, tries: 0, audit: 0 }, archives: [] })
    expect(await store.ledger.prove()).toEqual(before)
  })

  test('tries and refusals go first, and what was paid is proved record by record as before', async () => {
    expect(await run({ keepTries: 19 })).toMatchObject({ retired: { tries: 2, refusals: 0 } })
    const { retired } = await run({ keepRefusals: 19 })
    expect(retired.refusals).toBeGreaterThanOrEqual(1)
    const proof = await store.ledger.prove()
    expect(proof).toMatchObject({ disagreements: [], charged: before.charged, retired: retired.refusals + 2 })
    expect(await proveWithArchive()).toEqual(before)
    const hour = `update usage_hours set cost_nano = cost_nano + 1 where hour_at between ${OLD_DAY} and ${OLD_DAY + DAY_MS - 1}`
    await place.sql(hour)
    expect((await store.ledger.prove()).disagreements).toContainEqual(
      expect.stringMatching(/^usage in the hour of 2026-11-01/),
    )
    await place.sql(hour.replace('+ 1 where', '- 1 where'))
  })

  test('the books agree after every portion that goes, and the archive has each record once', async () => {
    const proofs: LedgerProof[] = []
    const watched = boundTo(store.retention, {
      retire: async (kind, lines) => {
        const count = await store.retention.retire(kind, lines)
        if (proofs.length < 5) proofs.push(await store.ledger.prove())
        return count
      },
    })
    const { retired } = await run({ keepUsage: 7 }, { store: watched })
    expect(retired.usage).toBeGreaterThan(300)
    expect(proofs).toHaveLength(5)
    for (const proof of proofs) {
      expect(proof).toMatchObject({ disagreements: [], charged: before.charged })
      expect(proof.records + proof.retired).toBe(before.records)
    }
    const proof = await store.ledger.prove()
    expect(proof).toMatchObject({ disagreements: [], charged: before.charged, records: before.records - proof.retired })
    expect(await proveWithArchive()).toEqual(before)
    const ids = (await archivedLines(directory)).map((line) => (JSON.parse(line) as { id: string }).id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(proof.retired)
    expect(await run({ keepUsage: 7 })).toMatchObject({ retired: { usage: 0 }, archives: [] })
  })

  test.each([
    [
      'a roll-up of a day that is gone',
      `update usage_hours set requests = requests + 1 where hour_at = (select min(hour_at) from usage_hours)`,
      /^usage by keys of the day/,
    ],
    [
      'what was charged then',
      `update usage_hours set balance_paid_nano = balance_paid_nano + 1 where hour_at = (select min(hour_at) from usage_hours)`,
      /^account .*: in the hour of/,
    ],
    [
      'what providers cost then',
      `update usage_upstream_hours set costed_nano = costed_nano + 1 where hour_at = (select min(hour_at) from usage_hours)`,
      /^usage by upstreams of the day/,
    ],
    ['the sums that were kept', 'update retired_days set cost_nano = cost_nano + 1', /^usage by keys of the day/],
    [
      'what a budget says is gone',
      `update budgets set retired_nano = retired_nano + 1 where retired_nano > 0`,
      /^records that are gone charged/,
    ],
  ])('the proof without the archive names %s', async (_, statement, says) => {
    await place.sql(statement)
    expect((await store.ledger.prove()).disagreements).toContainEqual(expect.stringMatching(says))
    await place.sql(statement.replace('+ 1', '- 1'))
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('the proof with the archive names an hour, and what the archive has and the books did not', async () => {
    const hour = `update usage_hours set requests = requests + 1 where hour_at = (select min(hour_at) from usage_hours)`
    await place.sql(hour)
    expect((await proveWithArchive()).disagreements).toContainEqual(expect.stringMatching(/^usage in the hour of/))
    await place.sql(hour.replace('+ 1', '- 1'))
    const archive = { count: 0, lines: async function* () {} }
    expect((await store.ledger.prove({ archive })).disagreements).toContainEqual(
      expect.stringMatching(/^archive of the day/),
    )
  })

  test('a record that was changed since it was archived stays, and goes with the next part', async () => {
    const id = newId('req', OLD)
    await store.settlements.settle([{ record: refusal(accountId, { id }), charges: [] }])
    const stale = { lines: [] as string[] }
    const retention = boundTo(store.retention, {
      retire: async (kind, lines) => {
        await place.sql(`update usage_records set client = 'another' where id = '${id}' and client <> 'another'`)
        stale.lines.push(...lines)
        return store.retention.retire(kind, lines)
      },
    })
    expect(await run({ keepUsage: 7 }, { store: retention })).toMatchObject({ retired: { usage: 0 } })
    expect(stale.lines).toHaveLength(1)
    expect(await store.usage.record(id)).toMatchObject({ client: 'another' })
    const { archives, retired } = await run({ keepUsage: 7 })
    expect(retired.usage).toBe(1)
    expect(archives).toEqual(['usage-2026-11-01.3.ndjson.gz'])
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('nothing more goes once an archive that is not done is missing or was changed', async () => {
    const id = newId('req', OLD)
    await store.settlements.settle([{ record: refusal(accountId, { id }), charges: [] }])
    let isStopped = false
    const stopping = boundTo(store.retention, {
      register: async (...given) => {
        isStopped = true
        return store.retention.register(...given)
      },
    })
    const { archives } = await run({ keepUsage: 7 }, { store: stopping, isStopped: () => isStopped })
    const [name = ''] = archives
    await appendFile(join(directory, name), 'x')
    expect(await run({ keepUsage: 7 })).toMatchObject({ retired: { usage: 0 }, archives: [], unusable: [name] })
    expect(await store.usage.record(id)).not.toBeNull()
    expect((await store.ledger.prove()).disagreements).toEqual([])
  })

  test('what is in the directory of another node is left to it, and named when a day has gone by', async () => {
    const settings = { keepUsage: 7, archiveDir: await mkdtemp(join(tmpdir(), 'tollgate-archive-')) }
    await store.settlements.settle([{ record: refusal(accountId, { id: newId('req', OLD - DAY_MS) }), charges: [] }])
    let isStopped = false
    const stopping = boundTo(store.retention, {
      register: async (...given) => {
        isStopped = true
        return store.retention.register(...given)
      },
    })
    const { archives } = await run(settings, { store: stopping, isStopped: () => isStopped })
    expect(archives).toHaveLength(1)
    const elsewhere = { ...settings, archiveDir: await mkdtemp(join(tmpdir(), 'tollgate-archive-')) }
    expect(await run(elsewhere)).toMatchObject({ unusable: [], elsewhere: [], retired: { usage: 0 } })
    const later = { now: () => NOON + DAY_MS + 1 }
    expect(await run({ ...elsewhere, keepUsage: 8 }, later)).toMatchObject({
      unusable: [],
      elsewhere: expect.arrayContaining([...archives]),
    })
    expect(await run(settings)).toMatchObject({ unusable: [], elsewhere: [], retired: { usage: 1 } })
  })

  test('two runs that write the archive of a day at once leave its records in one', async () => {
    const settings = { keepUsage: 7, archiveDir: directory }
    await store.settlements.settle([
      { record: refusal(accountId, { id: newId('req', OLD - 3 * DAY_MS) }), charges: [] },
    ])
    const archives = () => store.retention.archives({ kind: 'usage', dayAt: OLD_DAY - 3 * DAY_MS })
    const earlier = await archives()
    const others: Awaited<ReturnType<typeof run>>[] = []
    const racing = boundTo(store.retention, {
      async *lines(...given) {
        yield* store.retention.lines(...given)
        if (others.length === 0) others.push(await run(settings))
      },
    })
    expect(await run(settings, { store: racing })).toMatchObject({ archives: [], retired: { usage: 0 } })
    expect(others).toMatchObject([{ archives: [expect.any(String)], retired: { usage: 1 } }])
    expect(await archives()).toHaveLength(earlier.length + 1)
  })
})

function boundTo(retention: Store['retention'], over: Partial<Store['retention']>): Store['retention'] {
  return {
    setDaysApart: (...given) => retention.setDaysApart(...given),
    dropDay: (...given) => retention.dropDay(...given),
    dropEmptyDays: (...given) => retention.dropEmptyDays(...given),
    newestRecord: () => retention.newestRecord(),
    oldestDay: (...given) => retention.oldestDay(...given),
    count: (...given) => retention.count(...given),
    lines: (...given) => (over.lines ?? retention.lines.bind(retention))(...given),
    archives: (...given) => retention.archives(...given),
    register: (...given) => (over.register ?? retention.register.bind(retention))(...given),
    retire: (...given) => (over.retire ?? retention.retire.bind(retention))(...given),
    finish: (...given) => retention.finish(...given),
    forgetSessions: (...given) => retention.forgetSessions(...given),
  }
}

function optionsOf(store: Store, directory: string, over: Partial<RetentionOptions['settings']>): RetentionOptions {
  const none = { keepUsage: null, keepRefusals: null, keepTries: null, keepAudit: null, keepSessions: 30 }
  return {
    store: store.retention,
    settings: { ...none, archiveDir: directory, dataDir: directory, databaseUrl: null, ...over },
    now: () => NOON,
    elapsed: () => 0,
    randomBytes,
    pause: async () => {},
    isStopped: () => false,
    onProgress: () => {},
    counts: true,
  }
}

/** A request of the old day that a quota of its key counted. */
async function chargeQuota(store: Store, accountId: string): Promise<void> {
  const quota = quotaOf('key_q', nanoUsd(1_000n))
  const { id: leaseId } = await leaseFor(store, quota, { need: 7n })
  const of = { id: newId('req', OLD), createdAt: OLD, keyId: 'key_q' }
  const charge = { budgetId: quota.id, leaseId, cost: nanoUsd(7n) }
  await store.settlements.settle([aSettlement(accountId, 7n, { quota: charge, record: of })])
}

/** Two tries with a wrong key, and a refusal of another kind. */
async function refuse(store: Store, accountId: string): Promise<void> {
  const faults = ['key_malformed', 'key_unknown', 'balance_exhausted'] as const
  for (const fault of faults) {
    await store.settlements.settle([{ record: refusal(accountId, { fault }), charges: [] }])
  }
}

function refusal(accountId: string, over: Partial<Parameters<typeof aRecord>[2]>) {
  return aRecord(accountId, 0n, {
    id: newId('req', OLD),
    createdAt: OLD,
    outcome: 'refused',
    fault: 'key_malformed',
    tokens: NO_TOKENS,
    usageSource: 'none',
    prices: null,
    multiplier: null,
    upstreamName: null,
    credentialName: null,
    ...over,
  })
}

async function archivedLines(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ndjson.gz'))
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name))))
  return texts.flatMap((packed) => gunzipSync(packed).toString('utf8').trimEnd().split('\n'))
}
