/** What is wrong with what was presented as an API key. */
export const KEY_MISTAKES = [
  'empty',
  'variable',
  'placeholder',
  'shortened',
  'bearer_twice',
  'header',
  'assignment',
  'quoted',
  'white_space',
  'characters',
  'missing',
  'case',
  'twice',
  'extra',
  'checksum',
  'too_long',
] as const

/**
 * Every fact that a fault can have, as it is kept and goes over the wire. Times are written in RFC 3339, money in decimal USD.
 * Nothing here is a secret: of a presented key there are the last four characters at the most.
 */
export interface FactValues {
  readonly mistake: (typeof KEY_MISTAKES)[number]
  /** How many characters. */
  readonly missing: number
  readonly extra: number
  readonly length: number
  readonly where: 'start' | 'end' | 'inside' | 'around'
  readonly line_break: boolean
  readonly characters: readonly string[]
  /** The last four characters of what was presented. */
  readonly end: string
  /** The end of the secret that took its place. */
  readonly new_end: string
  /** The vendor whose keys look like the one presented. */
  readonly foreign: string
  readonly access_token: boolean
  readonly replaced: boolean
  /** Whether the key is that of a signed-in device, whose person signs in again. */
  readonly device: boolean
  /** When it was deleted or disabled, or ended. */
  readonly at: string
  /** The address that the request came from. */
  readonly address: string
  readonly group: string
  readonly groups: readonly string[]
  readonly plan: string
  readonly from: string
  readonly until: string
  readonly model: string
  /** Names of models like the one that was asked for. */
  readonly near: readonly string[]
  /** Some of what the key can call. */
  readonly allowed: readonly string[]
  readonly has_more: boolean
  readonly endpoint: string
  /** Settings of which one is lacking; of a request that is not valid, kinds of calls. */
  readonly lacks: string
  readonly needed_usd: string
  readonly left_usd: string
  readonly limit_usd: string
  readonly balance_usd: string
  /** What the input alone costs. */
  readonly input_usd: string
  /** How many output tokens the rest pays for. */
  readonly affordable_tokens: number
  readonly window: string
  /** Absent where it never does. */
  readonly resets_at: string
  /** Whole seconds to wait; absent where waiting does not help. */
  readonly wait_s: number
  readonly scope: 'key' | 'account'
  readonly limit: 'concurrency' | 'requests' | 'tokens' | 'spend'
  readonly max: number
  readonly used: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** The part of the limit that this node has, and among how many it is divided. */
  readonly part: number
  readonly nodes: number
  readonly path: string
  readonly method: string
  /** The method that the path takes. */
  readonly takes: string
  readonly served: string
  /** The base URL to enter. */
  readonly enter: string
  /** Where the gateway is found: what OpenAI clients extend by `/v1`. */
  readonly origin: string
  readonly why:
    | 'credential'
    | 'model_missing'
    | 'path_missing'
    | 'not_found'
    | 'forbidden'
    | 'redirect'
    | 'no_credential'
    | 'no_credit'
    | 'endpoint'
    | 'untargeted'
    | 'limited'
    | 'too_large'
    | 'unreachable'
    | 'failed'
    | 'broken_off'
    | 'no_target'
    | 'until_midnight'
  /** The request field. */
  readonly param: string
  readonly limit_mb: number
  /** The upstream's status. */
  readonly status: number
  /** The caller got the provider's own words, which are not kept. */
  readonly is_quoted: boolean
  /** The gateway's sentence, where it has no other facts. */
  readonly said: string
}

export type FaultFacts = Partial<FactValues>
