import { append, mergedTurns } from './merged-turns.ts'
import type { AssistantTurn, ProviderSignature, SystemTurn, TextPart, Turn, UserTurn } from './neutral-request.ts'
import type { Notes } from './notes.ts'

/** A conversation as Anthropic's messages and Bedrock's Converse have it: the system text in front, then user and assistant by turns. */
export interface ArrangedTurns {
  readonly system: readonly TextPart[]
  readonly turns: readonly (UserTurn | AssistantTurn)[]
}

interface ArrangeOptions {
  readonly notes: Notes
  /** Whether reasoning can be read by the upstream; other reasoning is left out. */
  readonly isReadable: (opaque: ProviderSignature) => boolean
}

/**
 * System text before the model's first answer goes in front; later system text stays where it is, as the
 * user's, marked. Texts without a letter are left out, since Anthropic and Bedrock refuse them.
 */
export function arrangeTurns(given: readonly Turn[], options: ArrangeOptions): ArrangedTurns {
  const firstAnswer = given.findIndex(({ role }) => role === 'assistant')
  const system: TextPart[] = []
  const rest: Turn[] = []
  given.forEach((turn, i) => {
    const isOperators = turn.role === 'system' || turn.role === 'developer'
    if (isOperators && (firstAnswer < 0 || i < firstAnswer)) append(system, turn.parts.filter(saysSomething))
    else rest.push(isOperators ? asUser(turn) : sendable(turn, options))
  })
  const turns: (UserTurn | AssistantTurn)[] = []
  for (const turn of mergedTurns(rest.filter(({ parts }) => parts.length > 0))) {
    if (turn.role === 'user') turns.push(resultsFirst(turn))
    else if (turn.role === 'assistant') turns.push(callsLast(turn))
  }
  return withUserInFront({ system, turns })
}

/** What stands for a turn of the user that is missing. */
const NO_USER = '<system>\nThe conversation begins with the assistant.\n</system>'

/** The first turn has to be the user's. Without one, the system text is all there is to answer. */
function withUserInFront({ system, turns }: ArrangedTurns): ArrangedTurns {
  if (turns[0]?.role === 'user') return { system, turns }
  const last = turns.length === 0 ? system.at(-1) : undefined
  if (last !== undefined) return { system: system.slice(0, -1), turns: [userTurn([last], last.at)] }
  if (turns.length === 0) return { system, turns }
  return { system, turns: [userTurn([{ kind: 'text', text: NO_USER, at: 'messages' }], 'messages'), ...turns] }
}

function userTurn(parts: UserTurn['parts'], at: string): UserTurn {
  return { role: 'user', parts, at }
}

function asUser({ parts, at }: SystemTurn): UserTurn {
  const said = parts.filter(saysSomething)
  if (said.length === 0) return userTurn([], at)
  const text = `<system>\n${said.map((part) => part.text).join('\n')}\n</system>`
  const cache = said.findLast((part) => part.cache !== undefined)?.cache
  return userTurn([{ kind: 'text', text, at, ...(cache === undefined ? {} : { cache }) }], at)
}

function sendable(turn: Turn, { notes, isReadable }: ArrangeOptions): Turn {
  if (turn.role === 'user')
    return { ...turn, parts: turn.parts.filter((part) => part.kind !== 'text' || saysSomething(part)) }
  if (turn.role !== 'assistant') return turn
  const parts = turn.parts.filter((part) => {
    if (part.kind === 'text' || part.kind === 'refusal') return saysSomething(part)
    if (part.kind !== 'reasoning') return true
    const isOwn = part.opaque !== null && part.opaque.data !== '' && isReadable(part.opaque)
    if (!isOwn) notes.drop(`${part.at}.reasoning`)
    return isOwn
  })
  return { ...turn, parts }
}

/** Words behind a call stand between it and its result: they go in front of the calls of their answer. */
function callsLast(turn: AssistantTurn): AssistantTurn {
  const first = turn.parts.findIndex(({ kind }) => kind === 'tool_call')
  const isLast = first < 0 || turn.parts.slice(first).every(({ kind }) => kind !== 'text' && kind !== 'refusal')
  if (isLast) return turn
  const calls = turn.parts.filter(({ kind }) => kind === 'tool_call')
  return { ...turn, parts: [...turn.parts.filter(({ kind }) => kind !== 'tool_call'), ...calls] }
}

/** The results of calls have to stand before anything else that the user says. */
function resultsFirst(turn: UserTurn): UserTurn {
  const results = turn.parts.filter((part) => part.kind === 'tool_result')
  if (results.length === 0) return turn
  return { ...turn, parts: [...results, ...turn.parts.filter((part) => part.kind !== 'tool_result')] }
}

/** Text of white space alone is refused as well. */
function saysSomething({ text }: { readonly text: string }): boolean {
  return /\S/.test(text)
}
