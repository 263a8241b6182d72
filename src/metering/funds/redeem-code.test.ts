import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newRedeemCode, readRedeemCode, shownParts } from './redeem-code.ts'

const FORM = /^[2-9A-HJKMNP-TV-Z]{4}(-[2-9A-HJKMNP-TV-Z]{4}){4}$/

test('a code is twenty random characters in groups, without any that look alike', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 3000; i++) {
    const code = newRedeemCode(randomBytes)
    expect(code).toMatch(FORM)
    for (const character of code.replaceAll('-', '')) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts.size).toBe(30)
  // 2,000 of each are expected; six standard deviations to either side are 260.
  for (const [character, count] of counts) expect(Math.abs(count - 2000), character).toBeLessThan(260)
})

test('what a person makes of a code is read as that code, and kept parts are its ends', () => {
  const code = 'K7QM-2XHD-9RTA-WV4F-CN8P'
  for (const typed of [
    code,
    code.toLowerCase(),
    'K7QM2XHD9RTAWV4FCN8P',
    ' k7qm 2xhd 9rta\twv4f\ncn8p ',
    'K7QM–2XHD—9RTA‑WV4F−CN8P',
  ]) {
    expect(readRedeemCode(typed), typed).toBe(code)
  }
  expect(shownParts(code)).toEqual({ start: 'K7QM', end: 'CN8P' })
})

test.for([
  '',
  'K7QM-2XHD-9RTA-WV4F-CN8',
  'K7QM-2XHD-9RTA-WV4F-CN8PA',
  'O7QM-2XHD-9RTA-WV4F-CN8P',
  'K1QM-2XHD-9RTA-WV4F-CN8P',
  'K7QM_2XHD_9RTA_WV4F_CN8P',
  '-'.repeat(100_000),
])('%j is not a code', (text) => {
  expect(readRedeemCode(text)).toBeNull()
})

test('a source of randomness that gives nothing useful is an error, not a code', () => {
  expect(() => newRedeemCode((count) => Buffer.alloc(count, 255))).toThrow('randomness')
})
