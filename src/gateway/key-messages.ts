import { CountsInWindow } from '../core/counts-in-window.ts'
import { KEY_MESSAGE_MS, KEY_MESSAGES_AT_ONCE, KEY_MESSAGES_PER_MINUTE } from '../core/limits.ts'
import type { KeyMessage, KeyMessageAnswer, KeyMessageQuestion } from '../entitlement/key-message.ts'
import { smallRequest } from '../protocols/small-request.ts'
import { writtenText } from '../protocols/written-text.ts'
import { BadCredentialThrottle } from './callers/bad-credentials.ts'
import type { GatewayParts } from './parts.ts'
import { sendThrough } from './trial/send-through.ts'
import { errorIn } from './upstream-faults.ts'

const LONGEST_TEXT = 300
const ACCOUNTS_COUNTED = 10_000
/** The client that the record of a test names. */
const CLIENT = 'tollgate-console-test'
/** What stands where a client's secret does, in the form of one. It opens nothing. */
const PRESENTED = 'test-message-without-the-secret'

/**
 * Test messages of keys: each is a small request that the key itself sends, on the way of every client, with its groups, limits
 * and addresses, its price and its record. Only the secret is left out: the key is found by the hash that is stored of it.
 */
export class KeyMessages {
  readonly #parts: GatewayParts
  readonly #counts: CountsInWindow
  #running = 0

  constructor(parts: GatewayParts) {
    this.#parts = parts
    this.#counts = new CountsInWindow(parts.clock, { windowMs: 60_000, mostNames: ACCOUNTS_COUNTED })
  }

  /** Resolves within `KEY_MESSAGE_MS` and a moment, whatever the upstream does. */
  async send(question: KeyMessageQuestion): Promise<KeyMessageAnswer> {
    if (this.#running >= KEY_MESSAGES_AT_ONCE) return { kind: 'too_many', retryAfterSeconds: 1 }
    const { count, endsInSeconds } = this.#counts.add(question.accountId)
    if (count > KEY_MESSAGES_PER_MINUTE) return { kind: 'too_many', retryAfterSeconds: endsInSeconds }
    this.#running += 1
    try {
      return { kind: 'done', ...(await this.#send(question)) }
    } finally {
      this.#running -= 1
    }
  }

  async #send({ modelName, wire, secretHash, address, origin, outputTokens }: KeyMessageQuestion): Promise<KeyMessage> {
    const parts = this.#parts
    // Which of its targets is asked is decided later: what is known of the model is its public name and its own rules.
    const takesLike = { name: modelName, rules: parts.snapshot().modelsByName.get(modelName)?.serving?.rules }
    const asked = { model: modelName, takesLike, isStream: false, outputTokens }
    const small = smallRequest(wire, asked)
    if (small === null) throw new Error(`there is no small request over ${wire}`)
    const { requestId, response, record, fault, totalMs } = await sendThrough(
      {
        ...parts,
        // A guess cannot be made here: the key is the asker's own, and no text is taken for it.
        callers: {
          ...parts.callers,
          hashSecret: () => secretHash,
          throttle: new BadCredentialThrottle(parts.clock),
        },
        addressOf: () => address,
        originOf: () => origin,
      },
      { ...small, wire, credential: PRESENTED, userAgent: CLIENT, withinMs: KEY_MESSAGE_MS },
    )
    const isAnswered = fault === null && response.status === 200
    return {
      requestId,
      status: response.status,
      fault,
      message: isAnswered ? null : (errorIn(response.body)?.message?.slice(0, LONGEST_TEXT) ?? null),
      text: isAnswered ? (writtenText(response.body)?.slice(0, LONGEST_TEXT) ?? null) : null,
      record,
      totalMs,
    }
  }
}
