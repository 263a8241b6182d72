/** Something that requests can be sent to, and that takes CPU time to pass them on. */
import type { Workload } from '../workload.ts'

export interface Subject {
  readonly name: SubjectName
  /** Root of its process tree; null: nothing to be measured. */
  readonly pid: number | null
  /** Where and how the requests of this workload are sent to it. */
  target(workload: Workload): Target
  /** The end of what it printed. */
  output(): string
  stop(): Promise<void>
}

export type SubjectName = 'direct' | 'nginx' | 'gateway'

export interface Target {
  readonly port: number
  /** The model's name as this subject knows it. */
  readonly model: string
  /** Value of the Authorization header. */
  readonly authorization: string
}
