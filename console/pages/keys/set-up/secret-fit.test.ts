import { describe, expect, test } from 'vitest'
import { texts as keysEn } from '../../../dictionaries/keys-en.ts'
import { secretFit, usableSecret } from './secret-fit.ts'

const SECRET = 'sk-tg-Hq7RzW2mXk9vT4cLpB8nYdJ3sFgA6eUoQ1iZx5KwVbMtN0r'
const key = { secret_start: 'sk-tg-Hq7R', secret_end: 'tN0r', overlap: null }

describe('a pasted secret', () => {
  test.each([
    ['', 'empty'],
    [`  ${SECRET}\n`, 'fits'],
    [`${SECRET.slice(0, 20)} ${SECRET.slice(20)}`, 'blank_inside'],
    ['sk-tg-Hq7R…tN0r', 'shortened'],
    [SECRET.slice(0, -5), 'incomplete'],
    [SECRET.replace('Hq7R', 'Hq8R'), 'other_key'],
    [`${SECRET.slice(0, -4)}abcd`, 'other_key'],
    [`"${SECRET}"`, 'fits'],
    [`'${SECRET}',`, 'fits'],
    [`Bearer ${SECRET}`, 'fits'],
    [`Authorization: Bearer ${SECRET}`, 'fits'],
    [SECRET.slice(6), 'start_missing'],
    [SECRET.slice(12), 'start_missing'],
  ] as const)('%j %s', (text, fit) => {
    expect(secretFit(text, key)).toBe(fit)
    expect(usableSecret(text, key)).toBe(fit === 'fits' ? SECRET : null)
  })

  test('that was rotated away is distinguished from a foreign one', () => {
    const rotated = { ...key, overlap: { secret_end: 'p9Qz' } }
    expect(secretFit(`sk-tg-Zz9Q${'x'.repeat(38)}p9Qz`, rotated)).toBe('fits_old')
  })

  test('that is custom fits by its ends, whatever its length', () => {
    const custom = { secret_start: 'ada-laptop', secret_end: '7b3e', overlap: null }
    expect(secretFit('ada-laptop-2f9c61d07b3e', custom)).toBe('fits')
    expect(secretFit('ada-laptop-7b3e', custom)).toBe('incomplete')
  })

  test('is never put into what is said about it', () => {
    expect(JSON.stringify(keysEn.setUp.fits)).not.toContain('sk-tg-')
  })
})
