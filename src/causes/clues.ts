import type { ChatWire } from '../core/wire.ts'
import type { Answered } from './answerers.ts'
import type { CloudRefusal } from './cloud-refusals.ts'
import type { ConnectionFailure } from './connection-texts.ts'
import type { FoundFault } from './found-faults.ts'

/** What a text reports of something that failed. No secret is in it: of a key, its last four characters at the most. */
export interface Clues {
  readonly request: string | null
  /** The last four characters of a key that has the form of one of this gateway. */
  readonly end: string | null
  readonly model: string | null
  readonly protocol: ChatWire | null
  readonly status: number | null
  /** No gateway answered. */
  readonly failure: ConnectionFailure | null
  /** Something other than this gateway answered, by its words. */
  readonly answered: Answered | null
  /** A cloud refused it, by its words. */
  readonly cloud: CloudRefusal | null
  /** The origin of an address that is not this gateway's. */
  readonly elsewhere: string | null
  /** What is wrong, as far as the text alone shows it: each row of the table of faults once, the surest first. */
  readonly found: readonly FoundFault[]
  /** What was recognised, for the reader. */
  readonly seen: readonly SeenClue[]
}

export const SEEN = [
  'request',
  'key',
  'key_end',
  'foreign_key',
  'address',
  'error',
  'answer',
  'model',
  'failure',
  'status',
] as const
export type SeenClue = (typeof SEEN)[number]

export const NOTHING: Clues = {
  request: null,
  end: null,
  model: null,
  protocol: null,
  status: null,
  failure: null,
  answered: null,
  cloud: null,
  elsewhere: null,
  found: [],
  seen: [],
}
