import { CallsByName } from './calls-by-name.ts'
import type { AssistantTurn, TextPart, ToolResultPart, Turn, UserPart, UserTurn } from './neutral-request.ts'
import type { Notes } from './notes.ts'

/**
 * The conversation with one result directly behind the answer that called for it, for each call and in the order of the
 * calls. Agents that were interrupted or shortened their history send calls without results, results without calls and
 * results twice, and every provider refuses the whole conversation for any of these, again with each request.
 *
 * A missing result is one that says so, marked as failed. A result without a call becomes what its user says. Of two results
 * for one call the later one stands. Each is named by its place in the client's body.
 */
export function pairedCalls(turns: readonly Turn[], notes: Notes): readonly Turn[] {
  if (!turns.some(hasCallsOrResults)) return turns
  const answers = answersOf(turns)
  const orphans = new Set(matched(turns, answers, notes))
  const behind = new Map(answers.map((answer) => [answer.last, resultsOf(answer, notes)]))
  return turns.flatMap((turn, i): Turn[] => {
    const kept = turn.role === 'user' ? withoutResults(turn, orphans, notes) : turn
    const results = behind.get(i)
    const own = kept.role === 'user' && kept !== turn && kept.parts.length === 0 ? [] : [kept]
    return results === undefined ? own : [...own, results]
  })
}

interface PairedCall {
  readonly id: string
  readonly at: string
  result: ToolResultPart | null
}

/** The calls of one answer, which may be several turns in a row; `last` is the index of the last of these. */
interface AnswerCalls {
  readonly calls: PairedCall[]
  readonly first: number
  last: number
}

function hasCallsOrResults(turn: Turn): boolean {
  if (turn.role === 'assistant') return turn.parts.some(({ kind }) => kind === 'tool_call')
  return turn.role === 'user' && turn.parts.some(({ kind }) => kind === 'tool_result')
}

/** Answers with calls in them, in their order. */
function answersOf(turns: readonly Turn[]): readonly AnswerCalls[] {
  const answers: AnswerCalls[] = []
  let open: AnswerCalls | null = null
  for (const [i, turn] of turns.entries()) {
    if (turn.role !== 'assistant') {
      open = null
      continue
    }
    open ??= { calls: [], first: i, last: i }
    open.last = i
    const calls = callsOf(turn)
    if (calls.length > 0 && open.calls.length === 0) answers.push(open)
    for (const call of calls) open.calls.push(call)
  }
  return answers
}

function callsOf({ parts }: AssistantTurn): readonly PairedCall[] {
  return parts.flatMap((part) => (part.kind === 'tool_call' ? [{ id: part.id, at: part.at, result: null }] : []))
}

/** Gives every call its result, and returns the results that belong to none. */
function matched(turns: readonly Turn[], answers: readonly AnswerCalls[], notes: Notes): readonly ToolResultPart[] {
  const calls = new CallsById(answers)
  const early: ToolResultPart[] = []
  let next = 0
  for (const [i, turn] of turns.entries()) {
    for (let answer = answers[next]; answer !== undefined && answer.first <= i; answer = answers[next]) {
      calls.open(answer)
      next += 1
    }
    if (turn.role !== 'user') continue
    for (const part of turn.parts) if (part.kind === 'tool_result' && !calls.answer(part, notes)) early.push(part)
  }
  // What is left came before its call, or belongs to none.
  return early.filter((part) => !calls.answerLate(part))
}

/** Ids come again in a conversation: some upstreams number the calls of each answer anew, or give all the same. */
class CallsById {
  /** Calls of the latest answer that has an id, by that id. */
  readonly #latest = new CallsByName(isWaiting)
  /** Calls of all answers, by their ids. */
  readonly #all = new CallsByName(isWaiting)

  constructor(answers: readonly AnswerCalls[]) {
    for (const { calls } of answers) for (const call of calls) this.#all.add(call.id, call)
  }

  open({ calls }: AnswerCalls): void {
    for (const { id } of calls) this.#latest.forget(id)
    for (const call of calls) this.#latest.add(call.id, call)
  }

  /** False: no answer before it has such a call. */
  answer(result: ToolResultPart, notes: Notes): boolean {
    const call = this.#latest.firstOpen(result.callId) ?? this.#latest.last(result.callId)
    if (call === undefined) return false
    if (call.result !== null) notes.drop(`${call.result.at}.${REPEATED}`)
    call.result = result
    return true
  }

  /** Pairs a result in front of its call with the first such call that has none. */
  answerLate(result: ToolResultPart): boolean {
    const call = this.#all.firstOpen(result.callId)
    if (call === undefined) return false
    call.result = result
    return true
  }
}

function isWaiting({ result }: PairedCall): boolean {
  return result === null
}

function resultsOf({ calls }: AnswerCalls, notes: Notes): UserTurn {
  const parts = calls.map((call) => call.result ?? missingResult(call, notes))
  return { role: 'user', parts, at: parts[0]?.at ?? '' }
}

function missingResult({ id, at }: PairedCall, notes: Notes): ToolResultPart {
  notes.drop(`${at}.${MISSING}`)
  return { kind: 'tool_result', callId: id, parts: [{ kind: 'text', text: NO_RESULT, at }], isError: true, at }
}

/** What else the user said, with results that belong to no call as text in their place. */
function withoutResults(turn: UserTurn, orphans: ReadonlySet<ToolResultPart>, notes: Notes): UserTurn {
  if (!turn.parts.some(({ kind }) => kind === 'tool_result')) return turn
  const parts = turn.parts.flatMap((part): UserPart[] => {
    if (part.kind !== 'tool_result') return [part]
    if (!orphans.has(part)) return []
    notes.drop(`${part.at}.${ORPHAN}`)
    const heading: TextPart = { kind: 'text', text: part.isError ? FAILED_ORPHAN : ORPHAN_HEADING, at: part.at }
    return [heading, ...part.parts]
  })
  return { ...turn, parts }
}

/** The names in the header, behind the place in the client's body. */
const MISSING = 'missing_result'
const ORPHAN = 'result_without_call'
const REPEATED = 'repeated_result'

const NO_RESULT =
  'No result of this call was recorded: it was interrupted, or its result is no longer in the conversation.'
const ORPHAN_HEADING = 'Result of an earlier tool call that is no longer in the conversation:'
const FAILED_ORPHAN = 'Error of an earlier tool call that is no longer in the conversation:'
