import type { JsonFields } from './json.ts'
import type { DemoModel } from './question.ts'

/** One request as the wires get it: read as JSON or from a form, numbered and dated. */
export interface WireCall {
  readonly body: JsonFields
  readonly model: DemoModel
  /** Letters and digits that name this request; ids are made of it. */
  readonly serial: string
  /** Epoch seconds, as the OpenAI wires write times. */
  readonly nowSeconds: () => number
}

/** What goes back. Each chunk is sent by itself, after a pause. */
export interface WireAnswer {
  readonly status: number
  readonly contentType:
    | 'application/json'
    | 'text/event-stream; charset=utf-8'
    | 'text/plain; charset=utf-8'
    | 'audio/wav'
  readonly chunks: Iterable<string | Buffer>
}

/** Reads a request and answers it. Throws Refusal. */
export type AnswerWire = (call: WireCall) => WireAnswer

export function jsonAnswer(body: JsonFields, status = 200): WireAnswer {
  return { status, contentType: 'application/json', chunks: [JSON.stringify(body)] }
}

export function textAnswer(text: string): WireAnswer {
  return { status: 200, contentType: 'text/plain; charset=utf-8', chunks: [text] }
}

export function soundAnswer(wav: Buffer): WireAnswer {
  return { status: 200, contentType: 'audio/wav', chunks: [wav] }
}

export function streamAnswer(chunks: Iterable<string>): WireAnswer {
  return { status: 200, contentType: 'text/event-stream; charset=utf-8', chunks }
}

/** One event of a stream that names its events: the `type` of the data is the event's name. */
export function namedEvent(data: JsonFields & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The tokens that an answer beside chats reports. */
export function usedTokens(input: number, output: number): JsonFields {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output }
}
