/** How much memory each subject takes: before any request, at its most, and when the loads are over. */
import { readProcessTree, residentMb } from '../machine/process-tree.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Series } from './series.ts'
import type { SubjectName } from '../workloads.ts'

/** A gateway that has just started still collects its garbage. */
const IDLE_MS = 2_000
/** Long enough for whatever a gateway gives back when nothing is asked of it. */
const AFTER_MS = 30_000

/** The memory of one subject, in MB. */
export interface MemoryUse {
  readonly name: SubjectName
  readonly idleMb: number
  /** The most that it had after a round; null: there was no round. */
  readonly mostMb: number | null
  /** 30 s after the last load; null: not waited for. */
  readonly afterMb: number | null
}

export class MemoryNotes {
  readonly #subjects: readonly Subject[]
  #taken: readonly MemoryUse[]

  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects
    this.#taken = subjects.map(({ name }) => ({ name, idleMb: 0, mostMb: null, afterMb: null }))
  }

  get taken(): readonly MemoryUse[] {
    return this.#taken
  }

  /** Waits until the start is over. */
  async noteIdle(): Promise<void> {
    const found = await this.#after(IDLE_MS)
    this.#taken = this.#taken.map((use) => ({ ...use, idleMb: found.get(use.name) ?? 0 }))
  }

  noteRounds({ turns }: Series): void {
    this.#taken = this.#taken.map((use) => {
      const all = [use.mostMb, ...turns.map((turn) => turn[use.name]?.residentMb)].filter((mb) => mb != null)
      return { ...use, mostMb: all.length === 0 ? null : Math.max(...all) }
    })
  }

  /** Waits until the loads are over, and what they left. */
  async noteAfter(): Promise<void> {
    const found = await this.#after(AFTER_MS)
    this.#taken = this.#taken.map((use) => ({ ...use, afterMb: found.get(use.name) ?? null }))
  }

  async #after(ms: number): Promise<ReadonlyMap<SubjectName, number>> {
    await new Promise((wake) => setTimeout(wake, ms))
    const found = new Map<SubjectName, number>()
    for (const { name, pid } of this.#subjects) {
      if (pid !== null) found.set(name, residentMb(await readProcessTree(pid)))
    }
    return found
  }
}
