/**
 * For every test file, before it is imported: fails a file of the short suite that takes too much of the processor, by its
 * name. Not by the clock: a file must not fail because the machine is busy with other things.
 */
import { afterAll } from 'vitest'
import { overBudget, processorMs } from './processor-budget.ts'
import { isLongSuite } from './suite.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What its worker had of the processor while the file ran, with the processes that it started and that ended. */
    processorMs?: number
  }
}

const beforeMs = processorMs()

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures a hook wants: none.
afterAll(({}, file) => {
  const tookMs = processorMs() - beforeMs
  Object.assign(file.meta, { processorMs: tookMs })
  const complaint = isLongSuite ? null : overBudget(file.name, tookMs)
  if (complaint !== null) throw new Error(complaint)
})
