import { createHash } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { invariant } from '../../../core/invariant.ts'
import { Problem } from '../../problem.ts'
import { type ClientAuthentication, waysToAuthenticate } from './client-authentication.ts'
import { codeRefused, type CodeRefusal, type CodeRequest, sendCode, type Tokens, tokensIn } from './exchange-code.ts'
import { verifiedClaims } from './id-token.ts'
import { boundedLine, OidcFailure } from './oidc-failure.ts'
import { type Person, personOf } from './person.ts'
import {
  isIssuer,
  isOfManyTenants,
  type ProviderDescription,
  readDescription,
  scopesFor,
} from './provider-description.ts'
import { ProviderKeys } from './provider-keys.ts'
import type { OidcSettings, ProviderNetwork } from './oidc-settings.ts'

/** Who tries again by hand waits longer, and any caller can make us ask. */
const AWAY_MS = 5_000
/** A provider may move its endpoints. */
const DESCRIBED_FOR_MS = 3_600_000

interface ProviderParts {
  readonly oidc: OidcSettings
  readonly network: ProviderNetwork
  readonly clock: Clock
  onRefusal(what: string): void
}

/** What belongs to one sign-in, and to no other. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string
}

interface Described {
  readonly description: ProviderDescription
  readonly keys: ProviderKeys
}

/**
 * The OIDC provider. It is asked when a sign-in needs it and never at the start. While it does not answer, sign-ins are
 * refused without another request for some seconds.
 */
export class OidcProvider {
  readonly #parts: ProviderParts
  #asked: { readonly described: Promise<Described>; readonly at: number } | null = null
  /** The moment until which the provider counts as away, by `Clock.elapsed`. */
  #awayUntil = 0
  /** The way by which it last took the secret; null: none yet. */
  #way: ClientAuthentication | null = null

  constructor(parts: ProviderParts) {
    this.#parts = parts
  }

  /** Where the browser goes to sign in. Throws Problem `oidc_unavailable`. */
  async signInUrl({ state, nonce, verifier }: SignInSecrets, redirectUri: string): Promise<string> {
    const { description } = await this.#provider()
    const url = new URL(description.authorization_endpoint)
    const fields = {
      response_type: 'code',
      client_id: this.#parts.oidc.clientId,
      redirect_uri: redirectUri,
      scope: scopesFor(description).join(' '),
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
    return url.href
  }

  /** Throws OidcFailure where a return names another issuer than the provider (RFC 9207). */
  async requireIssuer(issuer: string): Promise<void> {
    const { description } = await this.#provider()
    if (isIssuer(issuer, description.issuer, tenantIn(issuer, description.issuer))) return
    throw new OidcFailure(
      'oidc_misconfigured',
      `the return is of the issuer ${boundedLine(issuer)}, and the OIDC provider describes itself as ${boundedLine(description.issuer)}`,
    )
  }

  /** The person who signed in there and came back with this code. Throws OidcFailure, or Problem. */
  async personOf(
    { code, redirectUri }: Omit<CodeRequest, 'verifier'>,
    { nonce, verifier }: SignInSecrets,
  ): Promise<Person> {
    const { clock, network, oidc, onRefusal } = this.#parts
    const { description, keys } = await this.#provider()
    const { idToken, accessToken, dateMs } = await this.#tokensFor({ code, redirectUri, verifier }, description)
    const claims = await verifiedClaims(idToken, {
      issuer: description.issuer,
      clientId: oidc.clientId,
      nonce,
      keys,
      clock,
      heard: dateMs === null ? null : { theirs: dateMs, ours: clock.now() },
    })
    return personOf(claims, {
      userInfoUrl: description.userinfo_endpoint ?? null,
      accessToken,
      trustsEmail: oidc.trustsEmail && !isOfManyTenants(description.issuer),
      network,
      onRefusal,
    })
  }

  /** A provider names the ways for all its clients: one that is refused in one way may be registered for the other. */
  async #tokensFor(request: CodeRequest, description: ProviderDescription): Promise<Tokens> {
    const { oidc: client, network } = this.#parts
    const endpoint = { url: description.token_endpoint, client, network }
    const ways = waysToAuthenticate(description.token_endpoint_auth_methods_supported)
    const refusals: CodeRefusal[] = []
    for (const way of new Set([...ways.filter((each) => each === this.#way), ...ways])) {
      const answer = await sendCode(endpoint, way, request)
      if (answer.kind === 'answered' || answer.what === 'code') this.#way = way
      if (answer.kind === 'answered') return tokensIn(answer.answer)
      if (answer.what === 'code') throw codeRefused(answer)
      refusals.push(answer)
    }
    const [first] = refusals
    invariant(first !== undefined, 'there is a way to show the secret')
    throw codeRefused(refusals.find(({ what }) => what === 'client') ?? first)
  }

  async #provider(): Promise<Described> {
    const { clock, oidc, onRefusal } = this.#parts
    const away = () =>
      new Problem('oidc_unavailable', `${oidc.name} does not respond right now: try again, or sign in another way.`)
    const now = clock.elapsed()
    if (now < this.#awayUntil) throw away()
    if (this.#asked === null || now - this.#asked.at >= DESCRIBED_FOR_MS) {
      this.#asked = { described: this.#describe(), at: now }
    }
    const asked = this.#asked
    try {
      return await asked.described
    } catch (error) {
      const isNews = this.#asked === asked
      if (isNews) this.#asked = null
      if (!(error instanceof OidcFailure)) throw error
      this.#awayUntil = clock.elapsed() + AWAY_MS
      if (isNews) onRefusal(`the OIDC provider cannot be used: ${error.message}`)
      throw away()
    }
  }

  async #describe(): Promise<Described> {
    const { clock, network, oidc } = this.#parts
    const description = await readDescription(oidc, network)
    const keys = new ProviderKeys(description.jwks_uri, { clock, network })
    return { description, keys }
  }
}

/** The tenant that an issuer has where the described one has a placeholder. */
function tenantIn(issuer: string, described: string): string | undefined {
  const [before = '', after = ''] = described.split('{tenantid}')
  return isOfManyTenants(described) ? issuer.slice(before.length, issuer.length - after.length) : undefined
}
