import { expect, test } from 'vitest'
import { nanoUsd, ONE_PPM, parseUsd } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { UsagePage } from '../../metering/usage/usage-store.ts'
import { usageCsv } from './usage-csv.ts'

function aRecord(over: Partial<UsageRecord> = {}): UsageRecord {
  return {
    id: 'req_1',
    createdAt: Date.UTC(2026, 10, 21, 12),
    accountId: 'acc_1',
    keyId: 'key_1',
    keyName: 'laptop',
    groupId: 'grp_1',
    groupName: 'default',
    model: 'gpt-5.5',
    upstreamName: 'openai-main',
    upstreamModel: 'gpt-5.5-2026',
    credentialName: 'work',
    wire: 'openai-chat',
    isStream: true,
    outcome: 'completed',
    fault: null,
    httpStatus: 200,
    tokens: { ...NO_TOKENS, input: 10, output: 0 },
    usageSource: 'reported',
    isCapped: false,
    usageNotes: [],
    terms: null,
    prices: {
      input: parseUsd('2.5'),
      output: parseUsd('10'),
      cacheRead: null,
      cacheWrite: null,
      cacheWrite1h: null,
      other: null,
      units: null,
    },
    multiplier: ONE_PPM,
    cost: nanoUsd(25_000n),
    balancePaid: nanoUsd(25_000n),
    providerCost: null,
    subscriptionsPaid: [],
    attempts: [],
    routeTrace: null,
    faultFacts: null,
    limitsLeft: null,
    deviceSecret: null,
    client: null,
    firstByteMs: 5,
    totalMs: 12,
    ...over,
  }
}

const EVERYTHING = { accountId: null }
const FOR_OWNERS = { isStaff: false, startsWithMark: false }

/** A store of these pages; `asked` holds what each was asked behind. */
function storeOf(pages: readonly UsagePage[]) {
  const asked: (string | null)[] = []
  return {
    asked,
    list: async (_filter: object, { after }: { after: string | null }) => {
      asked.push(after)
      return pages[asked.length - 1] ?? { records: [], next: null }
    },
  }
}

const onePage = (...records: UsageRecord[]) => storeOf([{ records, next: null }])

const read = (stream: ReadableStream<Uint8Array>) =>
  new Response(stream).bytes().then((bytes) => Buffer.from(bytes).toString())

/** A reader of RFC 4180, written from its grammar. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && row.length === 0) break
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

async function cellsOf(over: Partial<UsageRecord>, how = FOR_OWNERS): Promise<Record<string, string>> {
  const [header = [], cells = []] = parseCsv(await read(usageCsv(onePage(aRecord(over)), EVERYTHING, how)))
  expect(cells).toHaveLength(header.length)
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']))
}

test('a record of a device names the client whose stored secret it came with', async () => {
  const columnOf = async (deviceSecret: string | null) => (await cellsOf({ deviceSecret }))['device_secret']
  expect(await Promise.all([null, '', 'aider'].map(columnOf))).toEqual(['', 'signed in', 'aider'])
})

test('a record is one row under snake_case names; what was not counted is empty, and nothing counted is 0', async () => {
  expect(await cellsOf({})).toMatchObject({
    id: 'req_1',
    created_at: '2026-11-21T12:00:00.000Z',
    group: 'default',
    stream: 'true',
    input_tokens: '10',
    output_tokens: '0',
    cache_read_tokens: '',
    input_price: '2.5',
    cache_read_price: '',
    multiplier: '1',
    cost: '0.000025',
    fault: '',
    client: '',
  })
})

test('only admins see upstreams', async () => {
  const text = await read(usageCsv(onePage(aRecord()), EVERYTHING, FOR_OWNERS))
  expect(text).not.toContain('openai-main')
  expect(text).not.toContain('gpt-5.5-2026')
  expect(text).not.toContain('credential')
  const cells = await cellsOf({}, { ...FOR_OWNERS, isStaff: true })
  expect(cells).toMatchObject({ upstream: 'openai-main', upstream_model: 'gpt-5.5-2026', credential: 'work' })
})

test.for(['a "quoted", name', 'two\r\nlines', 'ends with "', ',', ''])('%j comes back as it was', async (keyName) => {
  expect((await cellsOf({ keyName }))['key_name']).toBe(keyName)
})

test.for(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=1', ' =1', '\uFF1D1'])(
  '%j is text for a spreadsheet',
  async (evil) => {
    const cells = await cellsOf({ keyName: evil, model: evil, client: evil, groupName: evil })
    for (const name of ['key_name', 'model', 'client', 'group']) expect(cells[name]).toBe(`'${evil}`)
  },
)

test('the mark of UTF-8 stands in front where it is asked for, and nowhere else', async () => {
  const marked = await read(usageCsv(onePage(), EVERYTHING, { ...FOR_OWNERS, startsWithMark: true }))
  expect(marked.startsWith('\uFEFFid,')).toBe(true)
  expect((await read(usageCsv(onePage(), EVERYTHING, FOR_OWNERS))).startsWith('id,')).toBe(true)
})

test('all pages are read, each behind the last, and empty ones in the middle end nothing', async () => {
  const store = storeOf([
    { records: [aRecord({ id: 'req_3' })], next: 'req_3' },
    { records: [], next: 'req_2x' },
    { records: [aRecord({ id: 'req_1' })], next: null },
  ])
  const rows = parseCsv(await read(usageCsv(store, EVERYTHING, FOR_OWNERS)))
  expect(rows.slice(1).map(([id]) => id)).toEqual(['req_3', 'req_1'])
  expect(store.asked).toEqual([null, 'req_3', 'req_2x'])
})

test('a reader who stops is read nothing more for', async () => {
  let asked = 0
  const list = async () => ({ records: [aRecord()], next: `req_${++asked}` })
  const reader = usageCsv({ list }, EVERYTHING, FOR_OWNERS).getReader()
  await reader.read()
  await reader.read()
  const before = asked
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBeLessThanOrEqual(before + 1)
  await reader.cancel()
  const after = asked
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBe(after)
})

test('leaving while nothing is found ends the search', async () => {
  let asked = 0
  const list = () =>
    new Promise<UsagePage>((resolve) => {
      asked += 1
      setImmediate(() => resolve({ records: [], next: `req_${asked}` }))
    })
  const reader = usageCsv({ list }, EVERYTHING, FOR_OWNERS).getReader()
  await reader.read()
  const left = reader.read()
  await new Promise((resolve) => setImmediate(resolve))
  await reader.cancel()
  await left
  const after = asked
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toBeLessThanOrEqual(after + 1)
})

test('units and their prices have columns of their own', async () => {
  const units = { requests: 1, images: 3, seconds: null, characters: null }
  const none = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null }
  const image = { request: null, image: parseUsd('40000'), second: null, character: null }
  const record = aRecord({
    tokens: { ...NO_TOKENS, units },
    prices: { input: null, output: null, ...none, units: image },
  })
  const [names = [], cells = []] = parseCsv(await read(usageCsv(onePage(record), EVERYTHING, FOR_OWNERS)))
  const cell = (name: string): string | undefined => cells[names.indexOf(name)]
  expect(['requests_charged', 'images', 'audio_seconds', 'price_per_image', 'input_price'].map(cell)).toEqual([
    '1',
    '3',
    '',
    '0.04',
    '',
  ])
})
