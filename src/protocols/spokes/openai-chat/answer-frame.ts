import type { ClientCall } from '../../hub/spoke.ts'
import { madeUpId } from '../../stream/early-usage.ts'

/** What an answer and all chunks of a stream have in common. `created` in seconds since 1970. */
export interface AnswerFrame {
  readonly id: string
  readonly created: number
  readonly model: string
}

export function answerFrame({ requestId, nowMs, model }: ClientCall): AnswerFrame {
  return { id: madeUpId('chatcmpl-', requestId), created: Math.floor(nowMs / 1000), model }
}

/** Whether the client asked in the form of 2023: it reads calls as `function_call` and nothing else. */
export function asksForFunctions({ asked }: ClientCall): boolean {
  const { functions, tools } = asked
  return Array.isArray(functions) && functions.length > 0 && (tools ?? null) === null
}
