import type { Fault } from '../../../core/faults.ts'
import { openaiError } from '../../fault-body.ts'
import type { BeginOf, StreamPart } from '../../hub/neutral-answer.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import { answerFrame, asksForFunctions } from './answer-frame.ts'
import { ChoiceWriter, type WrittenBlock } from './choice-writer.ts'
import { writeUsage } from './write-usage.ts'

/** Writes a streamed chat completion: a chunk for each part, the usage if it was asked for, and `[DONE]`. */
export class ChatPartWriter implements PartWriter {
  readonly takesMixedBlocks = true
  readonly #call: ClientCall
  /** A chunk up to the index of its choice, and up to the list of its choices. */
  readonly #choiceHead: string
  readonly #head: string
  readonly #isLegacy: boolean
  readonly #choices = new Map<number, ChoiceWriter>()
  readonly #blocks = new Map<number, { readonly choice: ChoiceWriter; readonly written: WrittenBlock }>()

  constructor(call: ClientCall) {
    this.#call = call
    const { id, created, model } = answerFrame(call)
    const frame = JSON.stringify({ id, object: 'chat.completion.chunk', created, model })
    this.#head = `data: ${frame.slice(0, -1)},"choices":[`
    this.#choiceHead = `${this.#head}{"index":`
    this.#isLegacy = asksForFunctions(call)
  }

  write(part: StreamPart): string {
    if (part.kind === 'stop') return this.#choice(part.choice).stop(part.stop)
    if (part.kind === 'begin') return this.#begin(part.block, part.choice, part.of)
    const block = this.#blocks.get(part.block)
    if (block === undefined) return ''
    const { choice, written } = block
    switch (part.kind) {
      case 'delta':
        return choice.delta(written, part.text)
      case 'logprobs':
        return choice.logprobs(part.logprobs)
      case 'opaque':
        written.opaque = part.opaque
        return ''
      case 'end':
        this.#blocks.delete(part.block)
        return choice.end(written)
    }
  }

  end({ reported, estimatedOutputTokens }: StreamUsage): string {
    let rest = ''
    for (const { choice, written } of this.#blocks.values()) {
      // Cut before its first character: it may not have stayed empty.
      written.whenEmpty = ''
      rest += choice.end(written)
    }
    this.#blocks.clear()
    if (this.#choices.size === 0) this.#choice(0)
    for (const choice of this.#choices.values()) rest += choice.stop({ reason: 'end', sequence: null })
    const usage = this.#call.includeUsage ? writeUsage(reported, estimatedOutputTokens) : null
    if (usage !== null) rest += `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n`
    return `${rest}data: [DONE]\n\n`
  }

  /** A chunk with an empty delta: comments don't reset every client's timer, and all accept it even as the first. */
  keepAlive(): string {
    return `${this.#choiceHead}0,"delta":{},"logprobs":null,"finish_reason":null}]}\n\n`
  }

  writeFault(fault: Fault): string {
    return `data: ${JSON.stringify(openaiError(fault, this.#call.requestId))}\n\n`
  }

  #begin(block: number, index: number, of: BeginOf): string {
    const choice = this.#choice(index)
    const { written, text } = choice.begin(of)
    this.#blocks.set(block, { choice, written })
    return text
  }

  #choice(index: number): ChoiceWriter {
    const known = this.#choices.get(index)
    if (known !== undefined) return known
    const choice = new ChoiceWriter({ head: `${this.#choiceHead}${index},"delta":{`, isLegacy: this.#isLegacy })
    this.#choices.set(index, choice)
    return choice
  }
}
