import type { AssistantPart, ToolResultPart, Turn } from '../../hub/neutral-request.ts'

/**
 * Turns out of items: what the model did between two inputs is one turn, and so are results of tools that stand together.
 * Other wires want the calls of an answer and its reasoning in one message.
 */
export class TurnList {
  /** The ids of calls by those of their items, which results of OpenAI’s local shell name in their place. */
  readonly callIds = new Map<string, string>()
  readonly #turns: Turn[] = []
  #answer: AssistantPart[] | null = null
  #results: ToolResultPart[] | null = null

  get all(): readonly Turn[] {
    return this.#turns
  }

  add(turn: Turn): void {
    this.#answer = null
    this.#results = null
    this.#turns.push(turn)
  }

  addAnswer(part: AssistantPart): void {
    if (this.#answer === null) {
      const parts: AssistantPart[] = []
      this.add({ role: 'assistant', parts, at: part.at })
      this.#answer = parts
    }
    this.#answer.push(part)
  }

  addResult(part: ToolResultPart): void {
    if (this.#results === null) {
      const parts: ToolResultPart[] = []
      this.add({ role: 'user', parts, at: part.at })
      this.#results = parts
    }
    this.#results.push(part)
  }
}
