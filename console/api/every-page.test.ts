import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { groupsQuery } from './groups.ts'
import { modelsQuery } from './models.ts'
import { plansQuery } from './plan-admin.ts'
import { plansForSaleQuery } from './plans-for-sale.ts'
import { upstreamsQuery } from './upstream-admin.ts'

afterEach(() => vi.unstubAllGlobals())

/** A server with so many of whatever is listed, in pages as the API has them; returns what was asked for. */
function serverWith(count: number): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    const query = new URL(path, 'http://gateway.test').searchParams
    asked.push(query)
    const first = Number(query.get('cursor') ?? 0)
    const end = Math.min(first + Number(query.get('limit')), count)
    const data = Array.from({ length: end - first }, (_, at) => ({ id: `${first + at}`, price: '1' }))
    return Response.json({ data, next_cursor: end < count ? `${end}` : null })
  })
  return asked
}

const LISTS = [
  { name: 'groups', read: async () => (await new QueryClient().fetchQuery(groupsQuery)).data },
  { name: 'plans', read: async () => (await new QueryClient().fetchQuery(plansQuery)).data },
  { name: 'plans for sale', read: () => new QueryClient().fetchQuery(plansForSaleQuery) },
  { name: 'models', read: () => new QueryClient().fetchQuery(modelsQuery) },
  { name: 'upstreams', read: () => new QueryClient().fetchQuery(upstreamsQuery) },
]

test.for(LISTS)('$name are all there, also beyond the largest page of the API', async ({ read }) => {
  const asked = serverWith(401)
  const found = await read()
  expect(found.length).toBe(401)
  expect(new Set(found.map(({ id }) => id)).size).toBe(401)
  expect(asked.map((query) => query.get('limit'))).toEqual(['200', '200', '200'])
})

test('a list without end is read for ten pages', async () => {
  const asked = serverWith(1_000_000)
  expect((await new QueryClient().fetchQuery(groupsQuery)).data.length).toBe(2000)
  expect(asked.length).toBe(10)
})
