import { Fault } from '../../core/faults.ts'
import { ANSWER_ARGUMENTS_LIMIT_CHARACTERS, CALL_ARGUMENTS_LIMIT_CHARACTERS } from '../../core/limits.ts'
import type { StreamPart } from './neutral-answer.ts'

/** How long the arguments of calls in one stream may become: some wires have them whole, so that they are kept until their end. */
export class ArgumentsLimit {
  readonly #calls = new Map<number, number>()
  #all = 0

  /** Throws the fault `upstream_malformed` for a part that brings more than that. */
  see(part: StreamPart): void {
    if (part.kind === 'begin' && part.of.kind === 'tool_call') this.#calls.set(part.block, 0)
    if (part.kind !== 'delta' || this.#calls.size === 0) return
    const before = this.#calls.get(part.block)
    if (before === undefined) return
    const characters = before + part.text.length
    this.#calls.set(part.block, characters)
    this.#all += part.text.length
    if (characters > CALL_ARGUMENTS_LIMIT_CHARACTERS || this.#all > ANSWER_ARGUMENTS_LIMIT_CHARACTERS) {
      throw new Fault('upstream_malformed', TOO_LONG)
    }
  }
}

const TOO_LONG = 'The model called a tool with longer arguments than the gateway supports.'
