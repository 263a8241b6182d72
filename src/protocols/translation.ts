import { Fault } from '../core/faults.ts'
import { TRANSLATED_BODY_LIMIT_BYTES, TRANSLATED_VALUES_LIMIT } from '../core/limits.ts'
import type { TokenCounts } from '../core/tokens.ts'
import { atOnce, type Steps } from '../core/turns.ts'
import type { HubWire } from '../core/wire.ts'
import { inClientsWords } from './context-length.ts'
import { type AskedModel, factsOf } from '../models/table.ts'
import { adaptTools, type ClientToolNames } from './hub/adapted-tools.ts'
import { fitToModel } from './hub/fit-to-model.ts'
import { callIdsIn, ClientCallIds } from './hub/client-call-ids.ts'
import { isObject, type JsonObject } from './json/json-object.ts'
import type { NeutralChoice } from './hub/neutral-answer.ts'
import type { NeutralRequest } from './hub/neutral-request.ts'
import { Notes } from './hub/notes.ts'
import { pairedCalls } from './hub/paired-calls.ts'
import { madeIn, readableIn, realmsOf } from './hub/opaque-reasoning.ts'
import { SettingsToWrite } from './hub/request-settings.ts'
import { clientCall, type ClientCall, type Spoke } from './hub/spoke.ts'
import { stoppedAt, stopsLeftHere } from './hub/stop-at.ts'
import { withUpstreamCallIds } from './hub/upstream-call-ids.ts'
import { TranslatedStream } from './hub/translated-stream.ts'
import type { AnswerAbout, RequestHead, StreamReader, UpstreamError } from './protocol.ts'
import { protocolOf } from './protocol-of.ts'
import { isAnyUsed } from './reading/answer-failure.ts'
import { writeJson } from './json/exact-json.ts'
import { parseExactly, parseExactText } from './json/exact-reader.ts'
import { type FreeFields, surveyJson } from './json/json-survey.ts'
import { refusedForOtherEndpoint } from './other-endpoint.ts'
import { anthropicMessagesSpoke } from './spokes/anthropic-messages.ts'
import { bedrockConverseSpoke } from './spokes/bedrock-converse.ts'
import { geminiSpoke } from './spokes/gemini.ts'
import { openaiChatSpoke } from './spokes/openai-chat.ts'
import { openaiResponsesSpoke } from './spokes/openai-responses.ts'

/** Every wire of the hub with its spoke. The list is closed by its type, and the conformance suite runs over each pair. */
export const SPOKES: Readonly<Record<HubWire, Spoke>> = {
  'openai-chat': openaiChatSpoke,
  'openai-responses': openaiResponsesSpoke,
  'anthropic-messages': anthropicMessagesSpoke,
  gemini: geminiSpoke,
  'bedrock-converse': bedrockConverseSpoke,
}

/** One request as its client sent it. */
export interface RequestToTranslate {
  readonly wire: HubWire
  /** The wire of the body, where that is not the one in which the client reads the answer. */
  readonly bodyWire?: HubWire | undefined
  readonly body: Buffer
  readonly head: RequestHead
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** The upstream that a request is translated for. */
export interface TranslatedFor {
  readonly model: string
  /** The model by which its facts are known, and what an admin says of it; left out: its own name. */
  readonly takesLike?: AskedModel | undefined
  readonly maxOutputTokens: number | null
  /** The tag of the realm that it is sent to; left out: not known, and reasoning of all realms is sent. */
  readonly realm?: string | undefined
}

interface TranslatedRequest {
  readonly json: JsonObject
  readonly request: NeutralRequest
  readonly dropped: readonly string[]
}

/** One client's request that is to be carried to upstreams of other wires; it is read once, however many are tried. */
export class Translation {
  readonly #asked: RequestToTranslate
  #read: TranslatedRequest | Fault | null = null

  constructor(asked: RequestToTranslate) {
    this.#asked = asked
  }

  /**
   * The request for an upstream of another wire. Throws the fault `request_invalid` naming the field that this wire cannot
   * carry, or what is wrong with the body.
   */
  to(wire: HubWire, upstream: TranslatedFor): Translated {
    const { head } = this.#asked
    const read = (this.#read ??= atOnce(this.#readOrFault()))
    if (read instanceof Fault) throw read
    const spoke = SPOKES[wire]
    const notes = new Notes(this.#bodySpoke.hints)
    const { realm } = upstream
    const bound = realmsOf(read.request)
    const readable = realm === undefined || bound.size === 0 ? read.request : readableIn(realm, read.request, notes)
    const { model, takesLike = { name: model }, maxOutputTokens: modelMaxOutputTokens } = upstream
    const facts = factsOf(takesLike, wire)
    const { request: adapted, names } = adaptTools(fitToModel(readable, facts, notes), spoke.can, notes)
    const ids = facts.call_ids === 'nine' ? NINE_CHARACTER_IDS : spoke.callIds
    const request = withUpstreamCallIds(adapted, ids)
    const settings = new SettingsToWrite(request.settings, notes)
    const stops = stopsLeftHere(settings, { most: facts.stops, blank: facts.blank_stops })
    const asksWhole = head.stream && !facts.streamed_tools && request.tools.length > 0
    const isStream = head.stream && !asksWhole
    const options = { model, facts, isStream, modelMaxOutputTokens, settings, notes }
    const written = writeJson(() => spoke.writeRequest(request, options))
    settings.end()
    const parts = {
      call: this.#call(read),
      clientWire: this.#asked.wire,
      upstreamWire: wire,
      choices: head.choices,
      dropped: [...new Set([...read.dropped, ...notes.dropped])],
      names,
      stops,
      takenCallIds: callIdsIn(read.request),
      realm,
      bound,
      asksWhole,
    }
    return new Translated(parts, Buffer.from(written))
  }

  get #bodySpoke(): Spoke {
    return SPOKES[this.#asked.bodyWire ?? this.#asked.wire]
  }

  #call(read: TranslatedRequest): ClientCall {
    const { requestId, nowMs, head } = this.#asked
    const about = { requestId, model: head.model, nowMs, includeUsage: head.includeUsage }
    return clientCall(this.#bodySpoke, read, about)
  }

  /** Reads the request in steps, for what `to` does with it. */
  *readAhead(): Steps<void> {
    this.#read ??= yield* this.#readOrFault()
    yield
  }

  /** What cannot be read is not read again for the next upstream. */
  *#readOrFault(): Steps<TranslatedRequest | Fault> {
    try {
      return yield* this.#readRequest()
    } catch (error) {
      if (error instanceof Fault) return error
      throw error
    }
  }

  *#readRequest(): Steps<TranslatedRequest> {
    const spoke = this.#bodySpoke
    const json = yield* parsedRequest(this.#asked.body, spoke.freeFields.ofRequests)
    yield
    const notes = new Notes(spoke.hints)
    try {
      const request = spoke.readRequest(json, notes)
      yield
      refuseManyArguments(request)
      const turns = pairedCalls(request.turns, notes)
      return { json, request: { ...request, turns }, dropped: notes.dropped }
    } catch (error) {
      throw (error instanceof Fault ? refusedForOtherEndpoint(spoke.wire, json) : null) ?? error
    }
  }
}

interface TranslatedParts {
  readonly call: ClientCall
  readonly clientWire: HubWire
  readonly upstreamWire: HubWire
  readonly choices: number
  readonly dropped: readonly string[]
  readonly names: ClientToolNames
  /** Stop sequences that the upstream was not sent. */
  readonly stops: readonly string[]
  /** Ids of all calls of the conversation, as the client has them. */
  readonly takenCallIds: ReadonlySet<string>
  readonly realm: string | undefined
  readonly bound: ReadonlySet<string>
  readonly asksWhole: boolean
}

const NOTHING = Buffer.alloc(0)
const NINE_CHARACTER_IDS = { form: 'alphanumeric9', mayRepeat: false } as const

/** One request as one upstream gets it, and the way back for its answer. */
export class Translated {
  readonly #parts: TranslatedParts
  #realm: string | undefined
  #body: Buffer

  constructor(parts: TranslatedParts, body: Buffer) {
    this.#parts = parts
    this.#realm = parts.realm
    this.#body = body
  }

  /** JSON for the upstream. */
  get body(): Buffer {
    return this.#body
  }

  /** Returns the body, and does not keep it any longer: an answer may take minutes. */
  takeBody(): Buffer {
    const body = this.#body
    this.#body = NOTHING
    return body
  }

  /** Paths in the client's body of what was left out, for the header. */
  get dropped(): readonly string[] {
    return this.#parts.dropped
  }

  /** The client streams, and the model does not: the answer is asked for whole. */
  get asksWhole(): boolean {
    return this.#parts.asksWhole
  }

  /** Whether it goes to the realm of this tag; false: it may not, since it holds what only another can read, or lacks what this one can. */
  goesTo(realm: string): boolean {
    if (this.#parts.bound.size > 0 && realm !== this.#realm) return false
    this.#realm = realm
    return true
  }

  /** The upstream's whole answer as the client's wire writes it. `body` was read by the upstream's `Protocol` before. */
  answer(body: Buffer, usage: TokenCounts): Buffer {
    const { clientWire, upstreamWire, names, stops, call } = this.#parts
    const { freeFields, readAnswer } = SPOKES[upstreamWire]
    const json = answerIn(() => parseExactly(body, freeFields.ofAnswers))
    const whole = madeIn(this.#realm, this.#callIds().restored(names.restored(readAnswer(json))))
    // Of what it holds nothing can be read, and it does not say that anything was written.
    if (!isAnyUsed(usage) && whole.choices.every(saysNothing)) throw unreadable()
    const answer = stoppedAt(stops, whole)
    return Buffer.from(writeJson(() => SPOKES[clientWire].writeAnswer(answer, call, usage)))
  }

  openStream(about: AnswerAbout = {}): StreamReader {
    const { clientWire, upstreamWire, names, stops, call, choices } = this.#parts
    return new TranslatedStream({
      realm: this.#realm,
      metered: protocolOf(upstreamWire).openStream({ ...about, isTranslated: true, choices, dropUsageChunk: false }),
      reader: SPOKES[upstreamWire].openReader(),
      writer: SPOKES[clientWire].openWriter(call),
      names,
      stops,
      callIds: this.#callIds(),
      choices,
      inClientsWords: (error) => inClientsWords(error, clientWire),
    })
  }

  #callIds(): ClientCallIds {
    const { clientWire, takenCallIds: taken, call } = this.#parts
    return new ClientCallIds({ taken, limit: SPOKES[clientWire].callIds.clientLimit, requestId: call.requestId })
  }

  readError(body: Buffer): UpstreamError {
    const { clientWire, upstreamWire } = this.#parts
    return inClientsWords(withoutOwnNames(protocolOf(upstreamWire).readError(body)), clientWire)
  }
}

/** The field that is at fault is one of a request that the client never wrote, and a status is not the name of an error. */
function withoutOwnNames(error: UpstreamError): UpstreamError {
  return { ...error, param: null, code: /^\d+$/.test(error.code ?? '') ? null : error.code }
}

/**
 * Parses a body. All others wait while a request is translated, so what takes long is refused before: its values are counted
 * by the walk that also looks whether it can be parsed the short way.
 */
function* parsedRequest(body: Buffer, free: FreeFields): Steps<JsonObject> {
  refuseTooLong(body)
  const { hasMoreValues, isExact } = surveyJson(body, { free, mostValues: TRANSLATED_VALUES_LIMIT })
  if (hasMoreValues) {
    throw tooLarge(`${TRANSLATED_VALUES_LIMIT} JSON values (messages, parts, tools and their fields)`)
  }
  yield
  return objectIn(() => {
    const text = body.toString().replace(/^\uFEFF/, '')
    return isExact ? JSON.parse(text) : parseExactText(text, free)
  })
}

/** Arguments that are JSON in a text have been no values of the body, and are parsed for wires that want an object. */
function refuseManyArguments({ turns }: NeutralRequest): void {
  let left = TRANSLATED_VALUES_LIMIT
  for (const { parts } of turns) {
    for (const part of parts) {
      if (part.kind !== 'tool_call' || part.isCustom || part.input.length < FEW_ARGUMENTS) continue
      left -= surveyJson(Buffer.from(part.input), { free: NOTHING_FREE, mostValues: left }).values
      if (left < 0) throw tooLarge(`${TRANSLATED_VALUES_LIMIT} JSON values in the arguments of its calls`)
    }
  }
}

/** Shorter ones have been counted: each call has some values in the body. */
const FEW_ARGUMENTS = 256
const NOTHING_FREE = new Map()

/** Throws the fault `request_invalid` for a body of more bytes than one may have that is translated. */
export function refuseTooLong(body: Buffer): void {
  if (body.length > TRANSLATED_BODY_LIMIT_BYTES) throw tooLarge(`${TRANSLATED_BODY_LIMIT_BYTES} bytes`)
}

function tooLarge(what: string): Fault {
  return new Fault(
    'request_invalid',
    `This model’s upstream speaks another protocol, and a request that is translated has ${what} at most. ${SMALLER}`,
  )
}

const SMALLER = 'Shorten it, or use a model that is served in your client’s own protocol.'

function saysNothing({ blocks, stop }: NeutralChoice): boolean {
  return blocks.length === 0 && stop.reason !== 'filtered'
}

function unreadable(cause?: unknown): Fault {
  return new Fault('upstream_malformed', 'The model’s answer cannot be read. Try again.', { cause })
}

/** An answer is looked at only in part before it is translated. */
function answerIn(parse: () => unknown): JsonObject {
  try {
    return objectIn(parse)
  } catch (error) {
    throw unreadable(error)
  }
}

function objectIn(parse: () => unknown): JsonObject {
  try {
    const value = parse()
    if (isObject(value)) return value
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new Fault('request_invalid', `The request body is not valid JSON: ${why}. Send one JSON object.`)
  }
  throw new Fault('request_invalid', 'The request body is not a JSON object. Send one.')
}
