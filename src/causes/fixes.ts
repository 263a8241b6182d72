import type { FaultFacts } from '../core/fact-values.ts'
import type { FaultCode } from '../core/faults.ts'
import type { Right } from '../core/roles.ts'
import { isZeroLimit } from './explanation.ts'

/**
 * Something that makes a refused request pass, as a button of the console. `edit_key` opens the key's settings at a field;
 * `ask_admin` stands where only an admin can do it, and `enable_group` and `set_price` in its place for those who can.
 */
export type Fix =
  | { readonly kind: 'edit_key'; readonly field: KeyField }
  | { readonly kind: 'allow_model'; readonly model: string }
  | { readonly kind: 'allow_address'; readonly address: string }
  | { readonly kind: 'enable_key' }
  | { readonly kind: 'rotate_key' }
  | { readonly kind: 'create_key' }
  | { readonly kind: 'copy_base_url'; readonly url: string }
  | { readonly kind: 'copy_model'; readonly model: string }
  | { readonly kind: 'show_models' }
  | { readonly kind: 'add_credit' }
  | { readonly kind: 'enable_group'; readonly group: string }
  | { readonly kind: 'set_price'; readonly model: string }
  | { readonly kind: 'ask_admin' }

/** The field of a key's settings at which they open. */
export type KeyField = 'group' | 'quota_limit' | 'expires_at' | 'rate_limit' | 'allowed_models' | 'allowed_ips'

/** The fixes of a fault, the likeliest first; at most three. `facts` null: the record kept none. `rights`: the reader's. */
export function fixesOf(code: FaultCode, facts: FaultFacts | null, rights: readonly Right[] = []): readonly Fix[] {
  const fixes = FIXES[code]?.(facts ?? {}) ?? []
  const own = fixOfStaff(code, facts ?? {}, rights)
  return (own === null ? fixes : [own, ...fixes.filter(({ kind }) => kind !== 'ask_admin')]).slice(0, FIXES_SHOWN)
}

/** What the reader can do themselves where others have to ask; null: nothing. */
function fixOfStaff(code: FaultCode, { group, model, lacks }: FaultFacts, rights: readonly Right[]): Fix | null {
  if (code === 'group_disabled' && group !== undefined && rights.includes('catalogue')) {
    return { kind: 'enable_group', group }
  }
  const isUnpriced = code === 'model_unpriced' || (code === 'request_invalid' && lacks !== undefined)
  if (isUnpriced && model !== undefined && rights.includes('prices')) return { kind: 'set_price', model }
  return null
}

const FIXES_SHOWN = 3
const ASK: Fix = { kind: 'ask_admin' }
const EDIT_GROUP: Fix = { kind: 'edit_key', field: 'group' }
const ADD_CREDIT: Fix = { kind: 'add_credit' }
const SHOW_MODELS: Fix = { kind: 'show_models' }

const FIXES: { readonly [C in FaultCode]?: (facts: FaultFacts) => readonly Fix[] } = {
  key_malformed: ({ mistake }) => (mistake === 'missing' || mistake === 'checksum' ? [{ kind: 'rotate_key' }] : []),
  key_unknown: ({ foreign, access_token: isToken }) =>
    foreign !== undefined || isToken === true ? [{ kind: 'create_key' }] : [{ kind: 'rotate_key' }],
  key_deleted: () => [{ kind: 'create_key' }],
  key_disabled: () => [{ kind: 'enable_key' }],
  key_expired: ({ replaced }) =>
    replaced === true ? [{ kind: 'rotate_key' }] : [{ kind: 'edit_key', field: 'expires_at' }],
  account_disabled: () => [ASK],
  ip_not_allowed: ({ address }) =>
    address === undefined ? [{ kind: 'edit_key', field: 'allowed_ips' }] : [{ kind: 'allow_address', address }],
  group_disabled: () => [EDIT_GROUP, ASK],
  group_forbidden: () => [ADD_CREDIT, EDIT_GROUP, ASK],
  model_not_in_group: (facts) => [...copies(facts), EDIT_GROUP, SHOW_MODELS],
  model_not_allowed: (facts) => [
    ...(facts.model === undefined ? [] : [{ kind: 'allow_model', model: facts.model } as const]),
    ...copies(facts),
  ],
  model_unknown: (facts) => [...copies(facts), SHOW_MODELS],
  balance_exhausted: () => [ADD_CREDIT, ASK],
  key_quota_exhausted: () => [{ kind: 'edit_key', field: 'quota_limit' }],
  subscription_quota_exhausted: () => [ADD_CREDIT, ASK],
  rate_limited: (facts) => {
    if (facts.scope === 'account') return [ASK]
    const waits = facts.limit === undefined || (facts.limit === 'concurrency' && !isZeroLimit(facts))
    return waits && facts.said !== undefined ? [] : [{ kind: 'edit_key', field: 'rate_limit' }]
  },
  base_url_wrong: ({ enter }) => (enter === undefined ? [] : [{ kind: 'copy_base_url', url: enter }]),
  path_unknown: ({ origin }) =>
    origin === undefined
      ? []
      : [
          { kind: 'copy_base_url', url: `${origin}/v1` },
          { kind: 'copy_base_url', url: origin },
        ],
  request_invalid: ({ lacks }) => (lacks === undefined ? [] : [ASK]),
  model_unpriced: () => [SHOW_MODELS, ASK],
  upstream_unavailable: ({ why }) => (why === 'endpoint' ? [SHOW_MODELS] : [ASK]),
  upstream_malformed: () => [ASK],
  upstream_rate_limited: () => [SHOW_MODELS],
  upstream_overloaded: () => [SHOW_MODELS],
  store_unavailable: () => [ASK],
  internal: () => [ASK],
}

/** What the key can call instead, where one name is likely meant. */
function copies({ near = [], allowed = [] }: FaultFacts): readonly Fix[] {
  const model = near[0] ?? (allowed.length === 1 ? allowed[0] : undefined)
  return model === undefined ? [] : [{ kind: 'copy_model', model }]
}
