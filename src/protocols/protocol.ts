import type { Fault } from '../core/faults.ts'
import type { HostedTool } from '../core/calls.ts'
import type { ServiceTerms } from '../core/terms.ts'
import type { TokenCounts } from '../core/tokens.ts'
import type { ExpectedUnits } from '../core/units.ts'
import type { Steps } from '../core/turns.ts'
import type { Wire } from '../core/wire.ts'
import type { ModelFacts } from '../models/facts.ts'
import type { AskedModel } from '../models/table.ts'
import type { NotedField } from './json/json-walk.ts'
import type { Range } from './json/json-bytes.ts'

/**
 * What the gateway needs to carry one wire format through unchanged, and all it needs. A new protocol is one more value
 * of this type, listed in `protocol-of.ts` and in `core/wire.ts`, with fixtures under `test/fixtures/protocols/<wire>/`.
 */
export type Protocol = StreamingProtocol | WholeProtocol

/** A wire whose answers may come as streams. */
export interface StreamingProtocol extends ProtocolBase {
  readonly streams: true
  /** Set where the upstream reports the usage of a stream only when the request asks for it. */
  readonly usageIsAskedFor?: true
  /**
   * Set where answers may come in either form, whichever was asked for: `openStream` takes a whole answer and `readAnswer`
   * takes events, so that the client gets what it asked for.
   */
  readonly takesEitherForm?: true
  /** One reader per stream; make it before the upstream speaks, since it also writes keep-alives and faults. */
  openStream(options: StreamOptions): StreamReader
}

/** A wire without streams. */
export interface WholeProtocol extends ProtocolBase {
  readonly streams: false
}

interface ProtocolBase {
  readonly wire: Wire
  /**
   * Reads what the gateway needs of a request body, and judges nothing else. Throws the fault `request_invalid`
   * naming the field and what it takes. Most wires say everything in the body and ask for nothing else.
   */
  readRequest(body: Buffer, about?: RequestAbout): RequestHead
  /** Reads a request in steps, for large bodies. */
  requestSteps(body: Buffer, about?: RequestAbout): Steps<RequestHead>
  /** The path below an upstream's base URL, on wires that name the model in it, percent-encoded. */
  pathOf?(model: string, asks: 'whole' | 'stream' | 'count_tokens'): string
  /** The body for the upstream, in pieces: byte for byte the client's, but for the model name and the wish for usage. */
  rewriteRequest(body: Buffer, head: RequestHead, change: RequestChange): Buffer[]
  /** The fault for a body that `rewriteRequest` would have to write anew, and that is too large for that. Left out: never. */
  rewriteRefusal?(body: Buffer): Fault | null
  /**
   * Whether a model with these facts refuses on this wire what a request asks for, and may take it on another that its
   * upstream has. Left out: never.
   */
  readonly isRefusedBy?: (facts: ModelFacts, body: Buffer, head: RequestHead) => boolean
  /** Lowers the output limit, where the wire has one; see there. */
  readonly limitOutput?: LimitOutput
  /** How requests bound the calls of the provider's own tools; left out: they cannot. */
  readonly toolBounds?: ToolBounds
  /** Reads an answer that was not streamed. */
  readAnswer(body: Buffer, about?: AnswerAbout): Answer
  /** Reads what an upstream said in an error answer, which need not be JSON. */
  readError(body: Buffer): UpstreamError
}

/** What stands beside the body of a request. */
export interface RequestAbout {
  /** The request's header, for wires that take forms. */
  readonly contentType?: string | undefined
  /** Model and streaming of wires that have these in the path (gemini). */
  readonly fromPath?: { readonly model: string; readonly isStream: boolean } | undefined
}

/** What the gateway knows of a request. Token counts in tokens; `null` = the client set none. */
export interface RequestHead {
  /** 1 to 256 characters. */
  readonly model: string
  readonly stream: boolean
  /** 0 where the client wants nothing written, and where `hasNoOutput`. */
  readonly outputTokensLimit: number | null
  /** The wire has no output, so that none is counted whatever comes. */
  readonly hasNoOutput: boolean
  /** Answers asked for at once, 1 to 128; each may be `outputTokensLimit` long. */
  readonly choices: number
  /** The estimate for holding money, leaning upwards; see `reading/input-estimate.ts`. */
  readonly estimatedInputTokens: number
  /** What its text can be at most, where that is more than the estimate; absent: it is not text. */
  readonly mostInputTokens?: number
  /** What it adds to its input that its bytes do not bound. */
  readonly outside: OutsideInput
  /** Whether the client itself asked for usage in the stream (chat completions only; elsewhere it always comes). */
  readonly includeUsage: boolean
  /** Where the fields stand that tell its conversation from others (`conversation.ts`); absent: its wire has no conversations. */
  readonly conversation?: ReadonlyMap<string, NotedField>
  /** The class of service and the place that it asks for, by their decoded names; absent where it names neither. */
  readonly terms?: ServiceTerms
  /** What it may be charged by beside tokens; absent where that is the one request. */
  readonly units?: ExpectedUnits
  /**
   * Set where the output is not text that grows word by word (images, sound), or has its bound in the input (transcripts):
   * tokens of all of it, leaning upwards. Money is held for them at once, so that such a stream is never ended early; and
   * they are charged where neither a report nor a text tells how many there were.
   */
  readonly expectedOutputTokens?: number
  /** Set where a tokenizer cannot count the input: the estimate is charged when no usage is reported. */
  readonly inputIsNoText?: true
  /** Where the fields stand that lower limits on output and on calls of tools have to do with, in the body as it came. */
  readonly limits: LimitPlaces
  /** Byte offsets of what may have to be rewritten. */
  readonly places: RequestPlaces
}

interface RequestPlaces {
  readonly model: ByteRange
  readonly streamOptions: ByteRange | null
  readonly includeUsage: ByteRange | null
}

/** Byte offsets in the body, `end` behind the last byte. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface RequestChange {
  /** The upstream's name of the model. */
  readonly model: string
  /** The model by which its facts are known; left out: its own name. */
  readonly takesLike?: AskedModel
  /** Asks for usage in a stream where the client did not; only chat completions need that. */
  readonly askForUsage: boolean
}

/**
 * A whole answer. `failed`: it came with a good status but is an error, or says that it failed; it may have cost tokens
 * all the same. `malformed`: not one JSON object, or no answer yet.
 */
export type Answer =
  | {
      readonly kind: 'answer'
      readonly usage: TokenCounts
      /** The class of service and the place that it names; absent: none. */
      readonly terms?: ServiceTerms
      /** The answer in the form that was asked for, where the body has another one: it came as events. */
      readonly rewritten?: Buffer
      /** The ids of the answer, where the upstream keeps it for later. */
      readonly storedAs?: StoredAnswer | null
      /** Output tokens by what came, where that is not text; absent: its text can be counted. */
      readonly estimatedOutputTokens?: number
      producedText(): string
      /** Each answer in it says that it was cut at its output limit; absent on wires that do not say so. To be asked rarely. */
      isCut?(): boolean
    }
  | { readonly kind: 'failed'; readonly usage: TokenCounts; readonly error: UpstreamError; producedText(): string }
  | { readonly kind: 'malformed'; readonly why: string }

/** The ids under which an upstream keeps an answer and the items of its output, by which later requests may refer to them. */
export interface StoredAnswer {
  readonly id: string
  readonly items: readonly string[]
}

/** What is to be read of an answer beside its usage. */
export interface AnswerAbout {
  /** Answers asked for at once (`RequestHead.choices`); 1 unless said otherwise. */
  readonly choices?: number
  /** Calls of the provider's own tools are counted, since the model has fees for them. Takes a look at the whole answer. */
  readonly countsCalls?: boolean
  /** The answer goes to a client of another wire, which does not know this wire's words: one that is new is a failure. */
  readonly isTranslated?: boolean
}

/** An upstream's own words, without links and credentials. `null` where it said nothing of the kind. */
export interface UpstreamError {
  readonly message: string | null
  readonly type: string | null
  readonly code: string | null
  readonly param: string | null
}

export interface StreamOptions extends AnswerAbout {
  /** Takes the usage chunk out again, for a client that did not ask for it. */
  readonly dropUsageChunk: boolean
}

/** What has to be known to end a stream before its end. */
export interface EarlyEnd {
  /**
   * Tokens as they will stand in the books; input with all that was read from and written to a cache. `null`: not known,
   * and then what the upstream has reported of the input is written, or no usage where this wire allows that.
   */
  readonly inputTokens: number | null
  readonly outputTokens: number
  /** `RequestHead.includeUsage`. */
  readonly includeUsage: boolean
  /** What an answer that had not begun needs: the model's name, the request's id, and now in milliseconds since 1970. */
  readonly model: string
  readonly requestId: string
  readonly nowMs: number
}

/** Reads one stream on its way to the client. Pure: bytes in, bytes out. */
export interface StreamReader {
  /**
   * Takes the upstream's next bytes and returns the bytes that may go to the client now: whole events, never the
   * terminal event and what follows it. It is the same Buffer when nothing had to change, and null when there is
   * nothing to send yet. Throws the fault `upstream_malformed` when one event passes STREAM_EVENT_LIMIT_BYTES.
   */
  push(chunk: Buffer): Buffer | null
  /** Ends the reading: called once, when the upstream closed its stream, or as soon as `ended` is true. */
  finish(): StreamEnd
  /** An event has come, which comments are not: upstreams send them for as long as a request waits there. */
  readonly hasBegun: boolean
  /** The answer comes whole in place of a stream. Nothing passes then: `finish` returns all of it as a stream. */
  readonly isWhole: boolean
  /** True once the terminal event or an error event was seen, so that the settle need not wait for the connection. */
  readonly ended: boolean
  /**
   * The answer was ended here, at a stop sequence that the upstream does not know: the client has all of it but the wire’s own
   * end, and what still comes tells the usage alone. Absent: never.
   */
  readonly isCutHere?: boolean
  /** True once it ended with a failure: what was not sent of it is of no use to a client. */
  readonly hasFailed: boolean
  readonly usage: TokenCounts
  /** The class of service and the place that the answer has named so far; absent or undefined: none. */
  readonly terms?: ServiceTerms | undefined
  /** The ids of the answer, where the upstream keeps it for later; known at its end. */
  readonly storedAs?: StoredAnswer | null
  /** False: `usage.output` is missing or an interim count, and what was produced since has to be estimated. */
  readonly usageIsFinal: boolean
  /**
   * Everything the model wrote so far: text, reasoning, tool names and arguments. Reads what came since the last call,
   * so ask every few kilobytes and not for every chunk. At most PRODUCED_TEXT_LIMIT_BYTES; what is beyond is only
   * counted, see `wholeCount`.
   */
  producedText(): string
  /** Tokens of everything the model wrote, from a count of `producedText()`, which may be but the beginning of it. */
  wholeCount(counted: number): number
  /** Bytes of the produced text as written in the stream, JSON escapes included. */
  readonly producedBytes: number
  /**
   * Output tokens so far: what the upstream reported where that is final, else the larger of its interim count and an
   * estimate from what was written, which leans upwards (`stream/token-estimate.ts`). Reasoning that the upstream doesn't show cannot be seen in it.
   */
  readonly estimatedOutputTokens: number
  /**
   * Asked with every chunk before that: false where there are fewer, which is seen without reading the text. True: there
   * may be so many.
   */
  mayHaveReached(tokens: number): boolean
  /** The model has finished, or a part of its answer has: what comes next may be the usage. To be asked rarely. */
  readonly isStopping: boolean
  /**
   * All answers that were asked for have said why they ended, and the client has got that: only the usage and the wire's own
   * end may still come. Never true on a wire that says all of it in one event. To be asked rarely.
   */
  readonly isFinished: boolean
  /** The model was seen to think, in what came first or by the usage so far. To be asked rarely. */
  readonly hasThought: boolean
  /**
   * A tool that the upstream runs by itself was called in the answer, so that its input is more than was sent. null: this wire
   * does not show such calls as they begin. To be asked rarely.
   */
  readonly hasCalledTools: boolean | null
  /** Bytes that keep the client waiting, or null behind the end. Only between two `push`. */
  keepAlive(): Buffer | null
  /** The fault as this wire's error event, for a stream that has begun. The connection is destroyed behind it. */
  writeFault(fault: Fault, requestId: string): Buffer
  /**
   * Ends the stream here, between two `push`, as this wire ends an answer that reached its output limit. Returns the bytes
   * of that end, which the client has to get behind all that `push` returned. The reader is `ended` then, takes no more,
   * and `finish` has nothing to add. Never to be called when it is `ended` already.
   */
  finishEarly(end: EarlyEnd): Buffer
}

/**
 * How a stream ended. `held` is what the client has to get once the request is settled; it is empty for `cut`.
 * `complete`: the protocol's own end was seen. `failed`: the upstream sent an error event, which is in `held`.
 * `cut`: the bytes stopped before any end.
 */
export type StreamEnd =
  | { readonly kind: 'complete'; readonly held: Buffer }
  | { readonly kind: 'failed'; readonly held: Buffer; readonly error: UpstreamError }
  | { readonly kind: 'cut'; readonly held: Buffer }

/** How many calls of these tools together a request lets its upstream make; `named` null: it does not say. */
interface ToolBound {
  readonly tools: readonly HostedTool[]
  readonly named: number | null
}

/**
 * How a wire bounds the calls of the provider's own tools. Bodies have passed the reading of requests, which knows the places
 * (`RequestHead.limits`); without them the body is walked over once more. Throws the fault `request_invalid` where the list of
 * tools is larger than any request has it.
 */
export interface ToolBounds {
  /** The bounds that a request has or may be given. Tools that are in none of them know no bound. */
  read(body: Buffer, places?: LimitPlaces): readonly ToolBound[]
  /** Lowers each bound to so many calls; where there is none, it becomes that or `HELD_CALLS`, whichever is less. */
  limit(body: Buffer, calls: number, places?: LimitPlaces): Buffer
}

/** How many tokens the output of a request may have, and the model that is to write it. */
interface OutputLimit {
  readonly model: AskedModel
  readonly tokens: number
}

/** Where the fields stand that a lower limit has to do with (`RequestHead.limits`). */
export type LimitPlaces = ReadonlyMap<string, Range>

/**
 * Writes a lower output limit into a body, and changes no other byte; null where its wire lets none so low stand there. Without the
 * places the body is walked over once more.
 */
export type LimitOutput = (body: Buffer, limit: OutputLimit, places?: LimitPlaces) => Buffer | null

/** Where the fields of a body stand in pieces that replace parts of it; undefined where one of them is none of the body's own. */
export function placesIn(pieces: readonly Buffer[], body: Buffer, places: LimitPlaces): LimitPlaces | undefined {
  const moved = new Map<string, { start: number; end: number }>()
  for (const [name, { start, end }] of places) {
    let before = 0
    for (const piece of pieces) {
      const from = piece.buffer === body.buffer ? piece.byteOffset - body.byteOffset : -1
      if (from >= 0 && from <= start && end <= Math.min(from + piece.length, body.length)) {
        moved.set(name, { start: before + start - from, end: before + end - from })
      }
      before += piece.length
    }
    if (!moved.has(name)) return undefined
  }
  return moved
}

/** What a request adds to the input of its model that its bytes do not bound. */
export interface OutsideInput {
  /** Whether it names what the provider reads in: earlier answers, files, stores, cached content, pictures by their URL. */
  readonly refers: boolean
  /** The upstream may call the model again and again, and reports the sum of its input: it runs tools, or compacts. */
  readonly loops: boolean
  /** Whether it holds pictures, documents or sound, which cost by what they show and not by their bytes. */
  readonly media: boolean
  /** Whether something that it refers to is kept by a provider for all accounts together: `stored-ids.ts` says what. */
  readonly kept: boolean
  /** Where that is named, as far as it is by ids: one more than STORED_IDS_LIMIT at most. Left out: nowhere. */
  readonly named?: readonly NamedPlace[]
  /** The provider's own tools that it asks for, as far as some provider charges for calls of them; absent: none. */
  readonly tools?: ReadonlySet<HostedTool> | undefined
}

/** A form's: pictures or sound in its files, and nothing that is named. */
export const MEDIA_ALONE: OutsideInput = { refers: false, loops: false, media: true, kept: false }

/** Something in a body that a provider keeps. */
export interface NamedPlace {
  /** `answer`: an earlier answer. `item`: an item of one. `other`: a file, a conversation, a store. */
  readonly kind: 'answer' | 'item' | 'other'
  /** Where its field's name stands, with its quotes. */
  readonly name: Range
  /** The offset of its value; -1: it has none. */
  readonly at: number
}
