import { createHash } from 'node:crypto'
import type { AssistantPart, Turn, UserPart } from './neutral-request.ts'

const NINE = /^[a-zA-Z0-9]{9}$/

/** The conversation with ids of nine letters and digits; the same id becomes the same, so that results still find their calls. */
export function withNineCharacterIds(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn): Turn => {
    if (turn.role === 'assistant') return { ...turn, parts: turn.parts.map(callWithNine) }
    return turn.role === 'user' ? { ...turn, parts: turn.parts.map(resultWithNine) } : turn
  })
}

function callWithNine(part: AssistantPart): AssistantPart {
  return part.kind === 'tool_call' ? { ...part, id: nineOf(part.id) } : part
}

function resultWithNine(part: UserPart): UserPart {
  return part.kind === 'tool_result' ? { ...part, callId: nineOf(part.callId) } : part
}

function nineOf(id: string): string {
  return NINE.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9)
}
