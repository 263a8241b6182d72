import type { TokenCounts } from '../core/tokens.ts'
import type { HubWire } from '../core/wire.ts'
import { clientCall, type ClientCall } from './hub/spoke.ts'
import { fieldsOf, type JsonObject } from './json/json-object.ts'
import type { BeginOf, NeutralAnswer, StreamPart } from './hub/neutral-answer.ts'
import type { AnswerBlock, NeutralRequest } from './hub/neutral-request.ts'
import { LenientNotes } from './hub/notes.ts'
import { SPOKES } from './translation.ts'

export type { NeutralAnswer } from './hub/neutral-answer.ts'
export type { AnswerBlock, NeutralRequest, Tool, Turn } from './hub/neutral-request.ts'

/** One request that is answered in this process, on the wire that it came in. */
export interface SimulatedCall {
  readonly wire: HubWire
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
export function readSimulatedRequest(wire: HubWire, body: JsonObject): NeutralRequest {
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

/**
 * A whole answer as the parts of a stream. `piecesOf` cuts a text into what each delta holds, none of it empty. The last
 * block of an answer that reached its limit stays open, so that its writer says that it was cut.
 */
export function* partsOfAnswer(
  { choices }: NeutralAnswer,
  piecesOf: (text: string) => Iterable<string>,
): Generator<StreamPart> {
  let next = 0
  for (const [choice, { blocks, stop }] of choices.entries()) {
    for (const [at, each] of blocks.entries()) {
      const block = next++
      yield { kind: 'begin', block, choice, of: beginOf(each) }
      for (const text of piecesOf(each.kind === 'tool_call' ? each.input : each.text)) {
        yield { kind: 'delta', block, text }
      }
      if (each.kind === 'reasoning' && each.opaque !== null) yield { kind: 'opaque', block, opaque: each.opaque }
      const isCut = stop.reason === 'length' && at === blocks.length - 1
      if (!isCut) yield { kind: 'end', block }
    }
    yield { kind: 'stop', choice, stop }
  }
}

function beginOf(block: AnswerBlock): BeginOf {
  if (block.kind !== 'tool_call') return { kind: block.kind }
  const { kind, id, name, isCustom } = block
  return { kind, id, name, isCustom }
}
