import { Fault } from '../core/faults.ts'
import { TRANSLATED_BODY_LIMIT_BYTES, TRANSLATED_VALUES_LIMIT } from '../core/limits.ts'
import type { TokenCounts } from '../core/tokens.ts'
import type { ChatWire } from '../core/wire.ts'
import { inClientsWords } from './context-length.ts'
import { adaptTools, type ClientToolNames } from './hub/adapted-tools.ts'
import { isObject, type JsonObject } from './hub/json-object.ts'
import type { NeutralRequest } from './hub/neutral-request.ts'
import { Notes } from './hub/notes.ts'
import { madeIn, readableIn, realmsOf } from './hub/realm-of-reasoning.ts'
import { SettingsToWrite } from './hub/request-settings.ts'
import { clientCall } from './hub/client-call.ts'
import type { ClientCall, Spoke } from './hub/spoke.ts'
import { TranslatedStream } from './hub/translated-stream.ts'
import type { AnswerAbout, RequestHead, StreamReader, UpstreamError } from './protocol.ts'
import { protocolOf } from './protocol-of.ts'
import { JsonFlaw, JsonWalk } from './reading/json-scan.ts'
import { anthropicMessagesSpoke } from './spokes/anthropic-messages.ts'
import { geminiSpoke } from './spokes/gemini.ts'
import { openaiChatSpoke } from './spokes/openai-chat.ts'
import { openaiResponsesSpoke } from './spokes/openai-responses.ts'

/** Every chat wire's spoke. The list is closed by its type, and the conformance suite runs over each pair. */
export const SPOKES: Readonly<Record<ChatWire, Spoke>> = {
  'openai-chat': openaiChatSpoke,
  'openai-responses': openaiResponsesSpoke,
  'anthropic-messages': anthropicMessagesSpoke,
  gemini: geminiSpoke,
}

/** One request as its client sent it. */
export interface RequestToTranslate {
  readonly wire: ChatWire
  readonly body: Buffer
  readonly head: RequestHead
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** The upstream that a request is translated for. */
export interface TranslatedFor {
  readonly model: string
  /** The model whose fields it takes; left out: its name says it. */
  readonly fieldsLike?: string | undefined
  readonly maxOutputTokens: number | null
  /** The tag of the realm that it is sent to; left out: not known, and reasoning of all realms is sent. */
  readonly realm?: string | undefined
}

interface ReadRequest {
  readonly json: JsonObject
  readonly request: NeutralRequest
  readonly dropped: readonly string[]
}

/** One client's request that is to be carried to upstreams of other wires; it is read once, however many are tried. */
export class Translation {
  readonly #asked: RequestToTranslate
  #read: ReadRequest | Fault | null = null

  constructor(asked: RequestToTranslate) {
    this.#asked = asked
  }

  /**
   * The request for an upstream of another wire. Throws the fault `request_invalid` naming the field that this wire cannot
   * carry, or what is wrong with the body.
   */
  to(wire: ChatWire, upstream: TranslatedFor): Translated {
    const { head } = this.#asked
    const read = (this.#read ??= this.#readOrFault())
    if (read instanceof Fault) throw read
    const spoke = SPOKES[wire]
    const notes = new Notes(SPOKES[this.#asked.wire].hints)
    const { realm } = upstream
    const bound = realmsOf(read.request)
    const readable = realm === undefined || bound.size === 0 ? read.request : readableIn(realm, read.request, notes)
    const { request, names } = adaptTools(readable, spoke.can, notes)
    const settings = new SettingsToWrite(request.settings, notes)
    const { model, fieldsLike, maxOutputTokens: modelMaxOutputTokens } = upstream
    const written = spoke.writeRequest(request, {
      model,
      fieldsLike,
      isStream: head.stream,
      modelMaxOutputTokens,
      settings,
      notes,
    })
    settings.end()
    const parts = {
      call: this.#call(read),
      clientWire: this.#asked.wire,
      upstreamWire: wire,
      choices: head.choices,
      dropped: [...new Set([...read.dropped, ...notes.dropped])],
      names,
      realm,
      bound,
    }
    return new Translated(parts, Buffer.from(JSON.stringify(written)))
  }

  #call(read: ReadRequest): ClientCall {
    const { requestId, nowMs, head, wire } = this.#asked
    const about = { requestId, model: head.model, nowMs, includeUsage: head.includeUsage }
    return clientCall(SPOKES[wire], read, about)
  }

  /** What cannot be read is not read again for the next upstream. */
  #readOrFault(): ReadRequest | Fault {
    try {
      return this.#readRequest()
    } catch (error) {
      if (error instanceof Fault) return error
      throw error
    }
  }

  #readRequest(): ReadRequest {
    const { body, wire } = this.#asked
    refuseTooLarge(body)
    const json = parsed(body)
    const notes = new Notes(SPOKES[wire].hints)
    const request = SPOKES[wire].readRequest(json, notes)
    return { json, request, dropped: notes.dropped }
  }
}

interface TranslatedParts {
  readonly call: ClientCall
  readonly clientWire: ChatWire
  readonly upstreamWire: ChatWire
  readonly choices: number
  readonly dropped: readonly string[]
  readonly names: ClientToolNames
  readonly realm: string | undefined
  readonly bound: ReadonlySet<string>
}

const NOTHING = Buffer.alloc(0)

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

  /** The same, and it is not kept any longer: an answer may take minutes. */
  takeBody(): Buffer {
    const body = this.#body
    this.#body = NOTHING
    return body
  }

  /** Paths in the client's body of what was left out, for the header. */
  get dropped(): readonly string[] {
    return this.#parts.dropped
  }

  /** It goes to that realm, by its tag; false: it may not, since it holds what only another can read, or lacks what this one can. */
  goesTo(realm: string): boolean {
    if (this.#parts.bound.size > 0 && realm !== this.#realm) return false
    this.#realm = realm
    return true
  }

  /** The upstream's whole answer as the client's wire writes it. `body` was read by the upstream's `Protocol` before. */
  answer(body: Buffer, usage: TokenCounts): Buffer {
    const { clientWire, upstreamWire, names, call } = this.#parts
    const answer = madeIn(this.#realm, names.restored(SPOKES[upstreamWire].readAnswer(parsed(body), call.requestId)))
    return Buffer.from(JSON.stringify(SPOKES[clientWire].writeAnswer(answer, call, usage)))
  }

  openStream(about: AnswerAbout = {}): StreamReader {
    const { clientWire, upstreamWire, names, call, choices } = this.#parts
    return new TranslatedStream({
      realm: this.#realm,
      metered: protocolOf(upstreamWire).openStream({ ...about, choices, dropUsageChunk: false }),
      reader: SPOKES[upstreamWire].openReader(call.requestId),
      writer: SPOKES[clientWire].openWriter(call),
      names,
      choices,
      inClientsWords: (error) => inClientsWords(error, clientWire),
    })
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

/** All others wait while a request is translated, so what takes long is refused before it is parsed. */
function refuseTooLarge(body: Buffer): void {
  if (body.length > TRANSLATED_BODY_LIMIT_BYTES) throw tooLarge(`${TRANSLATED_BODY_LIMIT_BYTES} bytes`)
  // Each takes a byte at least, and most bodies have too few for it.
  if (body.length > TRANSLATED_VALUES_LIMIT && hasMoreValues(body)) {
    throw tooLarge(`${TRANSLATED_VALUES_LIMIT} JSON values (messages, parts, tools and their fields)`)
  }
}

function hasMoreValues(body: Buffer): boolean {
  try {
    return new JsonWalk(body).hasMoreValues(TRANSLATED_VALUES_LIMIT)
  } catch (flaw) {
    // Its parser says what is wrong.
    if (flaw instanceof JsonFlaw) return false
    throw flaw
  }
}

function tooLarge(what: string): Fault {
  return new Fault(
    'request_invalid',
    `This model’s upstream speaks another protocol, and a request that is translated has ${what} at most. ${SMALLER}`,
  )
}

const SMALLER = 'Shorten it, or use a model that is served in your client’s own protocol.'

function parsed(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString().replace(/^\uFEFF/, ''))
    if (isObject(value)) return value
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new Fault('request_invalid', `The request body is not valid JSON: ${why}. Send one JSON object.`)
  }
  throw new Fault('request_invalid', 'The request body is not a JSON object. Send one.')
}
