import type { IncomingHttpHeaders } from 'node:http'
import type { ServiceTerms } from '../../core/terms.ts'
import type { ClientAnswer } from '../answer/client-answer.ts'
import type { GatewayParts } from '../parts.ts'
import type { RequestTrace } from '../request/trace.ts'
import type { PreparedRequest } from '../request/prepared.ts'
import type { Ending } from '../request/record.ts'

/** What one exchange works with. */
export interface ExchangeContext {
  readonly parts: GatewayParts
  /** Prepared anew where it goes on in another group of its key. */
  prepared: PreparedRequest
  readonly trace: RequestTrace
  readonly answer: ClientAnswer
  /** The client's. */
  readonly headers: IncomingHttpHeaders
  /** Answers instead of upstreams that have no such endpoint, where the gateway can (token counts); null: they have to. */
  readonly answerLocally: (() => void) | null
  /** Takes down an answer that may be given again; left out: none. */
  recording?: AnswerRecorder | null
}

/** What records an answer as it goes to its client. */
export interface AnswerRecorder {
  /** More of a stream went out. */
  add(bytes: Buffer): void
  /** The answer came to its good end and is in the books. */
  keep(end: RecordedEnd): void
}

/** What is known of an answer at its good end. */
export interface RecordedEnd {
  readonly contentType: string
  readonly isStream: boolean
  /** The whole body, or the last bytes of a stream. */
  readonly last: Buffer
  readonly dropped: readonly string[]
  readonly ending: Ending
  readonly terms?: ServiceTerms | undefined
  /** The upstream keeps it for later, under an id that stands in it. */
  readonly isStored: boolean
}
