import type { Fault } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { EarlyEnd, StreamEnd, StreamReader, UpstreamError } from '../protocol.ts'
import { endOfEvent, readServerEvent } from '../stream/server-event.ts'
import type { ClientToolNames } from './adapted-tools.ts'
import { BlockQueue } from './block-queue.ts'
import type { StreamPart } from './neutral-answer.ts'
import { inRealm } from './opaque-reasoning.ts'
import { PartRestorer } from './part-restorer.ts'
import { WholeCharacters } from './whole-characters.ts'
import type { PartReader, PartWriter, StreamUsage } from './spoke.ts'

export interface TranslatedStreamOptions {
  /** The upstream's wire: cuts the bytes into events, finds the end, meters. */
  readonly metered: StreamReader
  readonly reader: PartReader
  readonly writer: PartWriter
  readonly names: ClientToolNames
  /** Answers asked for at once. */
  readonly choices: number
  readonly inClientsWords: (error: UpstreamError) => UpstreamError
  /** The tag of the realm that answers, for reasoning that only it can read. */
  readonly realm?: string | undefined
}

const NOTHING = Buffer.alloc(0)

/**
 * A stream in the upstream's wire that reaches the client in its own. What it costs is read from the upstream's bytes, as
 * of a stream that passes untouched; what passes there is read into parts and written anew.
 */
export class TranslatedStream implements StreamReader {
  readonly #metered: StreamReader
  readonly #reader: PartReader
  readonly #writer: PartWriter
  readonly #restorer: PartRestorer
  readonly #characters = new WholeCharacters()
  /** Null for a writer that takes blocks mixed. */
  readonly #queue: BlockQueue | null
  readonly #choices: number
  readonly #inClientsWords: (error: UpstreamError) => UpstreamError
  readonly #realm: string | undefined
  readonly #stopped = new Set<number>()
  #ended = false

  constructor(options: TranslatedStreamOptions) {
    const { metered, reader, writer, choices } = options
    this.#metered = metered
    this.#reader = reader
    this.#writer = writer
    this.#inClientsWords = options.inClientsWords
    this.#restorer = new PartRestorer(options.names)
    this.#queue = writer.takesMixedBlocks ? null : new BlockQueue()
    this.#choices = choices
    this.#realm = options.realm
  }

  get hasBegun(): boolean {
    return this.#metered.hasBegun
  }

  get isWhole(): boolean {
    return this.#metered.isWhole
  }

  get ended(): boolean {
    return this.#ended || this.#metered.ended
  }

  get usage(): TokenCounts {
    return this.#metered.usage
  }

  get terms(): ServiceTerms | undefined {
    return this.#metered.terms
  }

  get usageIsFinal(): boolean {
    return this.#metered.usageIsFinal
  }

  get isStopping(): boolean {
    return this.#metered.isStopping
  }

  get isFinished(): boolean {
    return this.#metered.isFinished
  }

  get hasThought(): boolean {
    return this.#metered.hasThought
  }

  get hasCalledTools(): boolean | null {
    return this.#metered.hasCalledTools
  }

  get producedBytes(): number {
    return this.#metered.producedBytes
  }

  get estimatedOutputTokens(): number {
    return this.#metered.estimatedOutputTokens
  }

  mayHaveReached(tokens: number): boolean {
    return this.#metered.mayHaveReached(tokens)
  }

  producedText(): string {
    return this.#metered.producedText()
  }

  wholeCount(counted: number): number {
    return this.#metered.wholeCount(counted)
  }

  push(chunk: Buffer): Buffer | null {
    const events = this.#metered.push(chunk)
    if (events === null) return null
    const text = this.#translate(events)
    return text === '' ? null : Buffer.from(text)
  }

  finish(): StreamEnd {
    const end = this.#metered.finish()
    if (end.kind === 'failed') return { kind: 'failed', held: NOTHING, error: this.#inClientsWords(end.error) }
    if (end.kind === 'cut') return end
    const { usage: reported, estimatedOutputTokens } = this.#metered
    const text = this.#translate(end.held) + this.#writeAll(this.#reader.end())
    return { kind: 'complete', held: Buffer.from(text + this.#writer.end({ reported, estimatedOutputTokens })) }
  }

  keepAlive(): Buffer | null {
    const text = this.ended ? null : this.#writer.keepAlive()
    return text === null ? null : Buffer.from(text)
  }

  writeFault(fault: Fault): Buffer {
    return Buffer.from(this.#writer.writeFault(fault))
  }

  finishEarly(end: EarlyEnd): Buffer {
    invariant(!this.ended, 'a stream ends once')
    const reported = this.#metered.usage
    this.#metered.finishEarly(end)
    this.#ended = true
    let text = this.#writeAll(this.#reader.end())
    for (let choice = 0; choice < this.#choices; choice++) {
      if (this.#stopped.has(choice)) continue
      text += this.#writeAll([{ kind: 'stop', choice, stop: { reason: 'length', sequence: null } }])
    }
    return Buffer.from(text + this.#writer.end(usageOfEarlyEnd(end, reported)))
  }

  #translate(events: Buffer): string {
    const text = events.toString('latin1')
    let written = ''
    for (let start = 0; start < text.length;) {
      const end = endOfEvent(text, start)
      const event = readServerEvent(events.subarray(start, end))
      if (event.data.length > 0) written += this.#writeAll(this.#reader.read(event))
      start = end
    }
    return written
  }

  #writeAll(parts: readonly StreamPart[]): string {
    let written = ''
    for (const read of this.#characters.join(parts)) {
      const part = read.kind === 'opaque' ? { ...read, opaque: inRealm(read.opaque, this.#realm) } : read
      for (const restored of this.#restorer.restore(part)) written += this.#write(restored)
    }
    return written
  }

  #write(part: StreamPart): string {
    if (part.kind === 'stop') this.#stopped.add(part.choice)
    if (this.#queue === null) return this.#writer.write(part)
    let written = ''
    for (const next of this.#queue.take(part)) written += this.#writer.write(next)
    return written
  }
}

/** As it stands in the books, which have the whole input; its kinds are the upstream's. */
function usageOfEarlyEnd(end: EarlyEnd, reported: TokenCounts): StreamUsage {
  const cached = (reported.cacheRead ?? 0) + (reported.cacheWrite ?? 0) + (reported.cacheWrite1h ?? 0)
  const apart = (reported.other?.audioInput ?? 0) + (reported.other?.imageInput ?? 0)
  const input = end.inputTokens === null ? reported.input : Math.max(0, end.inputTokens - cached - apart)
  return { reported: { ...reported, input, output: end.outputTokens }, estimatedOutputTokens: end.outputTokens }
}
