import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { askProvider, jsonOf } from './ask-provider.ts'
import { OidcFailure } from './oidc-failure.ts'
import type { ProviderNetwork } from './oidc-settings.ts'

const KEYS_LIMIT = 100
/** Keys are asked for again after so long, and sooner for a token that none of them signed. */
const KEPT_MS = 10 * 60_000

const text = z.string().max(2_048).exactOptional()
/** What RFC 7517 and 7518 have for public keys that sign. What else there is, certificates among it, is not kept. */
const signingKey = z.object({
  kty: z.string(),
  kid: text,
  use: text,
  alg: text,
  crv: text,
  x: text,
  y: text,
  n: text,
  e: text,
  /** Entra ID: whose tokens it may sign. */
  issuer: text,
})
const keySet = z.looseObject({ keys: z.array(z.unknown()) })

export type SigningKey = z.output<typeof signingKey>

/** What the header of a token says of its key. */
export interface KeyWanted {
  readonly alg: string
  readonly kid?: string | undefined
}

/** The kind of keys, by how the name of an algorithm begins. Those of symmetric ones are secrets, and come from no URL. */
const KINDS: Readonly<Record<string, string>> = { RS: 'RSA', PS: 'RSA', ES: 'EC', Ed: 'OKP' }
const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

/** Whether tokens may be signed so. */
export function isSigningAlgorithm(name: string): boolean {
  return Object.hasOwn(KINDS, name.slice(0, 2))
}

/** The keys by which the OIDC provider signs, as it publishes them at `url`. */
export class ProviderKeys {
  readonly #url: string
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #network: ProviderNetwork
  #asked: { readonly keys: Promise<readonly SigningKey[]>; readonly at: number } | null = null

  constructor(url: string, parts: { readonly clock: Pick<Clock, 'elapsed'>; readonly network: ProviderNetwork }) {
    this.#url = url
    this.#clock = parts.clock
    this.#network = parts.network
  }

  /**
   * The keys by which a token may be signed. `isFresh`: read now, after those that were kept did not fit; a token that causes
   * it came from the provider itself.
   */
  async fitting(wanted: KeyWanted, { isFresh = false } = {}): Promise<readonly SigningKey[]> {
    const keys = await this.all({ isFresh })
    const ofKind = keys.filter((key) => fits(key, wanted))
    const named = ofKind.filter(({ kid }) => kid === wanted.kid)
    // A key without a name may be the one that is meant.
    return wanted.kid === undefined ? ofKind : named.length > 0 ? named : ofKind.filter(({ kid }) => kid === undefined)
  }

  /** All keys that can sign, read less than ten minutes ago. What failed is asked for again with the next token. */
  all({ isFresh = false } = {}): Promise<readonly SigningKey[]> {
    const at = this.#clock.elapsed()
    if (!isFresh && this.#asked !== null && at - this.#asked.at < KEPT_MS) return this.#asked.keys
    const asked = { keys: this.#read(), at }
    this.#asked = asked
    asked.keys.catch(() => {
      if (this.#asked === asked) this.#asked = null
    })
    return asked.keys
  }

  /** A key that cannot be read is none of ours: sets have keys of other uses and kinds, too. */
  async #read(): Promise<readonly SigningKey[]> {
    const found = keySet.safeParse(jsonOf(await askProvider(this.#network, this.#url, { method: 'GET' })))
    if (!found.success) throw new OidcFailure('oidc_failed', 'the OIDC provider publishes no set of keys')
    return found.data.keys.slice(0, KEYS_LIMIT).flatMap((each) => {
      const key = signingKey.safeParse(each)
      return key.success && (key.data.use ?? 'sig') === 'sig' && isPublicKind(key.data.kty) ? [key.data] : []
    })
  }
}

function isPublicKind(kty: string): boolean {
  return Object.values(KINDS).includes(kty)
}

function fits({ kty, alg: own, crv }: SigningKey, { alg }: KeyWanted): boolean {
  if (kty !== KINDS[alg.slice(0, 2)]) return false
  if (crv !== undefined && CURVES[alg] !== undefined && crv !== CURVES[alg]) return false
  // `EdDSA` and `Ed25519` are names of one algorithm (RFC 9864).
  return own === undefined || own === alg || (alg.startsWith('Ed') && own.startsWith('Ed'))
}
