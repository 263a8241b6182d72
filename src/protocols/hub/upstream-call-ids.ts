import { CallsByName } from './calls-by-name.ts'
import { mergedTurns } from './merged-turns.ts'
import type { AssistantTurn, NeutralRequest, ToolResultPart, Turn, UserPart, UserTurn } from './neutral-request.ts'
import { type CallIdForm, fitsForm, madeCallId, upstreamCallId } from './tool-call-id.ts'

/** What a wire's upstreams take as ids of calls. */
export interface UpstreamIds {
  readonly form: CallIdForm
  /** Whether two calls may have the same one, as the upstream gave it. */
  readonly mayRepeat: boolean
}

/** A request with the ids of its calls and results as the upstream takes them; those that it gave itself are as it gave them. */
export function withUpstreamCallIds(request: NeutralRequest, ids: UpstreamIds): NeutralRequest {
  const renaming = new Renaming(ids)
  const turns: Turn[] = []
  for (const turn of request.turns) {
    if (turn.role === 'assistant') turns.push(renaming.answer(turn))
    else turns.push(turn.role === 'user' ? renaming.results(turn) : turn)
  }
  const { places } = renaming
  if (places.size === 0) return { ...request, turns }
  const sorted = mergedTurns(turns).map((turn) => (turn.role === 'user' ? inOrderOfCalls(turn, places) : turn))
  return { ...request, turns: sorted }
}

/** The upstream's id of a call, with its place among the calls of its answer. */
interface SentCall {
  readonly id: string
  readonly place: number
  /** The number of the answer of the conversation that it belongs to. */
  readonly answer: number
  isAnswered: boolean
}

class Renaming {
  /** The places of the calls of results that only their order tells apart. */
  readonly places = new Map<UserPart, number>()
  readonly #form: CallIdForm
  readonly #mayRepeat: boolean
  readonly #used = new Set<string>()
  /** Calls of the latest answer that has an id, by the client's ids. */
  readonly #calls = new CallsByName<SentCall>(({ isAnswered }) => !isAnswered)
  /** The next number of another id for calls whose client gave them the same one. */
  readonly #numbers = new Map<string, number>()
  #place = 0
  #answer = 0
  #isInAnswer = false
  /** Whether two calls of the answer at hand have the same id at the upstream, which then tells their results by their order. */
  #hasTwins = false
  readonly #ownIds = new Set<string>()

  constructor({ form, mayRepeat }: UpstreamIds) {
    this.#form = form
    this.#mayRepeat = mayRepeat
  }

  answer(turn: AssistantTurn): AssistantTurn {
    if (!this.#isInAnswer) this.#beginAnswer()
    const parts = turn.parts.map((part) => {
      if (part.kind !== 'tool_call') return part
      const id = this.#idOf(part.id)
      this.#hasTwins ||= this.#ownIds.has(id)
      this.#ownIds.add(id)
      return { ...part, id }
    })
    return { ...turn, parts }
  }

  results(turn: UserTurn): UserTurn {
    this.#isInAnswer = false
    const parts = turn.parts.map((part): UserPart => {
      if (part.kind !== 'tool_result') return part
      const call = this.#callOf(part)
      const sent = { ...part, callId: call?.id ?? upstreamCallId(part.callId, this.#form) }
      if (this.#hasTwins && call !== undefined) this.places.set(sent, call.place)
      return sent
    })
    return { ...turn, parts }
  }

  #beginAnswer(): void {
    this.#isInAnswer = true
    this.#hasTwins = false
    this.#ownIds.clear()
    this.#answer += 1
  }

  #idOf(clientId: string): string {
    const id = this.#freeId(clientId)
    this.#used.add(id)
    if (this.#calls.last(clientId)?.answer !== this.#answer) this.#calls.forget(clientId)
    this.#calls.add(clientId, { id, place: this.#place++, answer: this.#answer, isAnswered: false })
    return id
  }

  #freeId(clientId: string): string {
    const id = upstreamCallId(clientId, this.#form)
    if (this.#mayRepeat || !this.#used.has(id)) return id
    if (fitsForm(clientId, this.#form) && !this.#used.has(clientId)) return clientId
    const number = this.#numbers.get(clientId) ?? 1
    this.#numbers.set(clientId, number + 1)
    return madeCallId(`${clientId} ${number}`, this.#form)
  }

  /** The first call of that id that has no result yet; else the last. */
  #callOf({ callId }: ToolResultPart): SentCall | undefined {
    const call = this.#calls.firstOpen(callId) ?? this.#calls.last(callId)
    if (call !== undefined) call.isAnswered = true
    return call
  }
}

/** The results that have a place in the order of their calls; all else stays where it is. */
function inOrderOfCalls(turn: UserTurn, places: ReadonlyMap<UserPart, number>): UserTurn {
  const placed = turn.parts.filter((part) => places.has(part))
  const sorted = placed.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
  let next = 0
  return { ...turn, parts: turn.parts.map((part) => (places.has(part) ? (sorted[next++] ?? part) : part)) }
}
