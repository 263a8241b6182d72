import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import { askProvider } from './ask-provider.ts'

const KEYS_LIMIT = 100
/** Keys are asked for again after so long, and sooner where a token names one that is not known. */
const KEPT_MS = 10 * 60_000
/** Tokens that name unknown keys cause no more requests than one in this time. */
const ASKED_AGAIN_MS = 30_000

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
})
const keySet = z.looseObject({ keys: z.array(signingKey).max(KEYS_LIMIT) })

type SigningKey = z.output<typeof signingKey>

/** What the header of a token says of its key. */
interface KeyWanted {
  readonly alg?: string | undefined
  readonly kid?: string | undefined
}

/** The kinds of keys by how the name of an algorithm begins. Keys of symmetric ones are secrets, and come from no URL. */
const KINDS: Readonly<Record<string, string>> = { RS: 'RSA', PS: 'RSA', ES: 'EC', Ed: 'OKP' }

/** Whether tokens may be signed so. */
export function isSigningAlgorithm(name: string): boolean {
  return Object.hasOwn(KINDS, name.slice(0, 2))
}

/** The keys by which the OIDC provider signs, as it publishes them at `url`. */
export class ProviderKeys {
  readonly #url: string
  readonly #clock: Pick<Clock, 'elapsed'>
  #asked: { readonly keys: Promise<readonly SigningKey[]>; readonly at: number } | null = null

  constructor(url: string, clock: Pick<Clock, 'elapsed'>) {
    this.#url = url
    this.#clock = clock
  }

  /** The one key that a token was signed by. Rejects where there is none, or several could be meant. */
  async keyFor(wanted: KeyWanted): Promise<SigningKey> {
    const [key, other] = fitting(await this.#keys(KEPT_MS), wanted)
    const [found, another] = key === undefined ? fitting(await this.#keys(ASKED_AGAIN_MS), wanted) : [key, other]
    if (found === undefined) throw new Error('the OIDC provider publishes no key by which the token may be signed')
    if (another !== undefined) throw new Error('the OIDC provider publishes several keys, and the token names none')
    return found
  }

  /** Those that were read less than `maxAgeMs` ago, else read anew. What failed is asked for again with the next token. */
  #keys(maxAgeMs: number): Promise<readonly SigningKey[]> {
    const at = this.#clock.elapsed()
    if (this.#asked !== null && at - this.#asked.at < maxAgeMs) return this.#asked.keys
    const keys = askProvider(this.#url, { method: 'GET' }).then((answer) => keySet.parse(answer).keys)
    const asked = { keys, at }
    this.#asked = asked
    keys.catch(() => {
      if (this.#asked === asked) this.#asked = null
    })
    return keys
  }
}

function fitting(keys: readonly SigningKey[], { alg = '', kid }: KeyWanted): readonly SigningKey[] {
  const kind = KINDS[alg.slice(0, 2)]
  return keys.filter(
    (key) =>
      key.kty === kind &&
      (kid === undefined || key.kid === kid) &&
      (key.use === undefined || key.use === 'sig') &&
      (key.alg === undefined || key.alg === alg),
  )
}
