import type { FactValues, FaultFacts } from './fact-values.ts'
import type { Fault, FaultCode } from './faults.ts'
import { FAULT_FACTS_LIMIT_BYTES } from './limits.ts'
import { plainMessage } from './plain-fault.ts'

type FaultFactName = keyof FactValues

const advice = ['affordable_tokens', 'input_usd', 'model'] as const
const shortage = ['needed_usd', 'left_usd', 'resets_at', 'wait_s', 'window', ...advice] as const
const models = ['model', 'near', 'allowed', 'has_more', 'groups', 'why'] as const

/** The facts that each fault can have, beside `said`, `param` and `is_quoted`, which every fault can. */
const NAMES = {
  key_missing: [],
  key_malformed: ['mistake', 'missing', 'extra', 'length', 'where', 'line_break', 'characters', 'end', 'device'],
  key_unknown: ['end', 'foreign', 'access_token', 'device'],
  key_deleted: ['end', 'at', 'device'],
  key_disabled: ['end', 'at', 'device'],
  key_expired: ['end', 'at', 'replaced', 'new_end', 'device'],
  account_disabled: ['device'],
  ip_not_allowed: ['address'],
  group_disabled: ['group'],
  group_forbidden: ['group', 'plan', 'from', 'until'],
  model_not_in_group: models,
  model_not_allowed: models,
  model_unknown: models,
  balance_exhausted: shortage,
  key_quota_exhausted: [...shortage, 'limit_usd'],
  subscription_quota_exhausted: [...shortage, 'balance_usd'],
  credential_throttled: ['max', 'wait_s'],
  rate_limited: [
    ...shortage,
    'limit_usd',
    'scope',
    'limit',
    'max',
    'used',
    'part',
    'nodes',
    'input_tokens',
    'output_tokens',
  ],
  request_invalid: ['model', 'lacks'],
  body_too_large: ['limit_mb'],
  base_url_wrong: ['enter'],
  path_unknown: ['path', 'method', 'takes', 'served', 'origin'],
  model_unpriced: ['model', 'endpoint', 'lacks'],
  upstream_rejected: ['status'],
  upstream_rate_limited: ['why'],
  upstream_overloaded: [],
  upstream_unavailable: ['why', 'endpoint'],
  upstream_malformed: [],
  upstream_timeout: [],
  draining: [],
  store_unavailable: [],
  internal: [],
} as const satisfies Record<FaultCode, readonly FaultFactName[]>

export type FactsOf<C extends FaultCode> = Pick<FaultFacts, (typeof NAMES)[C][number]>

const OF_ALL: readonly FaultFactName[] = ['said', 'param', 'is_quoted']

/** The names of facts that a fault can have. */
export function factNames(code: FaultCode): readonly FaultFactName[] {
  return [...NAMES[code], ...OF_ALL]
}

/** Longer texts are cut, and so are longer lists. */
const TEXT_CHARACTERS = 120
const LONG_TEXT_CHARACTERS = 300
/** A sentence, and a list of endpoints of which the last counts as much as the first. */
const LONG_TEXTS: ReadonlySet<string> = new Set<FaultFactName>(['said', 'served'])
const LISTED_NAMES = 5
/** What has the form of some vendor's key is never kept, whichever field it was entered in. */
const LIKE_A_SECRET = /\b(?:sk|pk|rk|pat|tgp|gsk|xai|hf|AIza)[-_]?[\w-]{16,}/g
const UNPRINTABLE = /[\p{Cc}\p{Cf}]/gu

/** The facts within their bounds: what is written from these can be written again from what is kept of them. */
export function boundedFacts<F extends FaultFacts>(facts: F): F {
  const entries = Object.entries(facts).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (Array.isArray(value)) return [[name, value.slice(0, LISTED_NAMES).map((each) => boundedText(String(each)))]]
    if (typeof value !== 'string') return [[name, value]]
    return [[name, boundedText(value, LONG_TEXTS.has(name) ? LONG_TEXT_CHARACTERS : TEXT_CHARACTERS)]]
  })
  const kept = Object.fromEntries(entries) as Record<string, unknown>
  // Lists give way first, then whatever is longest.
  while (sizeOf(kept) > FAULT_FACTS_LIMIT_BYTES) {
    const [longest] = Object.entries(kept).sort(([, a], [, b]) => weight(b) - weight(a))
    if (longest === undefined) break
    const [name, value] = longest
    if (Array.isArray(value) && value.length > 1) kept[name] = value.slice(0, -1)
    else if (typeof value === 'string' && value.length > 40) kept[name] = boundedText(value, value.length >> 1)
    else delete kept[name]
  }
  return kept as F
}

function boundedText(text: string, limit = TEXT_CHARACTERS): string {
  const clean = text.replace(LIKE_A_SECRET, '…').replace(UNPRINTABLE, '?')
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1)}…`
}

function weight(value: unknown): number {
  const length = JSON.stringify(value).length
  return Array.isArray(value) ? length + FAULT_FACTS_LIMIT_BYTES : length
}

function sizeOf(facts: object): number {
  return Buffer.byteLength(JSON.stringify(facts))
}

/** The facts of a fault as its record keeps them: JSON of at most `FAULT_FACTS_LIMIT_BYTES`. */
export function writtenFacts(fault: Fault): string {
  const { facts = {}, param, status, isQuoted } = fault.details
  const isPlain = fault.code === 'internal' || fault.message === plainMessage(fault.code)
  const said = isQuoted === true || isPlain || Object.keys(facts).length > 0 ? {} : { said: fault.message }
  const known: FaultFacts = {
    ...facts,
    ...(isQuoted === true ? { is_quoted: true } : said),
    ...(param === undefined || fault.code !== 'request_invalid' ? {} : { param }),
    ...(status === undefined ? {} : { status }),
  }
  return JSON.stringify(boundedFacts(known))
}

/** What a record kept, in so far as this version knows it; null: it kept nothing. */
export function readFacts(code: FaultCode, written: string | null): FaultFacts | null {
  if (written === null) return null
  try {
    const value: unknown = JSON.parse(written)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const names: readonly string[] = factNames(code)
    return Object.fromEntries(
      Object.entries(value).filter(([name, fact]) => names.includes(name) && isFact(name, fact)),
    )
  } catch {
    return null
  }
}

const LISTS: ReadonlySet<string> = new Set<FaultFactName>(['characters', 'groups', 'near', 'allowed'])

function isFact(name: string, value: unknown): boolean {
  if (LISTS.has(name)) return Array.isArray(value) && value.every((each) => typeof each === 'string')
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}
