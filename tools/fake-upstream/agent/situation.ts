/** What the agent model finds when its turn comes, in the words of no protocol. */
import type { JsonObject } from '../json.ts'
import type { StreamEvent } from '../wire.ts'
import type { Refusal } from '../failures.ts'
import type { Usage } from '../usage.ts'

/** `custom` takes free text in place of JSON arguments; a namespace is a named set of tools. Both: responses alone. */
export interface OfferedTool {
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly namespace: string | null
  readonly schema: JsonObject
}

export interface Situation {
  readonly stream: boolean
  /** Whether a stream ends with usage. */
  readonly includeUsage: boolean
  /** The tools that may be called; empty where calling was forbidden. */
  readonly tools: readonly OfferedTool[]
  /** What the users said, oldest first, piece by piece. */
  readonly spoken: readonly string[]
  /** What the tools answered since the model's last call; null when the conversation doesn't end with that. */
  readonly toolResult: string | null
  /** `hidden`: it thinks, and shows the signature alone. */
  readonly thinking: 'none' | 'shown' | 'hidden'
}

export interface AgentCall {
  readonly tool: OfferedTool
  /** The arguments of a function. */
  readonly arguments: JsonObject
  /** The text for a custom tool; else the arguments as JSON. */
  readonly input: string
}

/** What it says. */
export interface Turn {
  /** Null: it doesn't think. */
  readonly thought: string | null
  readonly text: string
  readonly call: AgentCall | null
}

export interface AgentAnswer {
  readonly model: string
  /** Hexadecimal; every id in the answer is made of it. */
  readonly id: string
  readonly turn: Turn
  readonly situation: Situation
  readonly usage: Usage
  readonly request: JsonObject
}

/** One protocol, as strict as its provider. */
export interface AgentWire {
  /** The rule that the request breaks; null when it breaks none. `header` reads one of its headers. */
  judge(request: JsonObject, header: (name: string) => string): Refusal | null
  read(request: JsonObject): Situation
  writeWhole(answer: AgentAnswer): JsonObject
  writeStream(answer: AgentAnswer): StreamEvent[]
}
