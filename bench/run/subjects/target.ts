/** Where a subject takes its requests, and as what. */

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
