import { expect, test } from 'vitest'
import { threadCount } from './thread-count.ts'

test.for([
  { wanted: 1, cores: 8, canSharePort: true, threads: 1, isLess: false },
  { wanted: 4, cores: 2, canSharePort: true, threads: 4, isLess: false },
  { wanted: 'auto', cores: 2, canSharePort: true, threads: 2, isLess: false },
  { wanted: 'auto', cores: 500, canSharePort: true, threads: 32, isLess: false },
  { wanted: 'auto', cores: 8, canSharePort: false, threads: 1, isLess: false },
  { wanted: 4, cores: 8, canSharePort: false, threads: 1, isLess: true },
] as const)('$wanted on $cores cores (one port for several: $canSharePort) is $threads', (given) => {
  const { threads, lackedBecause } = threadCount(given.wanted, given)
  expect([threads, lackedBecause !== null]).toEqual([given.threads, given.isLess])
})
