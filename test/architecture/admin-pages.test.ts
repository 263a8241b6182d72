import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { rolesWith } from '../../src/core/roles.ts'
import { ADMIN_PAGES, adminPageAt } from '../../console/admin-pages.ts'

test.for([
  ['/admin/upstreams/ups_01', ['/api/upstreams', '/api/upstreams/{id}']],
  ['/console/admin/groups', ['/api/groups', '/api/groups/{id}']],
  ['/admin/models', ['/api/models', '/api/models/{id}']],
  ['/admin/plans', ['/api/plans', '/api/redeem-codes', '/api/plans/{id}']],
  ['/admin/accounts', ['/api/accounts/{id}', '/api/accounts/{id}/ledger']],
  ['/admin/settings', ['/api/settings']],
] as const)('%s is said to be changed by the roles that its routes take', ([page, paths]) => {
  const rights = ROUTES.filter(({ method, path }) => method !== 'get' && paths.includes(path as never)).map(
    ({ who }) => who,
  )
  const roles = rights.flatMap((who) => (who === 'anyone' || who === 'account' ? [] : rolesWith(who)))
  expect([...(adminPageAt(page)?.changers ?? [])].sort()).toEqual([...new Set(roles)].sort())
})

test('a page without changes names none', () => {
  expect(adminPageAt('/admin/audit')?.changers).toBeUndefined()
  expect(adminPageAt('/admin')?.changers).toBeUndefined()
})

test('each page of the table has its code in the routes', async () => {
  const routes = await readFile('console/routes.tsx', 'utf8')
  const named = Array.from(routes.matchAll(/\badminPage\(\s*'(\w+)'/g), ([, name]) => name ?? '')
  expect(new Set(named)).toEqual(new Set(Object.keys(ADMIN_PAGES)))
})
