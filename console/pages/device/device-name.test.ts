import { expect, test } from 'vitest'
import { isSameCode, looksLikeCode } from './asked-code.ts'
import { deviceName } from './device-name.ts'

test('a device is named after its client, without the version, and its machine', () => {
  const name = (client: string, machine: string) => deviceName({ client, machine })
  expect(name('Claude Code 2.1.332', 'laptop')).toBe('Claude Code (laptop)')
  expect(name('Claude Code 2.1.332', '')).toBe('Claude Code')
  expect(name('', 'laptop')).toBe('laptop')
  expect(name('', '')).toBeUndefined()
  expect(name('x'.repeat(64), 'y'.repeat(64))).toHaveLength(100)
})

test('a code is the same in any case, with or without its hyphen, and no other', () => {
  expect(isSameCode('bcdf ghjk', 'BCDF-GHJK')).toBe(true)
  expect(isSameCode('BCDF-GHJL', 'BCDF-GHJK')).toBe(false)
  expect(['BCDF-GHJK', 'bcdfghjk', 'BCDF-GHJ', ''].map(looksLikeCode)).toEqual([true, true, false, false])
})
