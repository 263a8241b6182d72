/** What the fake upstream knows of one chat protocol: how to read a call, and how to write an answer whole or as events. */
import type { JsonObject } from './json.ts'
import type { Sentinel } from './model-name.ts'
import type { Usage } from './usage.ts'

export type WireName = 'chat' | 'responses' | 'messages' | 'gemini'

export interface ToolCall {
  readonly name: string
  /** The arguments as JSON. */
  readonly argumentsJson: string
}

/** What a call asks for, in the words of no protocol. */
export interface Ask {
  readonly stream: boolean
  /** Whether a stream ends with usage: always, except on the chat wire where it must be asked for. */
  readonly includeUsage: boolean
  /** Text of the last user message or tool result. */
  readonly lastText: string
  readonly lastIsToolResult: boolean
  readonly tool: ToolCall | null
  /** The most tokens that the answer may have; null: the call says none. */
  readonly outputLimit: number | null
}

/** What is answered. Written as a stream or whole, it has the same content and usage. */
export interface Answer {
  readonly model: string
  readonly sentinel: Sentinel
  /** Hexadecimal; every id in the answer is made of it. */
  readonly id: string
  /** The text, or with `tool` its arguments, in the pieces in which it is streamed. */
  readonly pieces: readonly string[]
  readonly tool: ToolCall | null
  /** Set where the answer ends because the call’s output limit is reached. */
  readonly isCut: boolean
  /** Null: the answer says nothing about usage. */
  readonly usage: Usage | null
  readonly includeUsage: boolean
  /** The call's body, for protocols that repeat it in the answer. */
  readonly request: JsonObject
}

/** One server-sent event with everything that belongs to it. `reports`: the usage a reader knows after it. */
export interface StreamEvent {
  readonly text: string
  readonly reports?: Usage | null
}

export interface Wire {
  readonly name: WireName
  readAsk(body: JsonObject): Ask
  /** The answer as one JSON document. */
  writeWhole(answer: Answer): string
  writeStream(answer: Answer): StreamEvent[]
  /** The protocol's own error event; `index` is its place in the stream. */
  writeErrorEvent(answer: Answer, place: { readonly index: number; readonly bare: boolean }): string
}

/** When every answer was created: a constant, so that equal calls get equal bytes. Unix time in seconds. */
export const CREATED_AT_SECONDS = 1_780_000_000

/** What an error event in the middle of a stream says. */
export const MID_STREAM_ERROR = 'The fake upstream broke off on purpose.'

/** The event of a growing count stands after this piece. */
export function isMiddlePiece(answer: Answer, index: number): boolean {
  return index === Math.floor((answer.pieces.length - 1) / 2)
}
