import { expect, test } from 'vitest'
import {
  formatAgo,
  formatClock,
  formatDuration,
  formatMoment,
  formatRelative,
  formatTime,
  formatTimeZone,
} from './time.ts'

const NOW_MS = Date.parse('2026-11-21T08:30:00Z')

test.for([
  ['2026-11-21T08:29:30Z', '30 seconds ago'],
  ['2026-11-21T08:30:00Z', 'now'],
  ['2026-11-21T08:32:59Z', 'in 2 minutes'],
  ['2026-11-21T05:30:00Z', '3 hours ago'],
  ['2026-11-20T08:30:00Z', 'yesterday'],
  ['2026-12-20T08:30:00Z', 'in 29 days'],
  ['2027-05-21T08:30:00Z', 'in 6 months'],
  ['2024-11-21T08:30:00Z', '2 years ago'],
])('%s is %s', ([time = '', said]) => {
  expect(formatRelative(time, NOW_MS, 'en')).toBe(said)
})

test.for([
  ['2026-11-21T05:30:00Z', '3 小时前'],
  ['2026-11-20T08:30:00Z', '昨天'],
  ['2027-05-21T08:30:00Z', '6 个月后'],
])('in Chinese %s is %s, with a space behind the figure as in every other text', ([time = '', said]) => {
  expect(formatRelative(time, NOW_MS, 'zh-CN')).toBe(said)
})

test.for([
  ['2026-11-21T08:30:22Z', 'minute', 'just now'],
  ['2026-11-21T08:30:22Z', 'second', 'just now'],
  ['2026-11-21T08:29:30Z', 'minute', 'just now'],
  ['2026-11-21T08:29:30Z', 'second', '30 seconds ago'],
  ['2026-11-21T08:27:30Z', 'second', '2 minutes ago'],
] as const)('of the past, %s to the %s is %s, and never in the future', ([time, precision, said]) => {
  expect(formatAgo(time, { nowMs: NOW_MS, language: 'en', precision })).toBe(said)
})

test.for([
  [0, '0 ms'],
  [999, '999 ms'],
  [999.6, '1.0 s'],
  [2_440, '2.4 s'],
  [2_949, '2.9 s'],
  [2_951, '3.0 s'],
  [3_000, '3.0 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min'],
  [60_000, '1 min'],
  [119_600, '2 min'],
  [185_700, '3 min 6 s'],
] as const)('%i ms took %s', ([durationMs, said]) => {
  expect(formatDuration(durationMs, 'en')).toBe(said)
})

test.for([
  ['en', 'h12', '4:05:03 PM'],
  ['en', 'h23', '16:05:03'],
  ['zh-CN', 'h23', '16:05:03'],
] as const)('lists, drawers and “as of” show a moment by one clock in %s with %s', ([language, cycle, shown]) => {
  const time = '2026-11-21T16:05:03'
  const said = [
    formatTime(time, language, { precision: 'second', hourCycle: cycle }),
    formatMoment(time, language, cycle),
    formatClock(Date.parse(time), { nowMs: Date.parse(time), language, hourCycle: cycle }),
  ].map((text) => text.replaceAll('\u202f', ' '))
  expect(said.map((text) => text.endsWith(shown))).toEqual([true, true, true])
})

test('a time zone has the name that its readers know, and its offset', () => {
  expect(formatTimeZone('Asia/Shanghai', 'zh-CN', NOW_MS)).toBe('中国标准时间（UTC+8）')
  expect(formatTimeZone('Europe/Vienna', 'en', NOW_MS)).toBe('Central European Standard Time (UTC+1)')
  expect(formatTimeZone('UTC', 'en', NOW_MS)).toBe('Coordinated Universal Time (UTC)')
  expect(formatTimeZone('Etc/GMT-1', 'en', NOW_MS)).toBe('UTC+1')
  expect(formatTimeZone('Etc/GMT+3', 'zh-CN', NOW_MS)).toBe('UTC−3')
})
