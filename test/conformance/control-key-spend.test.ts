import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const USD = 1_000_000_000n

const TAGS = [
  ['laptop', [' Team A', 'ci', 'team a']],
  ['=CI', ['ci']],
  ['Attic', []],
  ['idle', ['100%_sure']],
] as const

interface Row {
  readonly key_id: string
  readonly name: string
  readonly cost: string
  readonly requests: number
  readonly share: number
  readonly cost_before: string
}

type Used = Omit<Partial<UsageRecord>, 'cost'> & { readonly cost: bigint }

describe.each(ENGINES_ABOVE_STORES)('what keys of an account spent, on %s', (engine) => {
  let control: ControlUnderTest
  let user: Asker & { account: { id: string } }
  let admin: Asker
  const ids: Record<string, string> = {}

  const used = (name: string, ageMs: number, { cost, ...over }: Used) => {
    const createdAt = control.clock.now() - ageMs
    const record = { id: newId('req', createdAt), createdAt, keyId: ids[name] ?? name, ...over }
    return control.store.settlements.settle([aSettlement(user.account.id, cost, { record })])
  }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    user = await control.account({ balance: '100' })
    admin = await control.account({ role: 'admin' })
    for (const [name, tags] of TAGS) {
      const { body } = await user.ask('POST', '/api/keys', { name, group: 'default', tags })
      ids[name] = body.key.id
    }
    // Each end of the span lies within a day, so hours and days both count.
    await used('laptop', 1, { cost: 3n * USD })
    await used('laptop', 3 * DAY_MS, { cost: 4n * USD })
    await used('laptop', 8 * DAY_MS, { cost: 3n * USD })
    await used('=CI', 5 * HOUR_MS, { cost: USD })
    await used('=CI', 6 * DAY_MS, { cost: USD })
    await used('=CI', 2 * HOUR_MS, { cost: 0n })
    await used('Attic', DAY_MS, { cost: USD, model: 'old-model' })
    await used('Attic', 20 * DAY_MS, { cost: 50n * USD })
    await control.store.keys.setStatus(ids['Attic'] ?? '', 'deleted', control.clock.now())
  })
  afterAll(() => control.close())

  const week = () => `from=${new Date(control.clock.now() - 7 * DAY_MS).toISOString()}`
  const rowsOf = async (query: string): Promise<readonly Row[]> => {
    const { status, body } = await user.ask('GET', `/api/usage/keys?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data
  }
  const names = (rows: readonly Row[]) => rows.map(({ name }) => name)

  test('is summed for each with its share, beside the time before, and a deleted key is named all the same', async () => {
    const { body } = await user.ask('GET', `/api/usage/keys?${week()}`)
    expect(body).toMatchObject({ cost: '10', total: 3, total_is_more: false, next_cursor: null })
    const shown = (row: Row) => [row.name, row.cost, row.requests, row.share, row.cost_before]
    expect(body.data.map(shown)).toEqual([
      ['laptop', '7', 2, 0.7, '3'],
      ['=CI', '2', 3, 0.2, '0'],
      ['Attic', '1', 1, 0.1, '0'],
    ])
    expect(Date.parse(body.from) - Date.parse(body.before_from)).toBe(Date.parse(body.to) - Date.parse(body.from))
    expect(body.data[0]).toMatchObject({ secret_end: expect.stringMatching(/^\w{4}$/) })
  })

  test('is sorted by each column, and narrowed by the model', async () => {
    expect(names(await rowsOf(`${week()}&sort=name&order=asc`))).toEqual(['=CI', 'Attic', 'laptop'])
    expect(names(await rowsOf(`${week()}&sort=requests`))).toEqual(['=CI', 'laptop', 'Attic'])
    expect(names(await rowsOf(`${week()}&sort=tokens&order=asc`))[0]).toBe('Attic')
    expect(await rowsOf(`${week()}&model=old-model`)).toMatchObject([{ name: 'Attic', share: 1 }])
    expect(await rowsOf('from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z')).toEqual([])
  })

  test('is paged without gaps or repetitions in every order, with the share of all', async () => {
    const many = await control.account({ balance: '100' })
    const own = Array.from({ length: 45 }, (_, index) => `key_${String(index).padStart(26, '0')}`)
    for (const [index, keyId] of own.entries()) {
      const createdAt = control.clock.now() - HOUR_MS
      const record = { id: newId('req', createdAt), createdAt, keyId }
      await control.store.settlements.settle([aSettlement(many.account.id, BigInt(index % 7) * USD, { record })])
    }
    for (const sort of ['cost', 'requests', 'tokens', 'name']) {
      for (const order of ['asc', 'desc']) {
        const seen = await allPages(many, `sort=${sort}&order=${order}&limit=10`)
        expect(seen.map(({ key_id: id }) => id).toSorted()).toEqual(own)
        expect(seen.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 3)
        if (sort === 'cost') {
          const costs = seen.map(({ cost }) => Number(cost))
          expect(costs).toEqual(costs.toSorted((a, b) => (order === 'asc' ? a - b : b - a)))
        }
      }
    }
  })

  async function allPages(asker: Asker, query: string): Promise<readonly Row[]> {
    const seen: Row[] = []
    let cursor = ''
    for (let page = 0; page < 6; page++) {
      const { body } = await asker.ask('GET', `/api/usage/keys?${query}${cursor}`)
      expect(body.total).toBe(45)
      seen.push(...body.data)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    return seen
  }

  test('is summed by tag, each with all of its keys, and keys without one last', async () => {
    const { body } = await user.ask('GET', `/api/usage/tags?${week()}`)
    expect(body.cost).toBe('10')
    const shown = ({ tag, keys, cost, requests, share, cost_before: before }: Row & { tag: string; keys: number }) => [
      tag,
      keys,
      cost,
      requests,
      share,
      before,
    ]
    expect(body.data.map(shown)).toEqual([
      ['ci', 2, '9', 5, 0.9, '3'],
      ['team a', 1, '7', 2, 0.7, '3'],
      [null, 1, '1', 1, 0.1, '0'],
    ])
    const ofModel = await user.ask('GET', `/api/usage/tags?${week()}&model=old-model`)
    expect(ofModel.body.data).toMatchObject([{ tag: null, cost: '1', share: 1 }])
  })

  test('is narrowed to the keys of a tag, as the list of keys is, and tags are listed with their keys', async () => {
    expect(names(await rowsOf(`${week()}&tag=ci`))).toEqual(['laptop', '=CI'])
    expect(await rowsOf(`${week()}&tag=Team%20A`)).toMatchObject([{ name: 'laptop', share: 1, tags: ['team a', 'ci'] }])
    const listed = async (tag: string) =>
      names((await user.ask('GET', `/api/keys?sort=name&order=asc&tag=${encodeURIComponent(tag)}`)).body.data)
    expect(await listed('ci')).toEqual(['=CI', 'laptop'])
    expect(await listed('100%_sure')).toEqual(['idle'])
    for (const part of ['c', '%', '_', 'team', '100%', '"']) expect(await listed(part)).toEqual([])
    const tags = await user.ask('GET', '/api/keys/tags')
    expect(tags.body.data).toEqual([
      { tag: 'ci', keys: 2 },
      { tag: '100%_sure', keys: 1 },
      { tag: 'team a', keys: 1 },
    ])
    const wrong = await user.ask('PATCH', `/api/keys/${ids['idle']}`, { tags: ['a, b'] })
    expect(wrong).toMatchObject({ status: 422, body: { takes: { form: 'key_tag' } } })
  })

  test('is a CSV whose names no spreadsheet runs, and an admin reads that of one account', async () => {
    const { text } = await user.ask('GET', `/api/usage/keys.csv?${week()}&bom=true`)
    const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toBe(
      'key_id,name,secret,requests,failed,input_tokens,output_tokens,cost_usd,share_percent,cost_before_usd,change_usd,tags',
    )
    expect(lines[1]).toMatch(/^key_\w+,laptop,sk-tg-\w{4}…\w{4},2,0,\d+,\d+,7,70\.0000,3,4,"team a, ci"$/)
    expect(text).toContain(",'=CI,")
    const ofAccount = await admin.ask('GET', `/api/usage/keys?${week()}&account_id=${user.account.id}`)
    expect(ofAccount.body.cost).toBe('10')
    expect((await user.ask('GET', '/api/usage/keys?account_id=acc_other')).status).toBe(403)
  })
})
