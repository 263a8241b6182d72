import type { ClientAnswer } from './client-answer.ts'
import type { GatewayParts } from './parts.ts'
import type { PreparedRequest } from './prepare.ts'
import type { RequestTrace } from './request-trace.ts'

/** What one exchange works with. */
export interface ExchangeContext {
  readonly parts: GatewayParts
  readonly prepared: PreparedRequest
  readonly trace: RequestTrace
  readonly answer: ClientAnswer
  readonly rawHeaders: readonly string[]
  readonly upstreamPath: string
}
