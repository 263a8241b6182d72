import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import type { CredentialHealth } from '../../routing/credential-health.ts'
import { markOf } from '../../routing/credential-states.ts'
import { baseUrlOf } from '../../routing/upstream-settings.ts'
import { type Dialect, dialectOf } from '../../upstreams/cloud-dialects.ts'
import { type Authorizer, CloudUpstream } from '../../upstreams/cloud-upstream.ts'
import type { MintedCredentials } from '../../upstreams/minted-credentials.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import type { CloudList, CredentialInUse } from '../../gateway/snapshot.ts'
import { listClient, type ListWay } from './cloud-model-list.ts'

/** A credential that a client sends with. */
export interface OpenedFor {
  readonly credential: Credential
  readonly secret: string
  readonly health: Pick<CredentialHealth, 'held' | 'refused' | 'answered' | 'renewalFailed' | 'renewed'>
}

interface MintingClient {
  /** Names the credential with its settings. */
  readonly key: string
  readonly authorizer: Authorizer
  /** What it has sent lately, which is not repeated from an upstream’s words. */
  readonly tokens: string[]
  /** The secrets of the upstream that is asked by it now. */
  sink: string[]
}

/** The clients of upstreams that are bought from a cloud, or whose credentials are minted, over plain connections. */
export class CloudClients {
  readonly #minted: Pick<MintedCredentials, 'authorizer'> | null
  readonly #elapsed: () => number
  readonly #minting = new Map<UpstreamClient, MintingClient>()

  /** @param minted null: no credential is minted, as where nothing is sent */
  constructor(minted: Pick<MintedCredentials, 'authorizer'> | null, elapsed: () => number) {
    this.#minted = minted
    this.#elapsed = elapsed
  }

  /** The client as the cloud wants to be asked; the plain one where neither its upstream nor its credential is of a cloud. */
  through(upstream: Upstream, client: UpstreamClient, of: OpenedFor | null): UpstreamClient {
    const dialect = dialectOfUpstream(upstream)
    const baseUrl = baseUrlOf(upstream)
    const minting = of?.credential.kind === undefined ? null : this.#mintingFor({ ...upstream, baseUrl }, of)
    if (dialect === null && minting === null) return client
    const through = new CloudUpstream(client, dialect, minting?.authorizer ?? null)
    if (minting !== null) this.#minting.set(through, minting)
    return through
  }

  /** Where an upstream's models are listed; undefined: it is of no cloud, or is asked for them as its protocol is. */
  listOf(
    upstream: Upstream,
    wayBy: (by: CredentialInUse | null) => Pick<ListWay, 'http' | 'secret'>,
  ): CloudList | null | undefined {
    const dialect = dialectOfUpstream(upstream)
    const listing = dialect?.list
    if (listing == null) return listing
    const open = (by: CredentialInUse | null): UpstreamClient => {
      const minting = by === null ? undefined : this.#minting.get(by.client)
      const authorizer = minting === undefined ? null : lent(minting.authorizer)
      return listClient({ upstream, dialect, ...wayBy(by), authorizer })
    }
    return { listing, open }
  }

  /** Adds to the secrets of an upstream what its credentials send, now and from now on. */
  addSecrets(clients: readonly UpstreamClient[], secrets: string[]): void {
    for (const client of clients) {
      const minting = this.#minting.get(client)
      if (minting === undefined) continue
      minting.sink = secrets
      secrets.unshift(...minting.tokens)
    }
  }

  /** Ends the renewal of credentials that no client has any more. */
  keepOnly(clients: ReadonlySet<UpstreamClient>): void {
    const gone = [...this.#minting].filter(([client]) => !clients.has(client))
    for (const [client] of gone) this.#minting.delete(client)
    const kept = new Set(Array.from(this.#minting.values(), ({ key }) => key))
    for (const [, { authorizer, key }] of gone) authorizer.close(!kept.has(key))
  }

  close(): void {
    for (const { authorizer } of this.#minting.values()) authorizer.close(false)
    this.#minting.clear()
  }

  #mintingFor(upstream: Upstream, { credential, secret, health }: OpenedFor): MintingClient | null {
    if (this.#minted === null) return null
    const tokens: string[] = []
    const elapsed = this.#elapsed
    const listener = {
      onFailure(words: string, goodForMs: number | null) {
        const now = elapsed()
        if (goodForMs !== null) return health.renewalFailed({ now, goodUntil: now + goodForMs }, words)
        health.renewed()
        // It is held already, and waits for its next try.
        if (health.held === null || health.held.until <= now) health.refused({ beganAt: now, now }, 'credential', words)
      },
      onRecovered(wasHeld: boolean) {
        health.renewed()
        if (wasHeld) health.answered(elapsed())
      },
      onSecrets(sent: readonly string[]) {
        tokens.unshift(...sent)
        const past = new Set(tokens.splice(MOST_TOKENS))
        const hidden = minting.sink.filter((each) => !past.has(each))
        minting.sink.splice(0, Infinity, ...sent, ...hidden)
      },
    }
    const minting: MintingClient = {
      key: `${upstream.id}\n${credential.name}\n${markOf(credential)}`,
      authorizer: this.#minted.authorizer({ upstream, credential, secret }, listener),
      tokens,
      sink: [],
    }
    return minting
  }
}

/** How the cloud of an upstream is spoken with; null: it is of none. */
export function dialectOfUpstream(upstream: Pick<Upstream, 'protocol' | 'baseUrl' | 'passage'>): Dialect | null {
  const { dialect, region = null, apiVersion = null } = upstream.passage ?? {}
  if (dialect === undefined) return null
  return dialectOf(dialect, { protocol: upstream.protocol, baseUrl: baseUrlOf(upstream), region, apiVersion })
}

/** An authorizer for a client whose end is not that of the credential. */
function lent(authorizer: Authorizer): Authorizer {
  const { at } = authorizer
  const elsewhere = at === undefined ? {} : { at: (baseUrl: string) => lent(at(baseUrl)) }
  return { ...authorizer, ...elsewhere, close: () => {} }
}

/** Two tokens with what a session of AWS has. */
const MOST_TOKENS = 6
