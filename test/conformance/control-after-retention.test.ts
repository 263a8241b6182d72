import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RetentionOptions, RetentionRun } from '../../src/app/retention/retention-run.ts'
import { newId } from '../../src/core/ids.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES } from './store-under-test.ts'

/*
 * What is said of usage whose records went, while the sums of hours and days stay: no part of it is shown as the whole
 * (from: tinyhumansai/openhuman#6100).
 */

const DAY_MS = 86_400_000
const KEPT_DAYS = 15
/** Ages in days. Each of three keys has one request of each age. */
const AGES = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]

interface Row {
  readonly parts: readonly { readonly id: string }[]
  readonly requests: number
  readonly charged: string
}

describe.each(ENGINES)('usage after retention on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let owner: Asker & { readonly account: { readonly id: string } }
  let directory: string
  let keys: readonly string[]
  const idByAge = new Map<number, string>()
  let refusedId = ''
  let nowMs = 0

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    directory = await mkdtemp(join(tmpdir(), 'tollgate-archive-'))
    admin = await control.account({ role: 'admin' })
    owner = await control.account({ balance: '10' })
    nowMs = control.clock.now()
    const groupId = (await admin.ask('POST', '/api/groups', { name: 'vip' })).body.id as string
    const tags = [['home', 'work'], ['work'], []]
    keys = await Promise.all(
      tags.map(async (each, at) => {
        const wish = { name: `key ${at}`, tags: each, group: 'vip', account_id: owner.account.id }
        return (await admin.ask('POST', '/api/keys', wish)).body.key.id as string
      }),
    )
    const ways = [
      { client: 'claude-cli/2', wire: 'anthropic-messages', credentialName: 'first' },
      { client: 'OpenAI/JS 7', wire: 'openai-chat', credentialName: 'second' },
      { client: null, wire: 'openai-chat', credentialName: null },
    ] as const
    const settled = (age: number, cost: bigint, record: Partial<UsageRecord>) => {
      const createdAt = nowMs - 3_600_000 - age * DAY_MS
      const id = newId('req', createdAt)
      return aSettlement(owner.account.id, cost, { record: { id, createdAt, groupId, groupName: 'vip', ...record } })
    }
    const all = AGES.flatMap((age) =>
      keys.map((keyId, at) =>
        settled(age, 100n * BigInt(at + 1), { keyId, model: 'big', upstreamName: 'main', ...ways[at] }),
      ),
    )
    AGES.forEach((age, at) => idByAge.set(age, all[at * keys.length]?.record.id ?? ''))
    await control.store.settlements.settle(all)
  })
  afterAll(async () => {
    await control.close()
    await rm(directory, { recursive: true, force: true })
  })

  const retire = (over: Partial<RetentionOptions['settings']>) => {
    const none = { keepUsage: null, keepRefusals: null, keepTries: null, keepAudit: null, keepSessions: 30 }
    return new RetentionRun({
      store: control.store.retention,
      settings: { ...none, archiveDir: directory, dataDir: directory, databaseUrl: null, ...over },
      now: () => nowMs,
      elapsed: () => 0,
      randomBytes,
      pause: async () => {},
      isStopped: () => false,
      onProgress: () => {},
      counts: false,
    }).run()
  }
  const time = (age: number) => new Date(nowMs - age * DAY_MS).toISOString()
  const dayOf = (age: number) => new Date(Math.floor((nowMs - age * DAY_MS) / DAY_MS) * DAY_MS).toISOString()
  const explored = async (query: string, fromAge = 45, toAge = -1) =>
    (await admin.ask('GET', `/api/usage/explore?${query}&from=${time(fromAge)}&to=${time(toAge)}`)).body

  test('is whole while nothing went', async () => {
    for (const by of ['model', 'key', 'client', 'tag', 'protocol&and=credential']) {
      const { totals, since, kept_since } = await explored(`by=${by}`)
      expect({ totals, since, kept_since }, by).toMatchObject({
        totals: { requests: 33, charged: '0.0000066' },
        since: null,
        kept_since: null,
      })
    }
    const { body } = await admin.ask('GET', `/api/usage?account_id=${owner.account.id}`)
    expect(body).toMatchObject({ next_cursor: null, kept_since: null })
  })

  test('says so of refusals that went before the records did, and counts those that are left', async () => {
    const createdAt = nowMs - 31 * DAY_MS
    refusedId = newId('req', createdAt)
    const at = { id: refusedId, createdAt, keyId: keys[0] ?? '', model: 'big', client: 'claude-cli/2' }
    const why = { outcome: 'refused', fault: 'key_disabled', httpStatus: 403, usageSource: 'none' } as const
    const free = { tokens: NO_TOKENS, prices: null, multiplier: null, upstreamName: null, credentialName: null }
    const { record } = aSettlement(owner.account.id, 0n, { record: { ...at, ...why, ...free } })
    await control.store.settlements.settle([{ record, charges: [] }])
    expect(await retire({ keepRefusals: 20 })).toMatchObject({ retired: { refusals: 1, usage: 0 } })

    expect(await explored('by=client')).toMatchObject({
      since: null,
      kept_since: null,
      refusals_since: dayOf(30),
      totals: { requests: 33, charged: '0.0000066' },
    })
    // The time before reaches to where they went.
    expect((await explored('by=client', 20)).refusals_since).toBe(dayOf(30))
    expect((await explored('by=client', 10)).refusals_since).toBeNull()
    expect((await explored('by=model')).refusals_since).toBeNull()

    expect((await owner.ask('GET', `/api/usage/${refusedId}`)).body).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining(dayOf(30).slice(0, 10)),
    })
    // One of others of that time is answered like one that is not there.
    const stranger = await control.account()
    const [theirs, none] = [
      await stranger.ask('GET', `/api/usage/${idByAge.get(24)}`),
      await stranger.ask('GET', `/api/usage/${newId('req', Date.parse(time(24)))}`),
    ]
    expect([theirs.status, theirs.body.detail]).toEqual([404, none.body.detail])
    const { body } = await owner.ask('POST', '/api/diagnose', { request: refusedId })
    expect(body.deleted).toEqual({ records: 'refusals', kept_since: dayOf(30) })
  })

  describe('of which the records of 25 days went', () => {
    let keptSince = ''
    beforeAll(async () => {
      const { retired } = await retire({ keepUsage: KEPT_DAYS })
      expect(retired.usage).toBe(21)
      keptSince = dayOf(KEPT_DAYS)
    })

    test.each(['model', 'account', 'upstream', 'model&and=account'])('is whole by %s', async (by) => {
      const body = await explored(`by=${by}`)
      expect(body).toMatchObject({ since: null, kept_since: null, totals: { charged: '0.0000066' } })
    })

    test('is whole by key, tag and what sums of keys tell apart, from the sums of keys', async () => {
      const { rows, ...body } = await explored('by=key')
      expect(body).toMatchObject({ since: null, kept_since: null, totals: { requests: 34, charged: '0.0000066' } })
      expect(rows.map(({ parts, charged }: Row) => [parts[0]?.id, charged])).toEqual([
        [keys[2], '0.0000033'],
        [keys[1], '0.0000022'],
        [keys[0], '0.0000011'],
      ])
      const byTag = await explored('by=tag')
      expect(byTag.rows.map(({ parts, charged }: Row) => [parts[0]?.id, charged])).toEqual([
        ['work', '0.0000033'],
        ['', '0.0000033'],
        ['home', '0.0000011'],
      ])
      // A request whose key has two tags counts once in all.
      expect(byTag).toMatchObject({ since: null, totals: { requests: 34, charged: '0.0000066' } })
      for (const query of ['by=model&tag=work', 'by=account&and=tag&tag=work', 'by=key&and=model&tag=work'])
        expect(await explored(query), query).toMatchObject({ since: null, totals: { charged: '0.0000033' } })
      expect((await explored(`by=tag&key=${keys[0]}&account=${owner.account.id}`)).totals.charged).toBe('0.0000011')
      expect((await explored('by=key&group=none')).totals.requests).toBe(0)
    })

    test.each([
      'client',
      'protocol',
      'credential',
      'key&and=client',
      'tag&and=upstream',
      'account&and=protocol',
      'model&client=claude-cli/2',
      'key&protocol=openai-chat',
      'tag&credential=first',
      'fault&and=client',
    ])('says since when it is summed by %s, and compares nothing with what is cut', async (by) => {
      const body = await explored(`by=${by}`)
      expect(body).toMatchObject({ since: keptSince, kept_since: keptSince, timed_since: keptSince })
      expect(body.totals.before).toBeNull()
      const ofKept = await explored(`by=${by}`, KEPT_DAYS - 1)
      expect(body.totals.requests).toBe(ofKept.totals.requests)
      expect(ofKept).toMatchObject({ since: null, kept_since: null })
      expect(ofKept.totals.before).toBeNull()
    })

    test('has nothing of a time that is gone but what sums of keys have', async () => {
      const gone = await explored('by=client', 40, 30)
      expect(gone).toMatchObject({ totals: { requests: 0 }, rows: [] })
      expect(Date.parse(gone.since)).toBe(Date.parse(gone.to))
      expect((await explored('by=key', 40, 30)).totals.requests).toBe(7)
    })

    test('is compared with the time before where sums of keys are read', async () => {
      const { totals } = await explored('by=key', 10)
      expect(totals).toMatchObject({ requests: 9, before: { requests: 9, charged: '0.0000018' } })
    })

    test('says it in each line of a file as well', async () => {
      const { text } = await admin.ask('GET', `/api/usage/explore.csv?by=client&from=${time(45)}`)
      const [header = '', ...lines] = text.trimEnd().split('\r\n')
      expect(header.split(',').slice(-2)).toEqual(['since', 'refusals_since'])
      expect(lines).toHaveLength(3)
      for (const line of lines) expect(line.split(',').at(-2)).toBe(keptSince)
      const { headers } = await owner.ask('GET', '/api/usage.csv')
      expect(headers.get('content-disposition')).toContain(`kept-since-${keptSince.slice(0, 10)}.csv`)
      const kept = await owner.ask('GET', `/api/usage.csv?from=${time(3)}`)
      expect(kept.headers.get('content-disposition')).not.toContain('kept-since')
    })

    test('lists the records that are kept, and says since when', async () => {
      expect((await owner.ask('GET', '/api/usage')).body).toMatchObject({ next_cursor: null, kept_since: keptSince })
      expect((await owner.ask('GET', '/api/usage?limit=2')).body.kept_since).toBeNull()
      expect((await owner.ask('GET', `/api/usage?from=${time(3)}`)).body.kept_since).toBeNull()
      const { body: sums } = await owner.ask('GET', `/api/usage/keys?from=${time(45)}&to=${time(-1)}`)
      expect(sums.cost).toBe('0.0000066')
    })

    test('says of a record that went that it is older than what is kept, to whom it may concern and to others', async () => {
      const stranger = await control.account()
      for (const who of [owner, stranger, admin]) {
        const answer = await who.ask('GET', `/api/usage/${idByAge.get(40)}`)
        expect(answer).toMatchObject({ status: 410, body: { code: 'record_deleted' } })
        expect(answer.body.detail).toContain(keptSince.slice(0, 10))
        const { body } = await who.ask('POST', '/api/diagnose', { request: idByAge.get(40) })
        expect(body.deleted).toEqual({ records: 'all', kept_since: keptSince })
      }
      expect((await owner.ask('GET', `/api/usage/${idByAge.get(0)}`)).status).toBe(200)
      expect((await stranger.ask('GET', `/api/usage/${idByAge.get(0)}`)).body.code).toBe('not_found')
      expect((await owner.ask('GET', '/api/usage/req_0')).body.code).toBe('not_found')
      const { body } = await owner.ask('POST', '/api/diagnose', { request: newId('req', nowMs) })
      expect(body.deleted).toBeNull()
    })
  })
})
