import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import type { SigningClock } from './signing-clock.ts'
import type { SigningKeys } from './sign-v4.ts'

/** What a credential is sent as. */
export type MintedValue =
  | { readonly is: 'bearer'; readonly token: string }
  | { readonly is: 'keys'; readonly keys: SigningKeys }

/** A token, and how long it is good for from now on. */
export interface MintedToken {
  readonly value: MintedValue
  readonly lifeMs: number
}

/** Gets tokens of one credential from the service that issues them. */
export interface Minter {
  /** What its tokens are good for, beside what the credential is set with: a token for something else is not taken instead. */
  readonly scope: string
  /** Rejects with a `CredentialFailure` in the service's words, or with whatever stood in the way. */
  mint(signal: AbortSignal): Promise<MintedToken>
}

/** The credential that is minted for, and the upstream that it is sent to. */
export interface MintedFor {
  readonly upstream: Pick<Upstream, 'id' | 'name' | 'protocol' | 'baseUrl' | 'passage'>
  readonly credential: Pick<Credential, 'name' | 'kind' | 'settings' | 'sealedSecret'>
  readonly secret: string
}

/** What the machine's environment allows, and what minters need beside a credential. */
export interface MintingMachine {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Files that hold identity tokens, the first for credentials that name none. No other file is read for a credential. */
  readonly tokenFiles: readonly string[]
  /** Hosts (with a port, where one is named) beside the clouds' own that tokens of this machine may be sent to. */
  readonly tokenHosts: readonly string[]
  readonly fetch: typeof fetch
  readonly clock: { now(): number }
  readonly signing: SigningClock
}

/** The time for one token, whatever it takes to get it. */
export const MINT_MS = 10_000

/** A setting of the credential; null: it has none. */
export function settingOf({ credential: { settings } }: MintedFor, name: string): string | null {
  const value = settings?.[name] ?? ''
  return value === '' ? null : value
}

/** The path of a file that a credential may read an identity token from. Throws CredentialFailure for any other. */
export function tokenFileOf({ tokenFiles }: Pick<MintingMachine, 'tokenFiles'>, named: string | null): string {
  const [first] = tokenFiles
  if (named === null && first !== undefined) return first
  if (named !== null && tokenFiles.includes(named)) return named
  throw new CredentialFailure(
    named === null
      ? 'No file of an identity token is known: name it in TOLLGATE_IDENTITY_TOKEN_FILES.'
      : 'The file of the identity token may not be read: name it in TOLLGATE_IDENTITY_TOKEN_FILES.',
  )
}

/** Whether the environment names the host of this URL as one that tokens of the machine may be sent to. */
export function isTokenHost(url: string, { tokenHosts }: Pick<MintingMachine, 'tokenHosts'>): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && (tokenHosts.includes(parsed.host) || tokenHosts.includes(parsed.hostname))
}
