import type { NeutralAnswer, NeutralChoice, Stop, StreamPart } from './neutral-answer.ts'
import type { AnswerBlock, TokenLogprob } from './neutral-request.ts'
import type { SettingsToWrite } from './request-settings.ts'

/** What an upstream takes of stop sequences. */
export interface StopsTaken {
  /** How many; 0: it has none. */
  readonly most: number
  /** Whether they may be white space alone. */
  readonly blank: boolean
}

/** More than these would be watched for with every character of an answer. */
const WATCHED_LIMIT = 64
const WATCHED_CHARACTERS_LIMIT = 16_384

/**
 * Leaves in the settings the stop sequences that the upstream takes, and returns the others: the answer is to be ended at
 * these by the gateway. An empty sequence says nothing. Throws the fault `request_invalid` where there are too many.
 */
export function stopsLeftHere(settings: SettingsToWrite, { most, blank }: StopsTaken): readonly string[] {
  const asked = (settings.take('stop') ?? []).filter((sequence) => sequence !== '')
  const [sent, here]: [string[], string[]] = [[], []]
  for (const sequence of new Set(asked)) {
    const isTaken = sent.length < most && (blank || /\S/.test(sequence))
    ;(isTaken ? sent : here).push(sequence)
  }
  settings.replace('stop', sent.length === 0 ? null : sent)
  if (here.length > WATCHED_LIMIT || here.join('').length > WATCHED_CHARACTERS_LIMIT) {
    settings.refuse('stop', `it takes ${most} stop sequences, and the gateway stops at ${WATCHED_LIMIT} more at most`)
  }
  return here
}

/** A whole answer as it would be had the model stopped at the first of the sequences; each choice by itself. */
export function stoppedAt(sequences: readonly string[], answer: NeutralAnswer): NeutralAnswer {
  return sequences.length === 0 ? answer : { choices: answer.choices.map((choice) => stopped(sequences, choice)) }
}

function stopped(sequences: readonly string[], choice: NeutralChoice): NeutralChoice {
  for (const [i, block] of choice.blocks.entries()) {
    if (block.kind !== 'text') continue
    const { text, found } = new TextStops(sequences).take(block.text)
    if (found === null) continue
    const before = choice.blocks.slice(0, i)
    return { blocks: text === '' ? before : [...before, cutTo(text, block)], stop: stopAt(found) }
  }
  return choice
}

function cutTo(text: string, block: AnswerBlock & { kind: 'text' }): AnswerBlock {
  if (block.logprobs === undefined) return { ...block, text }
  const logprobs: TokenLogprob[] = []
  let characters = 0
  for (const each of block.logprobs) {
    if (characters >= text.length) break
    characters += each.token.length
    logprobs.push(each)
  }
  return { ...block, text, logprobs }
}

function stopAt(sequence: string): Stop {
  return { reason: 'stop_sequence', sequence }
}

/** Stops a stream at a sequence, part by part. What may be the beginning of a sequence waits until it is known. */
export class StreamStops {
  readonly #sequences: readonly string[]
  /** Blocks that began and have not ended; those of text are watched. */
  readonly #open = new Map<
    number,
    { readonly choice: number; readonly kind: string; readonly stops: TextStops | null }
  >()
  readonly #stopped = new Set<number>()

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences
  }

  /** How many choices were ended here. */
  get stopped(): number {
    return this.#stopped.size
  }

  /** What goes on to the client for this part: nothing of a choice that was ended here. */
  take(part: StreamPart): readonly StreamPart[] {
    if (part.kind === 'stop') return this.#stopped.has(part.choice) ? [] : [part]
    if (part.kind === 'begin') {
      if (this.#stopped.has(part.choice)) return []
      const stops = part.of.kind === 'text' ? new TextStops(this.#sequences) : null
      this.#open.set(part.block, { choice: part.choice, kind: part.of.kind, stops })
      return [part]
    }
    const open = this.#open.get(part.block)
    if (open === undefined) return []
    if (part.kind === 'end') {
      this.#open.delete(part.block)
      return [...deltaOf(part.block, open.stops?.rest() ?? ''), part]
    }
    if (part.kind !== 'delta' || open.stops === null) return [part]
    const { text, found } = open.stops.take(part.text)
    const delta = deltaOf(part.block, text)
    return found === null ? delta : [...delta, ...this.#stop(open.choice, found)]
  }

  /** Closes what is open of the choice, but for calls: one that was cut is never whole. */
  #stop(choice: number, sequence: string): readonly StreamPart[] {
    this.#stopped.add(choice)
    const parts: StreamPart[] = []
    for (const [block, open] of this.#open) {
      if (open.choice !== choice) continue
      this.#open.delete(block)
      if (open.kind !== 'tool_call') parts.push({ kind: 'end', block })
    }
    return [...parts, { kind: 'stop', choice, stop: stopAt(sequence) }]
  }
}

function deltaOf(block: number, text: string): readonly StreamPart[] {
  return text === '' ? [] : [{ kind: 'delta', block, text }]
}

/** Looks for the sequence that is whole first, in a text that comes in pieces. */
class TextStops {
  readonly #watched: readonly WatchedSequence[]
  /** What has come and may be the beginning of a sequence. */
  #held = ''

  constructor(sequences: readonly string[]) {
    this.#watched = sequences.map((sequence) => new WatchedSequence(sequence))
  }

  /** `text` is what may go on; nothing of `found` is in it, nor of what is behind. */
  take(piece: string): { readonly text: string; readonly found: string | null } {
    const text = this.#held + piece
    let matched = 0
    for (let i = this.#held.length; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      let found: WatchedSequence | null = null
      matched = 0
      for (const watched of this.#watched) {
        const length = watched.next(unit)
        if (length === watched.text.length && length > (found?.text.length ?? 0)) found = watched
        if (length > matched) matched = length
      }
      if (found === null) continue
      this.#held = ''
      return { text: text.slice(0, i + 1 - found.text.length), found: found.text }
    }
    if (piece === '') matched = this.#held.length
    this.#held = text.slice(text.length - matched)
    return { text: text.slice(0, text.length - matched), found: null }
  }

  /** What was held, since nothing follows it. */
  rest(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}

/** One sequence, and how much of its beginning the text ends with (Knuth, Morris and Pratt). */
class WatchedSequence {
  readonly text: string
  /** The longest shorter match that the same text ends with, for each length of a match. */
  readonly #shorter: Int32Array
  #matched = 0

  constructor(text: string) {
    this.text = text
    this.#shorter = new Int32Array(text.length + 1)
    for (let length = 2, matched = 0; length <= text.length; length++) {
      const unit = text.charCodeAt(length - 1)
      while (matched > 0 && text.charCodeAt(matched) !== unit) matched = this.#shorter[matched] ?? 0
      if (text.charCodeAt(matched) === unit) matched += 1
      this.#shorter[length] = matched
    }
  }

  /** The length of the beginning that the text ends with, this unit included. */
  next(unit: number): number {
    if (this.#matched === this.text.length) this.#matched = this.#shorter[this.#matched] ?? 0
    while (this.#matched > 0 && this.text.charCodeAt(this.#matched) !== unit) {
      this.#matched = this.#shorter[this.#matched] ?? 0
    }
    if (this.text.charCodeAt(this.#matched) === unit) this.#matched += 1
    return this.#matched
  }
}
