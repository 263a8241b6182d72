import { atOnce, type Steps } from '../../core/turns.ts'
import type { RequestAbout, RequestHead } from '../protocol.ts'

type InSteps = (body: Buffer, about?: RequestAbout) => Steps<RequestHead>

/** One way to read requests, as a protocol has it: in steps, and at once for bodies that take no longer than one. */
export function bothWays(requestSteps: InSteps): {
  readonly requestSteps: InSteps
  readRequest(body: Buffer, about?: RequestAbout): RequestHead
} {
  return { requestSteps, readRequest: (body, about) => atOnce(requestSteps(body, about)) }
}
