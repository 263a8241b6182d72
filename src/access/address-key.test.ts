import { expect, test } from 'vitest'
import { addressKey } from './address-key.ts'

test.for([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:DB8:0:0:ffff::1', '2001:db8:0:0'],
  ['2001:db8:0:1::1', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['not an address', 'not an address'],
])('%s counts as %s', ([address = '', key]) => {
  expect(addressKey(address)).toBe(key)
})
