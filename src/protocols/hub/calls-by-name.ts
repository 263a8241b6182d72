/**
 * Calls of tools by a name that several of them may have, in their order. The first that is open is asked for with each result:
 * those before it are passed over once, since a conversation may have more calls than a search through all can pay for.
 */
export class CallsByName<Call> {
  readonly #isOpen: (call: Call) => boolean
  /** No call before `next` is open any more. */
  readonly #lists = new Map<string, { readonly calls: Call[]; next: number }>()

  constructor(isOpen: (call: Call) => boolean) {
    this.#isOpen = isOpen
  }

  add(name: string, call: Call): void {
    const list = this.#lists.get(name)
    if (list === undefined) this.#lists.set(name, { calls: [call], next: 0 })
    else list.calls.push(call)
  }

  forget(name: string): void {
    this.#lists.delete(name)
  }

  last(name: string): Call | undefined {
    return this.#lists.get(name)?.calls.at(-1)
  }

  firstOpen(name: string): Call | undefined {
    const list = this.#lists.get(name)
    if (list === undefined) return undefined
    for (; list.next < list.calls.length; list.next += 1) {
      const call = list.calls[list.next]
      if (call !== undefined && this.#isOpen(call)) return call
    }
    return undefined
  }
}
