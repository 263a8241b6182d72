import { expect, test } from 'vitest'
import { threadCount, tooFewCores } from './thread-count.ts'

test.for([
  { wanted: 1, cores: 8, canSharePort: true, threads: 1, isLess: false },
  { wanted: 4, cores: 2, canSharePort: true, threads: 4, isLess: false },
  { wanted: 'auto', cores: 1, canSharePort: true, threads: 1, isLess: false },
  { wanted: 'auto', cores: 2, canSharePort: true, threads: 1, isLess: false },
  { wanted: 'auto', cores: 3, canSharePort: true, threads: 3, isLess: false },
  { wanted: 'auto', cores: 500, canSharePort: true, threads: 32, isLess: false },
  { wanted: 'auto', cores: 8, canSharePort: false, threads: 1, isLess: false },
  { wanted: 4, cores: 8, canSharePort: false, threads: 1, isLess: true },
] as const)('$wanted on $cores cores (one port for several: $canSharePort) is $threads', (given) => {
  const { threads, lackedBecause } = threadCount(given.wanted, given)
  expect([threads, lackedBecause !== null]).toEqual([given.threads, given.isLess])
})

test('a number that so few cores make slower is said, with what to do', () => {
  expect(tooFewCores(2, 2)).toMatch(/TOLLGATE_WORKERS is 2 on 2 cores: with fewer than 3, .* unset it/)
  expect(tooFewCores(4, 1)).toMatch(/is 4 on one core/)
  for (const [wanted, cores] of [
    [1, 1],
    ['auto', 2],
    [2, 3],
  ] as const)
    expect(tooFewCores(wanted, cores)).toBe(null)
})
