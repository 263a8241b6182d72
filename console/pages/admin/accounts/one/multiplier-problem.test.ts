import { expect, test } from 'vitest'
import { multiplierProblem } from './multiplier-problem.ts'

test('a multiplier is a decimal number of at most the group’s, or none', () => {
  for (const fine of ['', ' ', '0', '0.5', '0,5', ' 0.8 ', '0.800000'])
    expect(multiplierProblem(fine, '0.8')).toBeNull()
  for (const wrong of ['half', '-1', '1e3', '0,5,5', '0.1234567']) expect(multiplierProblem(wrong, '0.8')).toBe('form')
  for (const more of ['0.800001', '1']) expect(multiplierProblem(more, '0.8')).toBe('too_high')
})
