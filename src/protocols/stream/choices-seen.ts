import { CHOICES_LIMIT } from '../reading/request-head.ts'
import { fieldsOf } from '../json/json-object.ts'

/** Notes which of the choices of one chat completion have begun, and which have said why they finished. */
export class ChoicesSeen {
  readonly #finished = new Map<number, boolean>()

  /** Takes the `choices` of a chunk. */
  add(choices: readonly unknown[]): void {
    for (const choice of choices) {
      const { index, finish_reason: reason } = fieldsOf(choice)
      if (typeof index !== 'number') continue
      if (!this.#finished.has(index) && this.#finished.size >= CHOICES_LIMIT) continue
      const finishes = typeof reason === 'string' && reason !== ''
      this.#finished.set(index, finishes || this.#finished.get(index) === true)
    }
  }

  /** How many have finished. */
  get finished(): number {
    return [...this.#finished.values()].filter((finished) => finished).length
  }

  /** Choices that have begun and not finished; the first one, not begun, where none has. */
  unfinished(): readonly { readonly index: number; readonly begun: boolean }[] {
    if (this.#finished.size === 0) return [{ index: 0, begun: false }]
    return [...this.#finished].filter(([, finished]) => !finished).map(([index]) => ({ index, begun: true }))
  }
}
