import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../../core/faults.ts'
import { fieldsOf, parseOrUndefined } from '../../../protocols/json/json-object.ts'
import { LACKS_OPERATION, type UpstreamHandler } from '../../upstream-client.ts'

/**
 * Hears an answer of Azure's. What a deployment, or the version of the API that is set for it, cannot do is refused there with
 * 400, as if the request were wrong. OpenAI answers 404 where a model or an endpoint is missing, so that status is passed on:
 * another wire, or another target, may serve the request. Azure's codes become those that the gateway reads; the words stay.
 */
export class RefusalOfDeployment implements UpstreamHandler {
  readonly #handler: UpstreamHandler
  /** What came of a refusal that is not passed on yet; null: what comes is passed on. */
  #held: PendingRefusal | null = null

  constructor(handler: UpstreamHandler) {
    this.#handler = handler
  }

  onConnected(): void {
    this.#handler.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (status === BAD_REQUEST || status === NOT_FOUND) this.#held = { status, headers, pieces: [], bytes: 0 }
    else this.#handler.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#held === null) return this.#handler.onData(chunk)
    this.#held.pieces.push(chunk)
    this.#held.bytes += chunk.length
    if (this.#held.bytes > REFUSAL_LIMIT_BYTES) this.#passOn(this.#held)
  }

  onEnd(): void {
    if (this.#held !== null) this.#passOn(translated(this.#held))
    this.#handler.onEnd()
  }

  onFailure(fault: Fault): void {
    if (this.#held !== null) this.#passOn(this.#held)
    this.#handler.onFailure(fault)
  }

  #passOn({ status, headers, pieces }: PendingRefusal): void {
    this.#held = null
    this.#handler.onHead(status, headers)
    for (const piece of pieces) this.#handler.onData(piece)
  }
}

interface PendingRefusal {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly pieces: Buffer[]
  bytes: number
}

const BAD_REQUEST = 400
const NOT_FOUND = 404
/** A refusal of these kinds is one sentence. */
const REFUSAL_LIMIT_BYTES = 16_384

/**
 * Azure's codes for a deployment whose model has other endpoints, and for one that is not there; and, as a version has no code of
 * its own, the beginnings of what is said of one (langchain-ai/langchain-azure#228; BerriAI/litellm#22141;
 * OpenHands/software-agent-sdk#4549; microsoft/genaiscript#1121). A closed list.
 */
const CODES: Readonly<Record<string, string>> = {
  OperationNotSupported: LACKS_OPERATION,
  // As OpenAI calls it.
  DeploymentNotFound: 'model_not_found',
}
const OF_VERSION = /^(?:API version not supported|[\w {}.:-]{1,128} is enabled only for api[ -]versions? )/

function translated(held: PendingRefusal): PendingRefusal {
  const body = parseOrUndefined(Buffer.concat(held.pieces).toString())
  const error = fieldsOf(fieldsOf(body)['error'])
  const { code, message } = error
  if (code === 'BadRequest' && typeof message === 'string' && OF_VERSION.test(message))
    return { ...held, status: NOT_FOUND }
  const read = typeof code === 'string' && Object.hasOwn(CODES, code) ? CODES[code] : undefined
  if (read === undefined) return held
  const { 'content-length': _length, ...headers } = held.headers
  const written = Buffer.from(JSON.stringify({ ...fieldsOf(body), error: { ...error, code: read } }))
  return { ...held, status: NOT_FOUND, headers, pieces: [written] }
}
