import { expect, test } from 'vitest'
import { pageAt } from './page-name.ts'

test.for([
  ['/usage?status=refused', { page: 'usage' }],
  ['/keys/key_01', { page: 'keys' }],
  ['/admin', { admin: 'operations' }],
  ['/admin/upstreams', { admin: 'upstreams' }],
  ['/admin/models/mdl_01', { admin: 'prices' }],
  ['/admin/accounts/acc_01?tab=keys', { admin: 'accounts' }],
  ['/nothing', undefined],
] as const)('who signs in again for %s is led back to the page of that name', ([path, page]) => {
  expect(pageAt(path)).toEqual(page)
})
