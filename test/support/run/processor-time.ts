/** Measures what a test file takes of the processor, for `slowest-files.ts`. Loaded for every file before it is imported. */
import { afterAll } from 'vitest'
import { processorMs } from './processor-budget.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What its worker had of the processor while the file ran, with the processes that it started and that ended. */
    processorMs?: number
  }
}

const beforeMs = processorMs()

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures a hook wants: none.
afterAll(({}, file) => void Object.assign(file.meta, { processorMs: processorMs() - beforeMs }))
