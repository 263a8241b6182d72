import {
  readSimulatedRequest,
  type SimulatedCall,
  streamSimulatedAnswer,
  writeSimulatedAnswer,
} from '../../protocols/chat-simulation.ts'
import { type ChatWire, WIRES } from '../../core/wire.ts'
import { countInputTokens } from './input-tokens.ts'
import { isObject, type JsonFields, listOf } from './json.ts'
import { readQuestion } from './question.ts'
import { Refusal } from './refusal.ts'
import { think } from './thought.ts'
import { wordsOf } from './tokens.ts'
import { type AnswerWire, type WireCall, jsonAnswer, streamAnswer } from './wire-answer.ts'

/** The simulated model on one chat wire. It thinks in the neutral form, and `protocols` writes that as the wire's. */
export function answerChat(wire: ChatWire): AnswerWire {
  return (call) => {
    const { body, model } = call
    refuseForWire(wire, body)
    const request = readSimulatedRequest(wire, body)
    const answer = think(readQuestion(wire, { model, request }), call.serial)
    const asked: SimulatedCall = { wire, body, request, model, requestId: `req_${call.serial}`, nowMs: nowMsOf(call) }
    if (body['stream'] === true) return streamAnswer(streamSimulatedAnswer(asked, answer, wordsOf))
    return jsonAnswer(writeSimulatedAnswer(asked, answer))
  }
}

/** The number of input tokens, in the field that the wire has for it. */
export function countTokensOf(wire: ChatWire, field: string): AnswerWire {
  return ({ body }) => jsonAnswer({ [field]: countInputTokens(readSimulatedRequest(wire, body)) })
}

function nowMsOf({ nowSeconds }: WireCall): number {
  return nowSeconds() * 1000
}

/** What every request of a wire must have, in the words that its clients know. */
function refuseForWire(wire: ChatWire, body: JsonFields): void {
  const { conversation } = WIRES[wire]
  const required = REQUIRED[wire]
  const said = body[conversation]
  const list = listOf(said)
  const isText = typeof said === 'string' && said !== ''
  if (!isText && (list.length === 0 || !list.every(isObject))) {
    throw new Refusal(`${conversation} takes a list of at least one object.`, { param: conversation })
  }
  if (required !== undefined && (body[required] ?? null) === null) {
    throw new Refusal(`${required}: field required`, { param: required })
  }
  refuseMemory(body)
}

/** Fields that the API of a wire has to be sent. */
const REQUIRED: Readonly<Partial<Record<ChatWire, string>>> = { 'anthropic-messages': 'max_tokens' }

/** Nothing is stored, so a request that builds on an earlier one is refused, by the code that OpenAI has for it. */
function refuseMemory(body: JsonFields): void {
  const previous = 'previous_response_id'
  if ((body[previous] ?? null) === null) return
  const message = 'The previous response is not found: the simulator stores none. Send the whole conversation as input.'
  throw new Refusal(message, { param: previous, code: 'previous_response_not_found' })
}
