import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../../core/faults.ts'
import { fieldsOf, parseOrUndefined } from '../../../protocols/json/json-object.ts'
import type { UpstreamHandler } from '../../upstream-client.ts'

/**
 * Hears an answer of Azure's. What a deployment, or the version of the API that is set for it, cannot do is refused there with
 * 400, as if the request were wrong. OpenAI answers 404 where a model or an endpoint is missing, so that status is passed on:
 * another wire, or another target, may serve the request. The words stay.
 */
export class RefusalOfDeployment implements UpstreamHandler {
  readonly #handler: UpstreamHandler
  /** What came of a refusal that is not passed on yet; null: what comes is passed on. */
  #held: { readonly headers: IncomingHttpHeaders; readonly pieces: Buffer[]; bytes: number } | null = null

  constructor(handler: UpstreamHandler) {
    this.#handler = handler
  }

  onConnected(): void {
    this.#handler.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (status === BAD_REQUEST) this.#held = { headers, pieces: [], bytes: 0 }
    else this.#handler.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#held === null) return this.#handler.onData(chunk)
    this.#held.pieces.push(chunk)
    this.#held.bytes += chunk.length
    if (this.#held.bytes > REFUSAL_LIMIT_BYTES) this.#passOn(BAD_REQUEST)
  }

  onEnd(): void {
    if (this.#held !== null) this.#passOn(isOfDeployment(Buffer.concat(this.#held.pieces)) ? NOT_FOUND : BAD_REQUEST)
    this.#handler.onEnd()
  }

  onFailure(fault: Fault): void {
    if (this.#held !== null) this.#passOn(BAD_REQUEST)
    this.#handler.onFailure(fault)
  }

  #passOn(status: number): void {
    const held = this.#held
    if (held === null) return
    this.#held = null
    this.#handler.onHead(status, held.headers)
    for (const piece of held.pieces) this.#handler.onData(piece)
  }
}

const BAD_REQUEST = 400
const NOT_FOUND = 404
/** A refusal of these kinds is one sentence. */
const REFUSAL_LIMIT_BYTES = 16_384

/**
 * A closed list: the code of a deployment whose model has another endpoint, and, as a version has no code of its own, the
 * beginnings of what is said of one (langchain-ai/langchain-azure#228; BerriAI/litellm#22141; OpenHands/software-agent-sdk#4549;
 * microsoft/genaiscript#1121).
 */
const CODE = 'OperationNotSupported'
const OF_VERSION = /^(?:API version not supported|[\w {}.:-]{1,128} is enabled only for api[ -]versions? )/

function isOfDeployment(body: Buffer): boolean {
  const { code, message } = fieldsOf(fieldsOf(parseOrUndefined(body.toString()))['error'])
  return code === CODE || (code === 'BadRequest' && typeof message === 'string' && OF_VERSION.test(message))
}
