import type { Fault } from '../../core/faults.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { HubWire } from '../../core/wire.ts'
import type { ModelFacts } from '../../models/facts.ts'
import type { FreeFields } from '../json/json-survey.ts'
import type { ServerEvent } from '../reading/server-event.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { NeutralAnswer, StreamPart } from './neutral-answer.ts'
import type { NeutralRequest } from './neutral-request.ts'
import type { Hints, Notes } from './notes.ts'
import type { UpstreamIds } from './upstream-call-ids.ts'
import type { SettingsToWrite } from './request-settings.ts'

/**
 * One chat wire as the hub sees it. A spoke knows its own wire and the neutral forms, and no other wire. The conformance
 * suite (`test/conformance/translation*.test.ts`) runs over every pair of them.
 */
export interface Spoke {
  readonly wire: HubWire
  /** Fields of this wire's requests that may be left out for any other, and why. */
  readonly hints: Hints
  readonly can: ToolAbilities
  /** Ids of calls as this wire's upstreams take them, and how many characters its clients may get. */
  readonly callIds: UpstreamIds & { readonly clientLimit: number }
  /**
   * Names of fields whose objects belong to the client or the model: schemas, arguments, results. They are read so that they
   * can be written as they came (`json/exact-reader.ts`).
   */
  readonly freeFields: { readonly ofRequests: FreeFields; readonly ofAnswers: FreeFields }
  /** The field of a request that holds the conversation. It is not kept while an answer streams. */
  readonly conversation: 'messages' | 'input' | 'contents'
  /** What of the conversation the writer of the answer needs all the same. */
  keptOf?(conversation: unknown): unknown
  /**
   * Reads a client's request. What `RequestHead` has (model, stream) is asked for and not kept. Throws the fault
   * `request_invalid` naming the field; unknown fields go through `FieldReader.end`.
   */
  readRequest(body: JsonObject, notes: Notes): NeutralRequest
  /** The body for an upstream. What this wire cannot say is refused or left out by way of `call.notes`. */
  writeRequest(request: NeutralRequest, call: UpstreamCall): JsonObject
  /**
   * Reads an upstream's whole answer. It was found to be one by the wire's `Protocol.readAnswer`. Never throws. Ids of calls
   * are the upstream's, and empty where it gave none (`hub/client-call-ids.ts`).
   */
  readAnswer(body: JsonObject): NeutralAnswer
  /** The answer as this wire's clients read it. */
  writeAnswer(answer: NeutralAnswer, call: ClientCall, usage: TokenCounts): JsonObject
  openReader(): PartReader
  openWriter(call: ClientCall): PartWriter
}

/** What a wire's upstreams understand of tools. */
export interface ToolAbilities {
  /** Whether there are tools that take text and no JSON. */
  readonly customTools: boolean
  /** Names beyond this pattern are replaced on the way to an upstream, and put back on the way to the client. */
  readonly toolName: RegExp
}

/** One request on its way to one upstream. */
export interface UpstreamCall {
  /** The upstream's name of the model. */
  readonly model: string
  /** What that model takes on this wire. */
  readonly facts: ModelFacts
  readonly isStream: boolean
  /** What the model can write at most, in tokens, for wires that require a limit; null: not known. */
  readonly modelMaxOutputTokens: number | null
  /** Everything has to be taken out of it: what is not is left out or refused when the body is written. */
  readonly settings: SettingsToWrite
  readonly notes: Notes
}

/** One request as its client asked it, for writing the answer. */
export interface ClientCall {
  readonly requestId: string
  /** The name of the model as the client knows it. */
  readonly model: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Whether a streaming client wants the usage (chat completions; other wires always tell it). */
  readonly includeUsage: boolean
  /** The client's body without its conversation: some wires repeat much of it in their answers. */
  readonly asked: JsonObject
  /** The request without turns. */
  readonly request: NeutralRequest
  /** The input, where it is counted before the answer begins, as by a model of our own; upstreams report it at the end. */
  readonly usedInput?: TokenCounts
}

/**
 * Reads the events of one stream: what it does not understand it passes over. Throws the fault `upstream_malformed` where there
 * is more of something than it has room for.
 */
export interface PartReader {
  read(event: ServerEvent): readonly StreamPart[]
  /** The stream came to its end, or is cut: ends of blocks that are still open. */
  end(): readonly StreamPart[]
  /** A call came of which nothing says that it is whole, in an answer that says that it is. Known at the end. */
  readonly hasCutCall: boolean
}

/**
 * Writes one stream, as text. It gets blocks one after the other, each closed before the next begins (`BlockQueue`), unless
 * `takesMixedBlocks`.
 */
export interface PartWriter {
  readonly takesMixedBlocks: boolean
  /** What goes to the client for this part; empty when it has to wait. The stream's first events come before the first part's. */
  write(part: StreamPart): string
  /** The rest, up to the terminal event, with what was used. Stops that never came are written as `end`. */
  end(usage: StreamUsage): string
  /** See StreamReader. */
  keepAlive(): string
  writeFault(fault: Fault): string
}

/** What a stream used, for its client. */
export interface StreamUsage {
  readonly reported: TokenCounts
  /** Where nothing was reported and this wire has to name a number. */
  readonly estimatedOutputTokens: number
}

/** What writing the answer needs of the request: not the conversation, which is most of it. */
export function clientCall(
  { conversation, keptOf }: Spoke,
  { json, request }: { readonly json: JsonObject; readonly request: NeutralRequest },
  about: Pick<ClientCall, 'requestId' | 'model' | 'nowMs' | 'includeUsage'>,
): ClientCall {
  const { [conversation]: said, ...rest } = json
  const asked = keptOf === undefined ? rest : { ...rest, [conversation]: keptOf(said) }
  return { ...about, asked, request: { ...request, turns: [] } }
}
