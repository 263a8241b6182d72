import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test('a size has the unit that fits', () => {
  expect([0, 999, 1_000, 12_400_000, 3_100_000_000, -2_000_000].map((bytes) => formatBytes(bytes, 'en-GB'))).toEqual([
    '0 byte',
    '999 byte',
    '1 kB',
    '12.4 MB',
    '3.1 GB',
    '-2 MB',
  ])
})
