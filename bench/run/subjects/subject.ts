/** Something that requests can be sent to, and that takes CPU time to pass them on. */
import type { Workload } from '../workload.ts'

/**
 * `translating` is the gateway as well, asked for models whose upstream speaks another wire than the client. `warm` is
 * the gateway as well, after so many requests that a pause or its start is forgotten. `beside`: another gateway of ours.
 */
export type SubjectName = 'direct' | 'nginx' | 'gateway' | 'warm' | 'translating' | 'beside' | PeerName

/** A gateway of other people. */
export type PeerName = `peer ${string}`

export interface Target {
  readonly port: number
  /** The model's name as this subject knows it. */
  readonly model: string
  /** Value of the Authorization header. */
  readonly authorization: string
}

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
