import type { Steps } from '../core/turns.ts'
import type { ChatWire, Wire } from '../core/wire.ts'
import type { Protocol, RequestAbout, RequestHead } from './protocol.ts'
import { protocolOf } from './protocol-of.ts'
import { MisdirectedRequest } from './other-endpoint.ts'

/** A request's head, and the wire of its body where that is not the one of its endpoint. */
export interface ReadHead {
  readonly head: RequestHead
  readonly bodyWire?: ChatWire
}

/**
 * Reads a request of a protocol's endpoint, in another wire's form where the endpoint takes that as well: its answer is of the
 * endpoint's own all the same. Large bodies take several steps. Throws the fault `request_invalid`.
 */
export function* readHeadInSteps(protocol: Protocol, body: Buffer, about: RequestAbout): Steps<ReadHead> {
  try {
    return { head: yield* protocol.requestSteps(body, about) }
  } catch (error) {
    const isTaken = error instanceof MisdirectedRequest && TAKEN_TOO[protocol.wire]?.includes(error.meant) === true
    if (!isTaken) throw error
    const head = yield* protocolOf(error.meant).requestSteps(body, about)
    // Its own wire reports the usage unasked.
    return { head: { ...head, includeUsage: true }, bodyWire: error.meant }
  }
}

/**
 * Cursor sends requests in the form of responses to chat completions and reads the answer as one of those; it has a setting for
 * the base URL and none for the path.
 */
const TAKEN_TOO: Readonly<Partial<Record<Wire, readonly ChatWire[]>>> = { 'openai-chat': ['openai-responses'] }
