import { CollectedBytes } from '../../core/collected-bytes.ts'
import { RESPONSE_CACHE_ENTRY_BYTES } from '../../core/limits.ts'
import type { AnswerRecorder, RecordedEnd } from '../exchange/state.ts'
import type { ResponseCache } from '../memory/response-cache.ts'

/** Names of calls to tools in the answers of all wires. */
const CALLS = ['tool_call', 'tool_use', 'function_call', 'functionCall', '_call"']

/** The answer to one request, as it goes to its client, on its way into the cache. */
export class AnswerRecording implements AnswerRecorder {
  readonly #cache: ResponseCache
  readonly #key: string
  readonly #bytes = new CollectedBytes()
  #isWhole = true

  constructor(cache: ResponseCache, key: string) {
    this.#cache = cache
    this.#key = key
  }

  /** More of a stream went out. The bytes are the sender's, so they are copied. */
  add(bytes: Buffer): void {
    if (!this.#isWhole) return
    this.#isWhole = this.#bytes.add(Buffer.from(bytes), RESPONSE_CACHE_ENTRY_BYTES)
    if (!this.#isWhole) this.#bytes.clear()
  }

  /** The answer came to its good end and is in the books. It is kept where it may be given again as it is. */
  keep(end: RecordedEnd): void {
    const { ending, terms, contentType, isStream, dropped } = end
    this.add(end.last)
    const isPlain = ending.usageSource === 'reported' && !ending.isCapped && ending.usageNotes.length === 0
    if (!this.#isWhole || !isPlain || end.isStored || ending.outcome !== 'completed' || ending.fault !== null) return
    const body = this.#bytes.whole()
    this.#bytes.clear()
    if (CALLS.some((name) => body.includes(name))) return
    this.#cache.keep(this.#key, { body, contentType, isStream, dropped, tokens: ending.tokens, terms })
  }
}
