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

/** `translating` is the gateway as well, asked for models whose upstream speaks another wire than the client. */
export type SubjectName = 'direct' | 'nginx' | 'gateway' | 'translating'

export interface Target {
  readonly port: number
  /** The model's name as this subject knows it. */
  readonly model: string
  /** Value of the Authorization header. */
  readonly authorization: string
}
