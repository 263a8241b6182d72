import type { ClientToolNames } from './adapted-tools.ts'
import { customInputOf } from './custom-tools.ts'
import type { StreamPart } from './neutral-answer.ts'

/**
 * Gives the calls in a stream the client's tools back. The input of a custom tool that went as a function comes when it is
 * whole, since half of the JSON around it cannot be taken off.
 */
export class PartRestorer {
  readonly #names: ClientToolNames
  /** Arguments so far of blocks that are custom calls to the client. */
  readonly #custom = new Map<number, string>()

  constructor(names: ClientToolNames) {
    this.#names = names
  }

  restore(part: StreamPart): readonly StreamPart[] {
    if (part.kind === 'begin' && part.of.kind === 'tool_call') {
      const tool = this.#names.of(part.of.name)
      if (tool === null) return [part]
      if (tool.isCustom && !part.of.isCustom) this.#custom.set(part.block, '')
      return [{ ...part, of: { ...part.of, ...tool } }]
    }
    if (part.kind !== 'delta' && part.kind !== 'end') return [part]
    const before = this.#custom.get(part.block)
    if (before === undefined) return [part]
    if (part.kind === 'delta') {
      this.#custom.set(part.block, before + part.text)
      return []
    }
    this.#custom.delete(part.block)
    const text = customInputOf(before)
    return text === '' ? [part] : [{ kind: 'delta', block: part.block, text }, part]
  }
}
