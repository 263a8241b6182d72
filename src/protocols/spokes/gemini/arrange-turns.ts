import { append, mergedTurns } from '../../hub/merged-turns.ts'
import type { AssistantTurn, SystemTurn, TextPart, Turn, UserTurn } from '../../hub/neutral-request.ts'

/** A conversation as this wire has it: the system text in front, and then user and model by turns. */
export interface GeminiTurns {
  readonly system: readonly TextPart[]
  readonly turns: readonly (UserTurn | AssistantTurn)[]
}

/**
 * System text before the model's first answer goes in front; later system text stays where it is, as the
 * user's, marked. Google wants a user's turn first, and something in it.
 */
export function arrangeTurns(given: readonly Turn[]): GeminiTurns {
  const firstAnswer = given.findIndex(({ role }) => role === 'assistant')
  const system: TextPart[] = []
  const rest: (UserTurn | AssistantTurn)[] = []
  given.forEach((turn, i) => {
    if (turn.role === 'user' || turn.role === 'assistant') rest.push(turn)
    else if (firstAnswer < 0 || i < firstAnswer)
      append(
        system,
        turn.parts.filter(({ text }) => text !== ''),
      )
    else rest.push(asUser(turn))
  })
  const turns: (UserTurn | AssistantTurn)[] = []
  for (const turn of mergedTurns(rest.filter(({ parts }) => parts.length > 0))) {
    if (turn.role === 'user') turns.push(resultsFirst(turn))
    else if (turn.role === 'assistant') turns.push(turn)
  }
  if (turns[0]?.role === 'user') return { system, turns }
  if (turns.length === 0 && system.length > 0) return { system: [], turns: [{ role: 'user', parts: system, at: '' }] }
  const begin: TextPart = { kind: 'text', text: NO_USER, at: '' }
  return { system, turns: turns.length === 0 ? [] : [{ role: 'user', parts: [begin], at: '' }, ...turns] }
}

/** What stands for a turn of the user that is missing. */
const NO_USER = '<system>\nThe conversation begins with the assistant.\n</system>'

function asUser({ parts, at }: SystemTurn): UserTurn {
  const text = parts.map((part) => part.text).join('\n')
  return { role: 'user', parts: text === '' ? [] : [{ kind: 'text', text: `<system>\n${text}\n</system>`, at }], at }
}

/** Results have to follow the calls that they are for. */
function resultsFirst(turn: UserTurn): UserTurn {
  const results = turn.parts.filter((part) => part.kind === 'tool_result')
  if (results.length === 0) return turn
  return { ...turn, parts: [...results, ...turn.parts.filter((part) => part.kind !== 'tool_result')] }
}
