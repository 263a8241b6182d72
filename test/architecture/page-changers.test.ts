import { expect, test } from 'vitest'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { rolesWith } from '../../src/core/roles.ts'
import { changersOf } from '../../console/pages/admin/page-changers.ts'

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
  expect([...(changersOf(page) ?? [])].sort()).toEqual([...new Set(roles)].sort())
})

test('a page without changes names none', () => {
  expect(changersOf('/admin/audit')).toBeNull()
  expect(changersOf('/admin')).toBeNull()
})
