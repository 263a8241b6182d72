import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/durations.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import { MINT_MS, type MintedToken, type MintedValue, type Minter } from './minter.ts'
import type { SharedTokens } from './shared-tokens.ts'
import { wordsOfFailure } from './words-of-failure.ts'

/** The part of its life after which a token is renewed, and how long before its end at the least. */
const RENEWED_AT = 0.8
const RENEWED_BEFORE_MS = 5 * MINUTE_MS
/** Nodes do not renew at the same moment: the first one spares the others. */
const JITTER = 0.1
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 5 * MINUTE_MS
const SHORTEST_WAIT_MS = 100
/** A token that its provider refuses is replaced, but not again at once. */
const REPLACED_EVERY_MS = MINUTE_MS
/** Timers of Node take no more than 2^31 ms. */
const LONGEST_WAIT_MS = 12 * 60 * MINUTE_MS

export interface MintedSourceOptions {
  readonly minter: Minter
  /** null: this process mints for itself. */
  readonly shared: Pick<SharedTokens, 'turn' | 'keep' | 'giveUp' | 'forget'> | null
  readonly clock: Pick<Clock, 'elapsed'>
  /** Gives numbers from 0 to 1. */
  readonly random: () => number
  /** What must not be repeated in words that people read. */
  readonly secrets: () => readonly string[]
  readonly events: MintedSourceEvents
}

export interface MintedSourceEvents {
  /** None came. `goodForMs`: how long the one at hand is good yet; null: none is, so that nothing can be sent. */
  onFailure(words: string, goodForMs: number | null): void
  /** One came after a failure. `wasHeld`: none had been at hand. */
  onRecovered(wasHeld: boolean): void
  /** One is at hand, of this process or another. */
  onToken(value: MintedValue): void
}

interface TokenAtHand {
  readonly value: MintedValue
  /** Readings of `Clock.elapsed`: the clock of the machine may be wrong, or set meanwhile. */
  readonly since: number
  readonly until: number
}

/**
 * The token of one credential: at hand for each request, and renewed beside them before it ends. Where none can be had it goes
 * on trying, ever more rarely.
 */
export class MintedSource {
  readonly #options: MintedSourceOptions
  #token: TokenAtHand | null = null
  #minting: Promise<MintedValue> | null = null
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #failure: CredentialFailure | null = null
  #isHeld = false
  #isClosed = false
  #replacedAt = -Infinity

  constructor(options: MintedSourceOptions) {
    this.#options = options
  }

  /** Gets the first token, whether or not a request waits for it. */
  start(): void {
    void this.#mint().catch(() => {})
  }

  /** The token at hand, at once; else the one that is being minted. Rejects with a CredentialFailure while none can be had. */
  get(): MintedValue | Promise<MintedValue> {
    const token = this.#atHand()
    if (token !== null) return token.value
    if (this.#minting !== null) return this.#minting
    // It is tried again by itself: requests do not wait for what has just failed.
    return this.#failure === null ? this.#mint() : Promise.reject(this.#failure)
  }

  /** The provider refuses this token before its end: another one; null: it was replaced only just now. */
  replace(refused: MintedValue): MintedValue | Promise<MintedValue> | null {
    const token = this.#atHand()
    if (token !== null && token.value !== refused) return token.value
    if (this.#minting !== null) return this.#minting
    const now = this.#options.clock.elapsed()
    if (token === null || now - Math.max(this.#replacedAt, token.since) < REPLACED_EVERY_MS) return null
    this.#replacedAt = now
    return this.#mint()
  }

  /** Ends its renewal. `isGone`: the credential is no more, and its token goes with it. */
  close(isGone: boolean): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (isGone) void this.#options.shared?.forget()
  }

  #atHand(): TokenAtHand | null {
    const token = this.#token
    return token !== null && token.until > this.#options.clock.elapsed() ? token : null
  }

  /** Once at a time. */
  #mint(): Promise<MintedValue> {
    this.#minting ??= this.#minted().finally(() => {
      this.#minting = null
    })
    return this.#minting
  }

  async #minted(): Promise<MintedValue> {
    clearTimeout(this.#timer)
    const { clock, events, shared } = this.#options
    try {
      const token = await this.#obtained()
      const since = clock.elapsed()
      this.#token = { value: token.value, since, until: since + token.lifeMs }
      events.onToken(token.value)
      if (this.#failure !== null) events.onRecovered(this.#isHeld)
      this.#failures = 0
      this.#failure = null
      this.#isHeld = false
      this.#renewIn(this.#whenToRenew(token.lifeMs))
      return token.value
    } catch (error) {
      // What ends with its process does not speak of the credential.
      if (!this.#isClosed) await shared?.giveUp()
      throw this.#failed(error)
    }
  }

  async #obtained(): Promise<MintedToken> {
    const { shared, clock } = this.#options
    const turn = (await shared?.turn((this.#token?.until ?? 0) - clock.elapsed())) ?? { kind: 'mint', isLeased: false }
    if (turn.kind === 'taken') return turn.token
    const token = await this.#own()
    if (turn.isLeased) await shared?.keep(token)
    return token
  }

  async #own(): Promise<MintedToken> {
    const signal = AbortSignal.timeout(MINT_MS)
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    const token = await Promise.race([this.#options.minter.mint(signal), late])
    if (token.lifeMs > 0) return token
    throw new CredentialFailure(
      'The service that issues tokens answered with one that has ended: is the clock of this machine right?',
    )
  }

  #whenToRenew(lifeMs: number): number {
    const early = Math.max(lifeMs / 2, Math.min(lifeMs * RENEWED_AT, lifeMs - RENEWED_BEFORE_MS))
    return early * (1 - JITTER * this.#options.random())
  }

  #failed(error: unknown): CredentialFailure {
    const { events, random, clock, secrets } = this.#options
    const words = wordsOfFailure(error, secrets())
    this.#failure = new CredentialFailure(words, { cause: error })
    if (this.#isClosed) return this.#failure
    const token = this.#atHand()
    this.#isHeld ||= token === null
    events.onFailure(words, token === null ? null : token.until - clock.elapsed())
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LAST_RETRY_MS) * (1 - random() / 4)
    this.#failures += 1
    // At the end of the last token it is to be known at once.
    this.#renewIn(token === null ? retryMs : Math.min(retryMs, token.until - clock.elapsed() + 1))
    return this.#failure
  }

  #renewIn(waitMs: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    const wait = Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
    this.#timer = setTimeout(() => void this.#mint().catch(() => {}), wait).unref()
  }
}
