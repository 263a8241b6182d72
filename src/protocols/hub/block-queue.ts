import { Fault } from '../../core/faults.ts'
import { KEPT_PARTS_LIMIT_BYTES } from '../../core/limits.ts'
import type { StreamPart } from './neutral-answer.ts'

/**
 * Puts the blocks of a stream one after the other, for wires that have one open at a time: the first that began goes through
 * at once, others wait until it ends. Stops wait for all blocks before them.
 */
export class BlockQueue {
  /** Blocks that began and have not ended for the client, in their order; the first is the one that goes through. */
  readonly #open: { readonly block: number; readonly waiting: StreamPart[]; hasEnded: boolean }[] = []
  #stops: StreamPart[] = []
  #waitingCharacters = 0

  /** The parts that may go on now. Throws the fault `upstream_malformed` when too much waits. */
  take(part: StreamPart): readonly StreamPart[] {
    if (part.kind === 'stop') {
      if (this.#open.length === 0) return [part]
      this.#stops.push(part)
      return []
    }
    const first = this.#open[0]
    if (part.kind === 'begin') {
      const isFirst = first === undefined
      this.#open.push({ block: part.block, waiting: isFirst ? [] : [part], hasEnded: false })
      return isFirst ? [part] : []
    }
    if (first?.block === part.block) return part.kind === 'end' ? [part, ...this.#advance()] : [part]
    this.#wait(part)
    return []
  }

  #wait(part: Exclude<StreamPart, { kind: 'stop' | 'begin' }>): void {
    const mine = this.#open.find(({ block }) => block === part.block)
    if (mine === undefined) return
    if (part.kind === 'delta') this.#waitingCharacters += part.text.length
    if (this.#waitingCharacters > KEPT_PARTS_LIMIT_BYTES) {
      throw new Fault('upstream_malformed', 'The model sent more parallel tool calls than the gateway supports.')
    }
    mine.waiting.push(part)
    mine.hasEnded ||= part.kind === 'end'
  }

  /** The first block has ended: those behind it that ended meanwhile go whole, and the next one goes through. */
  #advance(): StreamPart[] {
    const parts: StreamPart[] = []
    this.#open.shift()
    for (let next = this.#open[0]; next !== undefined; next = this.#open[0]) {
      for (const part of next.waiting) {
        parts.push(part)
        if (part.kind === 'delta') this.#waitingCharacters -= part.text.length
      }
      next.waiting.length = 0
      if (!next.hasEnded) return parts
      this.#open.shift()
    }
    parts.push(...this.#stops)
    this.#stops = []
    return parts
  }
}
