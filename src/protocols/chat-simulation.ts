import type { TokenCounts } from '../core/tokens.ts'
import type { ChatWire } from '../core/wire.ts'
import { partsOfAnswer } from './hub/answer-parts.ts'
import { clientCall } from './hub/client-call.ts'
import type { JsonObject } from './json/json-object.ts'
import type { NeutralAnswer } from './hub/neutral-answer.ts'
import type { NeutralRequest } from './hub/neutral-request.ts'
import { LenientNotes } from './hub/notes.ts'
import type { ClientCall } from './hub/spoke.ts'
import { fieldsOf } from './json/json-object.ts'
import { SPOKES } from './translation.ts'

export type { NeutralAnswer } from './hub/neutral-answer.ts'
export type { AnswerBlock, NeutralRequest, Tool, Turn } from './hub/neutral-request.ts'

/** One request that is answered in this process, on the wire that it came in. */
export interface SimulatedCall {
  readonly wire: ChatWire
  readonly body: JsonObject
  /** What `readSimulatedRequest` made of the body. */
  readonly request: NeutralRequest
  /** The name of the model in the answer. */
  readonly model: string
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

export interface SimulatedAnswer {
  readonly answer: NeutralAnswer
  readonly usage: TokenCounts
}

/**
 * Reads a request as its model means it, passing over what it does not know. Throws the fault `request_invalid` naming a
 * field whose value cannot be read.
 */
export function readSimulatedRequest(wire: ChatWire, body: JsonObject): NeutralRequest {
  return SPOKES[wire].readRequest(body, new LenientNotes())
}

/** Returns the body of the whole answer. */
export function writeSimulatedAnswer(call: SimulatedCall, { answer, usage }: SimulatedAnswer): JsonObject {
  return SPOKES[call.wire].writeAnswer(answer, clientCallOf(call), usage)
}

/** Writes the answer as a stream: what it yields is one or more whole events. `piecesOf` cuts texts into deltas. */
export function* streamSimulatedAnswer(
  call: SimulatedCall,
  { answer, usage }: SimulatedAnswer,
  piecesOf: (text: string) => Iterable<string>,
): Generator<string> {
  const writer = SPOKES[call.wire].openWriter({ ...clientCallOf(call), usedInput: usage })
  for (const part of partsOfAnswer(answer, piecesOf)) {
    const events = writer.write(part)
    if (events !== '') yield events
  }
  yield writer.end({ reported: usage, estimatedOutputTokens: usage.output ?? 0 })
}

function clientCallOf({ wire, body, request, model, requestId, nowMs }: SimulatedCall): ClientCall {
  const includeUsage = fieldsOf(body['stream_options'])['include_usage'] === true
  return clientCall(SPOKES[wire], { json: body, request }, { requestId, model, nowMs, includeUsage })
}
