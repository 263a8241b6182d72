import { expect, test } from 'vitest'
import { HOUR_MS } from '../core/durations.ts'
import { keyedHash } from '../core/secret-box.ts'
import { keyOfSetupMark, setupMark } from './setup-mark.ts'

const hash = keyedHash('a secret that is only for tests, 32 bytes and more')
const NOW = Date.UTC(2026, 10, 23, 12, 34)
const KEY = 'key_01m84ktwgb60zt449x3kqg6074'

test('a mark names its key for half a day, to every node that has the secret of the installation', () => {
  const mark = setupMark(KEY, NOW, hash)
  expect(keyOfSetupMark(mark, NOW + 12 * HOUR_MS, hash)).toBe(KEY)
  expect(keyOfSetupMark(mark, NOW + 13 * HOUR_MS, hash)).toBeNull()
  expect(keyOfSetupMark(mark, NOW, keyedHash('another secret that is only for tests, 32 bytes'))).toBeNull()
})

test('a mark that was not made here names nothing', () => {
  const mark = setupMark(KEY, NOW, hash)
  const [, end = ''] = mark.split('.')
  const later = (Number.parseInt(end, 36) + 1).toString(36)
  const forged = [mark.replace('g6074', 'g6075'), mark.replace(end, later), mark.slice(0, -1), `${mark}x`, KEY, '']
  for (const each of [...forged, undefined, [mark]]) expect(keyOfSetupMark(each, NOW, hash)).toBeNull()
})

test('within an hour the text to copy stays the same', () => {
  expect(setupMark(KEY, NOW + 20 * 60_000, hash)).toBe(setupMark(KEY, NOW, hash))
})
