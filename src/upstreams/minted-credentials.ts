import { isOfMachine, type MintedKind, sourceOf } from '../core/credential-kind.ts'
import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/log.ts'
import { markOf } from '../routing/credential-states.ts'
import type { MintedTokenStore } from '../routing/minted-tokens.ts'
import { type Authorizer, CredentialFailure } from './cloud-upstream.ts'
import { bearerAuthorizer, headersBeside, signingAuthorizer } from './credentials/authorizers.ts'
import { signedRegionOf } from './credentials/signed-region.ts'
import { awsMinter, fixedKeysOf } from './credentials/mint-aws.ts'
import { azureMinter } from './credentials/mint-azure.ts'
import { gcpMinter } from './credentials/mint-gcp.ts'
import { oidcMinter } from './credentials/mint-oidc.ts'
import {
  isTokenHost,
  type MintedFor,
  type Minter,
  type MintedValue,
  type MintingMachine,
} from './credentials/minter.ts'
import { MintedSource, type MintedSourceEvents } from './credentials/minted-source.ts'
import { SharedTokens } from './credentials/shared-tokens.ts'
import { SigningClock } from './credentials/signing-clock.ts'

export type { MintedFor } from './credentials/minter.ts'

export interface MintedCredentialsOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Where nodes share tokens; null: this one mints for itself. */
  readonly store: MintedTokenStore | null
  readonly sealer: { seal(text: string): string; open(sealed: string): string }
  /** The name of this thread of this node, as no other has it. */
  readonly holder: string
  readonly machine: Pick<MintingMachine, 'environment' | 'tokenFiles' | 'tokenHosts'> & {
    readonly fetch?: typeof fetch
  }
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** Who hears of a credential, and what must not be repeated of it. */
export interface MintedListener extends Pick<MintedSourceEvents, 'onFailure' | 'onRecovered'> {
  /** What is sent from now on, beside what was. */
  onSecrets(secrets: readonly string[]): void
}

/** Gives each request to a cloud the token of its credential. The vendors' libraries are loaded with the first that needs one. */
export class MintedCredentials {
  readonly #options: MintedCredentialsOptions
  readonly #signing: SigningClock

  constructor(options: MintedCredentialsOptions) {
    this.#options = options
    this.#signing = new SigningClock(options.clock, (aheadMs) =>
      options.log.warn(
        { aheadMs: Math.round(aheadMs) },
        'the clock of this machine is not that of AWS: requests are signed by the time of AWS',
      ),
    )
  }

  /** What authenticates requests with this credential, from now on until it is closed. */
  authorizer(of: MintedFor, listener: MintedListener): Authorizer {
    const { credential } = of
    const { kind } = credential
    const fixed = kind === 'aws' ? fixedKeysOf(of) : null
    if (fixed !== null) return this.#signed(of, fixed)
    const source = this.#source(of, listener)
    source.start()
    if (kind === 'aws') return this.#signed(of, source)
    const named = kind === undefined ? '' : sourceOf(kind, credential.settings ?? {})
    return bearerAuthorizer(source, headersBeside(named))
  }

  #signed(of: MintedFor, source: Parameters<typeof signingAuthorizer>[0]): Authorizer {
    const { baseUrl } = of.upstream
    try {
      return signingAuthorizer(source, { baseUrl, region: signedRegionOf(of.upstream), signing: this.#signing })
    } catch (error) {
      return {
        headers: async () => {
          throw error
        },
        close: () => {},
      }
    }
  }

  #source(of: MintedFor, listener: MintedListener): MintedSource {
    const { clock, random, log } = this.#options
    const minter = this.#minter(of)
    const about = { upstream: of.upstream.name, credentialName: of.credential.name }
    const secrets: string[] = [of.secret]
    return new MintedSource({
      minter,
      shared: this.#shared(of, minter),
      clock,
      random,
      secrets: () => secrets,
      events: {
        onFailure(words, goodForMs) {
          const isHeld = goodForMs === null
          log.warn({ ...about, isHeld, words }, 'failed to renew the token of a credential; will retry')
          listener.onFailure(words, goodForMs)
        },
        onRecovered: (wasHeld) => listener.onRecovered(wasHeld),
        onToken(value) {
          const sent = secretsOf(value)
          secrets.push(...sent)
          // The token before is still repeated in answers to requests under way.
          secrets.splice(0, Math.max(0, secrets.length - MOST_SECRETS))
          listener.onSecrets(sent)
        },
      },
    })
  }

  #shared(of: MintedFor, { scope }: Minter): SharedTokens | null {
    const { store, sealer, holder, clock, log } = this.#options
    if (store === null) return null
    const { upstream, credential } = of
    return new SharedTokens({
      key: { upstreamId: upstream.id, name: credential.name, mark: `${markOf(credential)} ${scope}` },
      store,
      seal: (text) => sealer.seal(text),
      open: (sealed) => sealer.open(sealed),
      holder,
      elapsed: () => clock.elapsed(),
      onStoreError: (error) => log.warn({ err: error }, 'failed to share the token of a credential with other nodes'),
    })
  }

  #minter(of: MintedFor): Minter {
    const { clock, machine } = this.#options
    const { kind } = of.credential
    if (kind === undefined) return failing(new CredentialFailure('A secret that is sent as it is has no token.'))
    try {
      requireKnownHost(of, kind, machine)
      const whole = { fetch: globalThis.fetch, ...machine, clock, signing: this.#signing }
      return MINTERS[kind](of, whole)
    } catch (error) {
      return failing(error)
    }
  }
}

const MINTERS: Readonly<Record<MintedKind, (of: MintedFor, machine: MintingMachine) => Minter>> = {
  aws: awsMinter,
  gcp: gcpMinter,
  azure: azureMinter,
  oidc: oidcMinter,
}

/** Two tokens with what a session of AWS has, and the secret. */
const MOST_SECRETS = 7

function secretsOf(value: MintedValue): readonly string[] {
  if (value.is === 'bearer') return [value.token]
  const { secretAccessKey, sessionToken } = value.keys
  return sessionToken === null ? [secretAccessKey] : [secretAccessKey, sessionToken]
}

function failing(error: unknown): Minter {
  return {
    scope: 'none',
    mint: async () => {
      throw error
    },
  }
}

/**
 * The hosts that a token of the machine's own identity is sent to: an admin who may name a base URL is not to receive there what
 * the machine may do. Requests to AWS are signed for their host, and give nothing away.
 */
const CLOUD_HOSTS: Readonly<Record<Exclude<MintedKind, 'aws'>, RegExp>> = {
  gcp: /(?:^|\.)googleapis\.com$/,
  azure: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/,
  oidc: /^(?:[a-z]{2}\.)?api\.openai\.com$|^api\.anthropic\.com$/,
}

function requireKnownHost(
  { upstream, credential }: MintedFor,
  kind: MintedKind,
  machine: Pick<MintingMachine, 'tokenHosts'>,
): void {
  if (kind === 'aws' || !isOfMachine(kind, sourceOf(kind, credential.settings ?? {}))) return
  const { protocol, hostname } = new URL(upstream.baseUrl)
  if ((protocol === 'https:' && CLOUD_HOSTS[kind].test(hostname)) || isTokenHost(upstream.baseUrl, machine)) return
  throw new CredentialFailure(
    'A token of the identity of this machine is sent to the hosts of its cloud alone, over HTTPS: name the host of the base URL in TOLLGATE_IDENTITY_HOSTS to send it there.',
  )
}
