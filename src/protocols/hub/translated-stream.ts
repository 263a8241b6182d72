import { Fault } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { EarlyEnd, StreamEnd, StreamReader, UpstreamError } from '../protocol.ts'
import { endOfEvent, readServerEvent } from '../reading/server-event.ts'
import { type ClientToolNames, PartRestorer } from './adapted-tools.ts'
import { BlockQueue } from './block-queue.ts'
import type { ClientCallIds } from './client-call-ids.ts'
import type { StreamPart } from './neutral-answer.ts'
import { inRealm } from './opaque-reasoning.ts'
import { WholeCharacters } from './whole-characters.ts'
import type { PartReader, PartWriter, StreamUsage } from './spoke.ts'
import { StreamStops } from './stop-at.ts'
import { ANSWER_ARGUMENTS_LIMIT_CHARACTERS, CALL_ARGUMENTS_LIMIT_CHARACTERS } from '../../core/limits.ts'

interface TranslatedStreamOptions {
  /** The upstream's wire: cuts the bytes into events, finds the end, meters. */
  readonly metered: StreamReader
  readonly reader: PartReader
  readonly writer: PartWriter
  readonly names: ClientToolNames
  /** Stop sequences at which the answer is ended here. */
  readonly stops: readonly string[]
  readonly callIds: ClientCallIds
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
  readonly #callIds: ClientCallIds
  readonly #limit = new ArgumentsLimit()
  readonly #characters = new WholeCharacters()
  /** Null for a writer that takes blocks mixed. */
  readonly #queue: BlockQueue | null
  readonly #choices: number
  readonly #inClientsWords: (error: UpstreamError) => UpstreamError
  readonly #realm: string | undefined
  /** Null where the upstream stops at all sequences by itself. */
  readonly #stops: StreamStops | null
  readonly #stopped = new Set<number>()
  /** Blocks of calls that are open. */
  readonly #calls = new Set<number>()
  /** The end of the last call, and why the choices stopped: a client acts on them, so they wait until the answer is known to be good. */
  #lastCallEnd: StreamPart | null = null
  readonly #waitingStops: StreamPart[] = []
  #ended = false

  constructor(options: TranslatedStreamOptions) {
    const { metered, reader, writer, choices } = options
    this.#metered = metered
    this.#reader = reader
    this.#writer = writer
    this.#inClientsWords = options.inClientsWords
    this.#restorer = new PartRestorer(options.names)
    this.#callIds = options.callIds
    this.#queue = writer.takesMixedBlocks ? null : new BlockQueue()
    this.#choices = choices
    this.#realm = options.realm
    this.#stops = options.stops.length === 0 ? null : new StreamStops(options.stops)
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

  get isCutHere(): boolean {
    return this.#stops !== null && this.#stops.stopped === this.#choices
  }

  get hasFailed(): boolean {
    return this.#metered.hasFailed
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
    // The client has its answer, whatever became of the upstream's behind that.
    if (this.isCutHere) return this.#complete('')
    if (end.kind === 'failed') return { kind: 'failed', held: NOTHING, error: this.#inClientsWords(end.error) }
    if (end.kind === 'cut') return end
    const text = this.#translate(end.held) + this.#writeAll(this.#reader.end())
    if (this.#reader.hasCutCall) return { kind: 'failed', held: NOTHING, error: CUT_CALL }
    return this.#complete(text)
  }

  #complete(text: string): StreamEnd {
    const { usage: reported, estimatedOutputTokens } = this.#metered
    const rest = this.#writeWaiting() + this.#writer.end({ reported, estimatedOutputTokens })
    return { kind: 'complete', held: Buffer.from(text + rest) }
  }

  keepAlive(): Buffer | null {
    return this.ended ? null : Buffer.from(this.#writer.keepAlive())
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
    text += this.#writeWaiting()
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
      this.#limit.see(read)
      const part =
        read.kind === 'opaque'
          ? { ...read, opaque: inRealm(read.opaque, this.#realm) }
          : this.#callIds.restoredPart(read)
      for (const restored of this.#restorer.restore(part)) {
        written += this.#stops === null ? this.#write(restored) : this.#writeUntilStopped(this.#stops, restored)
      }
    }
    return written
  }

  #writeUntilStopped(stops: StreamStops, part: StreamPart): string {
    let written = ''
    for (const kept of stops.take(part)) written += this.#write(kept)
    return written
  }

  #write(part: StreamPart): string {
    if (part.kind === 'stop') {
      this.#stopped.add(part.choice)
      this.#waitingStops.push(part)
      return ''
    }
    const before = this.#lastCallEnd === null ? '' : this.#writeLastCallEnd(this.#lastCallEnd)
    if (part.kind === 'begin' && part.of.kind === 'tool_call') this.#calls.add(part.block)
    if (part.kind !== 'end' || !this.#calls.delete(part.block)) return before + this.#pass(part)
    this.#lastCallEnd = part
    return before
  }

  #writeLastCallEnd(end: StreamPart): string {
    this.#lastCallEnd = null
    return this.#pass(end)
  }

  #writeWaiting(): string {
    const end = this.#lastCallEnd === null ? '' : this.#writeLastCallEnd(this.#lastCallEnd)
    return end + this.#waitingStops.map((stop) => this.#pass(stop)).join('')
  }

  #pass(part: StreamPart): string {
    if (this.#queue === null) return this.#writer.write(part)
    let written = ''
    for (const next of this.#queue.take(part)) written += this.#writer.write(next)
    return written
  }
}

/** The answer claims to be whole, and a call in it is not: a client that ran it would run half of it. */
const CUT_CALL: UpstreamError = {
  message: 'The model’s answer ended in the middle of a tool call. Try again.',
  type: 'upstream_error',
  code: null,
  param: null,
}

/** The usage as it stands in the books, which have the whole input; its kinds are the upstream's. */
function usageOfEarlyEnd(end: EarlyEnd, reported: TokenCounts): StreamUsage {
  const cached = (reported.cacheRead ?? 0) + (reported.cacheWrite ?? 0) + (reported.cacheWrite1h ?? 0)
  const apart = (reported.other?.audioInput ?? 0) + (reported.other?.imageInput ?? 0)
  const input = end.inputTokens === null ? reported.input : Math.max(0, end.inputTokens - cached - apart)
  return { reported: { ...reported, input, output: end.outputTokens }, estimatedOutputTokens: end.outputTokens }
}

/** How long the arguments of calls in one stream may become: some wires have them whole, so that they are kept until their end. */
class ArgumentsLimit {
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
