/** The credential that a token is of, as all nodes name it. */
export interface MintedTokenOf {
  readonly upstreamId: string
  /** The credential's name. */
  readonly name: string
  /** `markOf` the credential, a space, and what its tokens are good for: another mark is another credential's. */
  readonly mark: string
}

/** A token that some node has minted. */
export interface StoredMintedToken {
  /** Encrypted, see core/secret-box. */
  readonly sealed: string
  /** How long it is still good for, by the database's own clock: the clocks of nodes may differ. */
  readonly leftMs: number
}

/** What is asked of the store before a token is minted. */
export interface MintingClaim extends MintedTokenOf {
  /** Who would mint. */
  readonly holder: string
  /** How long no other mints meanwhile. */
  readonly leaseMs: number
  /** A stored token that is good for longer than this is taken instead. */
  readonly olderThanMs: number
}

export type MintingAnswer =
  | { readonly kind: 'token'; readonly token: StoredMintedToken }
  /** The holder mints, and `keepToken`s what it got, or `giveUp`s. */
  | { readonly kind: 'granted' }
  /** Another holder mints. */
  | { readonly kind: 'waiting' }

/** Tokens that nodes share, so that each is minted once. */
export interface MintedTokenStore {
  claimMinting(claim: MintingClaim): Promise<MintingAnswer>
  /** Keeps a token where its holder may still mint, and lets others mint again. */
  keepToken(
    of: MintedTokenOf & { readonly holder: string; readonly sealed: string; readonly lifeMs: number },
  ): Promise<void>
  /** None came: others may try. */
  giveUp(of: MintedTokenOf & { readonly holder: string }): Promise<void>
  /** The credential is gone, or another one now: its token goes with it. */
  forgetToken(of: MintedTokenOf): Promise<void>
}
