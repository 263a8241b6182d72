import type { NeutralAnswer, StreamPart } from './neutral-answer.ts'
import type { AnswerBlock, NeutralRequest } from './neutral-request.ts'
import { hashedCallId, isPortableCallId, wrappedCallId } from './tool-call-id.ts'

/**
 * The ids that a client gets for the calls of one answer: the upstream's own where every provider takes it and no other call of
 * the conversation has it, else one from which it can be read again (`tool-call-id.ts`), so that nothing has to be kept.
 */
export class ClientCallIds {
  readonly #taken: Set<string>
  readonly #limit: number
  readonly #requestId: string
  /** The next number to try for an id of the upstream that came before. */
  readonly #numbers = new Map<string, number>()
  #count = 0

  /** `taken`: those of the conversation so far. `limit`: characters that the client's own provider allows. */
  constructor({ taken, limit, requestId }: { taken: ReadonlySet<string>; limit: number; requestId: string }) {
    this.#taken = new Set(taken)
    this.#limit = limit
    this.#requestId = requestId
  }

  /** The id for the next call of the answer. */
  of(upstreamId: string): string {
    const id = upstreamId === '' ? this.#madeUp() : this.#free(upstreamId)
    this.#taken.add(id)
    return id
  }

  /** A whole answer with the client's ids. */
  restored(answer: NeutralAnswer): NeutralAnswer {
    const restoredBlock = (block: AnswerBlock): AnswerBlock =>
      block.kind === 'tool_call' ? { ...block, id: this.of(block.id) } : block
    return { choices: answer.choices.map((choice) => ({ ...choice, blocks: choice.blocks.map(restoredBlock) })) }
  }

  /** One step of a stream. */
  restoredPart(part: StreamPart): StreamPart {
    if (part.kind !== 'begin' || part.of.kind !== 'tool_call') return part
    return { ...part, of: { ...part.of, id: this.of(part.of.id) } }
  }

  #madeUp(): string {
    this.#count += 1
    const id = hashedCallId(`${this.#requestId} ${this.#count}`)
    return this.#taken.has(id) ? this.#free(id) : id
  }

  #free(upstreamId: string): string {
    const isPortable = isPortableCallId(upstreamId, this.#limit)
    if (isPortable && !this.#taken.has(upstreamId)) return upstreamId
    let number = this.#numbers.get(upstreamId) ?? (isPortable ? 1 : 0)
    let id = this.#numbered(upstreamId, number)
    // Of as many as are taken and one more, one is free.
    for (let tries = this.#taken.size; this.#taken.has(id) && tries > 0; tries--) {
      number += 1
      id = this.#numbered(upstreamId, number)
    }
    this.#numbers.set(upstreamId, number + 1)
    return id
  }

  #numbered(upstreamId: string, number: number): string {
    const seed = number === 0 ? upstreamId : `${upstreamId} ${number}`
    return wrappedCallId(upstreamId, number, this.#limit) ?? hashedCallId(seed)
  }
}

/** The ids of all calls in a request. */
export function callIdsIn({ turns }: NeutralRequest): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const part of turn.parts) if (part.kind === 'tool_call') ids.add(part.id)
  }
  return ids
}
