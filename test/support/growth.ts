/** What each unit of some work costs where there are many of them, as a multiple of what it costs where there are few. */
export interface Sizes {
  readonly few: number
  readonly many: number
}

/**
 * 1: the work is linear. `many / few`: it takes the square of its size. In CPU time of this thread, of as many units either
 * way, so that neither the speed of the machine nor its load changes much.
 */
export function growthOf(work: (size: number) => void, { few, many }: Sizes): number {
  const cpu = { few: 0, many: 0 }
  for (let round = 0; round < ROUNDS_LIMIT && cpu.few + cpu.many < ENOUGH_US; round++) {
    cpu.many += cpuOf(() => work(many))
    cpu.few += cpuOf(() => {
      for (let done = 0; done < many; done += few) work(few)
    })
  }
  return cpu.many / cpu.few
}

/** Collecting garbage costs more where there is more of it; a square is far beyond. */
export const ABOUT_LINEAR = 3.5

const ROUNDS_LIMIT = 10_000
/** The clock of a thread goes in steps of milliseconds. */
const ENOUGH_US = 80_000

function cpuOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
