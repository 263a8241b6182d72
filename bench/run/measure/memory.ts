/** How much memory each subject takes: before any request, at its most, and when the loads are over. */
import { readProcessTree, residentMb } from '../machine/process-tree.ts'
import type { Subject } from '../subjects/subject.ts'
import type { SubjectName } from '../subjects/target.ts'
import type { Series } from './series.ts'

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
  readonly #idle = new Map<SubjectName, number>()
  readonly #most = new Map<SubjectName, number>()
  readonly #after = new Map<SubjectName, number>()

  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects
  }

  get taken(): readonly MemoryUse[] {
    return this.#subjects.map(({ name }) => ({
      name,
      idleMb: this.#idle.get(name) ?? 0,
      mostMb: this.#most.get(name) ?? null,
      afterMb: this.#after.get(name) ?? null,
    }))
  }

  /** Waits until the start is over. */
  async noteIdle(): Promise<void> {
    await this.#note(this.#idle, IDLE_MS)
  }

  noteRounds({ turns }: Series): void {
    for (const turn of turns) {
      for (const { name } of this.#subjects) {
        const mb = turn[name]?.residentMb
        if (mb !== undefined) this.#most.set(name, Math.max(mb, this.#most.get(name) ?? 0))
      }
    }
  }

  /** Waits until the loads are over, and what they left. */
  async noteAfter(): Promise<void> {
    await this.#note(this.#after, AFTER_MS)
  }

  async #note(into: Map<SubjectName, number>, afterMs: number): Promise<void> {
    await new Promise((wake) => setTimeout(wake, afterMs))
    for (const { name, pid } of this.#subjects) {
      if (pid !== null) into.set(name, residentMb(await readProcessTree(pid)))
    }
  }
}
