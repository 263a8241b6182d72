import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { overBudget, processorMs } from './processor-budget.ts'

test('a file that takes more than 20 s of the processor fails the short suite by its name', () => {
  expect(overBudget('test/browser/keys.test.ts', 20_000)).toBeNull()
  expect(overBudget('test/browser/keys.test.ts', 20_001)).toMatch(/^test\/browser\/keys\.test\.ts took 20\.0 s /)
})

const WORK = 'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);'

test('what counts is the work of the worker and of the processes that it started, and not the time that passes', async () => {
  const beforeMs = processorMs()
  execFileSync(process.execPath, ['-e', WORK])
  const withChildMs = processorMs() - beforeMs
  if (process.platform === 'linux') expect(withChildMs).toBeGreaterThan(180)
  const idleMs = processorMs()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(processorMs() - idleMs).toBeLessThan(400)
})
