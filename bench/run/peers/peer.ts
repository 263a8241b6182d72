/** A gateway of other people, as the bench needs to know it. */

export interface PeerPlace {
  /** Where it must listen, on the loopback address. */
  readonly port: number
  /** Base URL of the fake upstream, which speaks OpenAI's protocol there; it ends with `/v1`. */
  readonly upstreamUrl: string
  readonly upstreamCredential: string
  /** A key of the bench's, for a gateway that wants one. */
  readonly key: string
  /** A folder of its own. */
  readonly directory: string
}

/** How it is started, and what a request to it must carry. */
export interface PeerStart {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly authorization: string
  readonly headers: Readonly<Record<string, string>>
}

/** One that is installed and can be started. */
export interface Peer {
  /** What it is called in the tables, with its version where that is known. */
  readonly title: string
  start(place: PeerPlace): Promise<PeerStart>
}

/** Which of them are wished for. */
export interface PeerWish {
  /** Install what a registry has. */
  readonly fromRegistries: boolean
  /** A proxy that does nothing else. */
  readonly isBareWanted: boolean
  readonly given: readonly { readonly name: string; readonly path: string }[]
}
