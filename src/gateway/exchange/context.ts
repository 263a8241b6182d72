import type { IncomingHttpHeaders } from 'node:http'
import type { AnswerRecording } from '../cache/answer-recording.ts'
import type { ClientAnswer } from '../answer/client-answer.ts'
import type { GatewayParts } from '../parts.ts'
import type { PreparedRequest } from '../arrival/prepare.ts'
import type { RequestTrace } from '../request/trace.ts'

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
  recording?: AnswerRecording | null
}
