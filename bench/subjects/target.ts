/** Where a subject takes its requests, and as what. */

/** `translating` is the gateway as well, asked for models whose upstream speaks another wire than the client. */
export type SubjectName = 'direct' | 'nginx' | 'gateway' | 'translating'

export interface Target {
  readonly port: number
  /** The model's name as this subject knows it. */
  readonly model: string
  /** Value of the Authorization header. */
  readonly authorization: string
}
