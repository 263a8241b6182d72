/** Something that requests can be sent to, and that takes CPU time to pass them on. */
import type { SubjectName, Target, Workload } from '../workloads.ts'

export interface Subject {
  readonly name: SubjectName
  /** Root of its process tree; null: nothing to be measured. */
  readonly pid: number | null
  /** Where and how the requests of this workload are sent to it. */
  target(workload: Workload): Target
  /** The end of what it printed. */
  output(): string
  /** Ends it and starts it again as it was; only what is measured after its start can do that. */
  restart?(): Promise<void>
  stop(): Promise<void>
}
