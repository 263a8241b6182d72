import type { MintedTokenOf, MintedTokenStore, StoredMintedToken } from '../../routing/minted-tokens.ts'
import { MINT_MS, type MintedToken, type MintedValue } from './minter.ts'

/** Who mints has this long, and a little more than it takes. */
const LEASE_MS = MINT_MS + 5_000
/** The database has this long for an answer, before a node mints for itself. */
const STORE_MS = 3_000
/** A node that cannot mint looks again after as long, at first and at most. */
const LOOK_AGAIN_MS = { first: 50, most: 1_000 } as const
const WAIT_MS = LEASE_MS + 2_000
/** A token that ends sooner is not worth taking. */
const LEAST_LEFT_MS = 1_000

export interface SharedTokensOptions {
  readonly key: MintedTokenOf
  readonly store: MintedTokenStore
  readonly seal: (text: string) => string
  /** Throws where it was sealed with another secret. */
  readonly open: (sealed: string) => string
  /** The name of this thread of this node. */
  readonly holder: string
  readonly elapsed: () => number
  readonly onStoreError: (error: unknown) => void
}

/** What this node may do about a token: take another's, or mint. */
type MintingTurn =
  | { readonly kind: 'taken'; readonly token: MintedToken }
  | { readonly kind: 'mint'; readonly isLeased: boolean }

/** The tokens of one credential that all nodes share through the database. */
export class SharedTokens {
  readonly #options: SharedTokensOptions

  constructor(options: SharedTokensOptions) {
    this.#options = options
  }

  /**
   * Resolves once another node's token is there that is good for longer than `leftMs`, or once this node is to mint: where it got
   * the lease, where the database does not answer, and where none came in the time that another has for it.
   */
  async turn(leftMs: number): Promise<MintingTurn> {
    const { store, key, holder, elapsed } = this.#options
    const until = elapsed() + WAIT_MS
    const claim = { ...key, holder, leaseMs: LEASE_MS, olderThanMs: Math.max(leftMs, 0) + LEAST_LEFT_MS }
    for (
      let pauseMs: number = LOOK_AGAIN_MS.first;
      elapsed() < until;
      pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_MS.most)
    ) {
      const answer = await this.#asked(store.claimMinting(claim))
      if (answer === null) return { kind: 'mint', isLeased: false }
      if (answer.kind === 'granted') return { kind: 'mint', isLeased: true }
      if (answer.kind === 'token') {
        const token = this.#opened(answer.token)
        // It was sealed with another secret: it is of no use to this node.
        return token === null ? { kind: 'mint', isLeased: false } : { kind: 'taken', token }
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
    return { kind: 'mint', isLeased: false }
  }

  /** Gives the others what this node minted. */
  async keep({ value, lifeMs }: MintedToken): Promise<void> {
    const { store, key, holder, seal } = this.#options
    await this.#asked(store.keepToken({ ...key, holder, sealed: seal(JSON.stringify(value)), lifeMs }))
  }

  /** Lets the others try. */
  async giveUp(): Promise<void> {
    const { store, key, holder } = this.#options
    await this.#asked(store.giveUp({ ...key, holder }))
  }

  /** Lets go of the token of a credential that is gone. */
  async forget(): Promise<void> {
    await this.#asked(this.#options.store.forgetToken(this.#options.key))
  }

  #opened({ sealed, leftMs }: StoredMintedToken): MintedToken | null {
    try {
      return { value: JSON.parse(this.#options.open(sealed)) as MintedValue, lifeMs: leftMs }
    } catch (error) {
      this.#options.onStoreError(error)
      return null
    }
  }

  /** null: the database did not answer, or not in time. */
  async #asked<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the database did not answer in time')), STORE_MS).unref()
    })
    try {
      return await Promise.race([answer, late])
    } catch (error) {
      this.#options.onStoreError(error)
      return null
    } finally {
      clearTimeout(timer)
    }
  }
}
