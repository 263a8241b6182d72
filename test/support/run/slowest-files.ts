/**
 * A reporter: at the end of a run, where its time went. A run of the whole short suite fails by the name of a file that
 * takes too much of the processor. Not by the clock: a file must not fail because the machine is busy with other things.
 */
import type { Reporter, TestModule } from 'vitest/node'
import { overBudget } from './processor-budget.ts'
import { isLongSuite } from './suite.ts'

const SHOWN = 20

export default class SlowestFiles implements Reporter {
  readonly #filesOfSuite: number

  /** `filesOfSuite`: how many a whole run has. One of some files may run from sources, which takes more. */
  constructor({ filesOfSuite }: { readonly filesOfSuite: number }) {
    this.#filesOfSuite = filesOfSuite
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(timeOf).sort((a, b) => b.ms - a.ms)
    if (files.length < this.#filesOfSuite) return
    const parts = Map.groupBy(files, ({ part }) => part)
    const sums = Array.from(parts, ([part, of]) => ({
      part,
      files: of.length,
      ms: of.reduce((sum, { ms }) => sum + ms, 0),
      processorMs: of.reduce((sum, { processorMs }) => sum + processorMs, 0),
    }))
    console.log(`\n Time by part (seconds of a worker, and what it had of the processor)`)
    for (const { part, files: count, ms, processorMs } of sums.sort((a, b) => b.ms - a.ms)) {
      console.log(`${seconds(ms)}${seconds(processorMs)}  ${part}, ${count} files`)
    }
    console.log(`\n The slowest files`)
    for (const { path, ms, processorMs } of files.slice(0, SHOWN)) {
      console.log(`${seconds(ms)}${seconds(processorMs)}  ${path}`)
    }
    if (isLongSuite || files.length < this.#filesOfSuite) return
    const complaints = files.flatMap(({ path, processorMs }) => overBudget(path, processorMs) ?? [])
    for (const complaint of complaints) console.error(`\n FAIL  ${complaint}`)
    if (complaints.length > 0) process.exitCode = 1
  }
}

/** The time of a file with its hooks, its imports and the start of its worker. */
function timeOf(file: TestModule): { path: string; part: string; ms: number; processorMs: number } {
  const { duration, collectDuration, prepareDuration, setupDuration } = file.diagnostic()
  const path = file.relativeModuleId
  const [top = '', folder = ''] = path.split('/')
  return {
    path,
    part: top === 'test' ? `${top}/${folder}` : top,
    ms: duration + collectDuration + prepareDuration + setupDuration,
    processorMs: file.meta().processorMs ?? 0,
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1).padStart(8)
}
