import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/control/api/list-files.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'

let control: ControlUnderTest
let admin: Asker
let ada: Asker & { readonly account: Account }
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
  ada = await control.account({ balance: '10' })
  await control.group('default')
})
afterAll(() => control.close())

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('every list of the administration is there as CSV and as NDJSON', () => {
  const paths = new Set(ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path))
  const lists = [
    'accounts',
    'keys',
    'upstreams',
    'upstreams/{id}/credentials',
    'models',
    'groups',
    'plans',
    'subscriptions',
    'redeem-codes',
    'orders',
    'usage',
    'usage/explore',
    'audit',
    'incidents',
  ]
  for (const list of lists) {
    for (const form of ['csv', 'ndjson']) expect(paths, list).toContain(`/api/${list}.${form}`)
  }
})

test('a file has every row of all pages, each once, with what the list shows', async () => {
  const groups = Array.from({ length: 203 }, (_, i) => `many-${String(i).padStart(3, '0')}`)
  for (const name of groups) await control.group(name)
  const { text, headers } = await admin.ask('GET', '/api/groups.ndjson?search=many-')
  expect(linesOf(text).map(({ name }) => name)).toEqual(groups)
  expect(headers.get('content-type')).toBe('application/x-ndjson')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="tollgate-groups-\d{4}-\d\d-\d\d\.ndjson"$/)
  const { body } = await admin.ask('GET', '/api/groups?search=many-000')
  expect(linesOf(text)[0]).toEqual(body.data[0])
  const csv = await admin.ask('GET', '/api/groups.csv?search=many-&bom=true')
  expect(csv.text.split('\r\n')).toHaveLength(groups.length + 2)
})

test('a CSV has a column for each field, also of objects, and a header where there is no row', async () => {
  const { text } = await admin.ask('GET', '/api/keys.csv?account_id=*&search=nothing')
  const [header, ...rows] = text.trimEnd().split('\r\n')
  expect(header?.split(',').slice(0, 4)).toEqual(['id', 'version', 'account_id', 'name'])
  expect(header).toContain('overlap_secret_end')
  expect(rows).toEqual([])
})

test('text that a spreadsheet would run is made harmless in every file, and amounts below zero stay numbers', async () => {
  const name = '=HYPERLINK("https://example.test","x")'
  const made = await admin.ask('POST', '/api/keys', { name, group: 'default', account_id: ada.account.id })
  expect(made.status).toBe(201)
  const { text } = await admin.ask('GET', `/api/keys.csv?account_id=${ada.account.id}`)
  expect(text).toContain('"\'=HYPERLINK(""https://example.test"",""x"")"')
  const ndjson = await admin.ask('GET', `/api/keys.ndjson?account_id=${ada.account.id}`)
  expect(linesOf(ndjson.text)[0]?.['name']).toBe(name)
  const earned = { upstreamName: 'main', model: 'm', groupId: 'grp_x', groupName: 'x' } as const
  const record = { ...earned, createdAt: control.clock.now() - 60_000, providerCost: 9000n as never }
  await control.store.settlements.settle([aSettlement(ada.account.id, 1000n, { record })])
  const sums = await admin.ask('GET', '/api/usage/explore.csv?by=upstream')
  expect(sums.text).toContain(',-0.000008,')
})

test('a file is for whom the list is, of what the asker may see, and refuses what the list refuses', async () => {
  const own = await ada.ask('GET', '/api/keys.ndjson')
  expect(linesOf(own.text)).toHaveLength(1)
  expect((await ada.ask('GET', '/api/keys.ndjson?account_id=*')).status).toBe(403)
  expect((await ada.ask('GET', '/api/audit.csv')).status).toBe(403)
  expect(await admin.ask('GET', '/api/audit.csv?colour=red')).toMatchObject({ status: 422, body: { field: 'colour' } })
  expect((await admin.ask('GET', '/api/keys.csv?limit=5')).status).toBe(422)
  const { text } = await admin.ask('GET', '/api/redeem-codes.ndjson')
  expect(text).toBe('')
})

test('no page is read before the reader has taken the one before, and none once the reader has left', async () => {
  const list = ROUTES.find(({ method, path }) => method === 'get' && path === '/api/groups')
  if (list === undefined) throw new Error('there is no list of groups')
  let pages = 0
  const counted = {
    ...list,
    handle: async (call: Parameters<typeof list.handle>[0]) => {
      pages += 1
      call.nextCursor([pages])
      return { data: [{ id: 'grp_1' }], next_cursor: 'more' }
    },
  }
  const [csv] = listFiles(counted, { name: 'groups' })
  const answer = await csv?.handle({ query: { bom: 'false' }, nowMs: 0 } as never, undefined as never)
  const reader = (answer as Response).body?.getReader()
  await reader?.read()
  await reader?.read()
  expect(pages).toBeLessThanOrEqual(3)
  await reader?.cancel()
  const read = pages
  await Promise.resolve()
  expect(pages).toBe(read)
})
