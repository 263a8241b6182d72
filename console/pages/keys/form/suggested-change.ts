import { type FaultFacts, isZeroLimit } from '../../../../src/causes/explanation.ts'
import type { KeyField } from '../../../../src/causes/fixes.ts'
import type { GroupView } from '../../../../src/contract/groups.ts'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { nanoOf, usdOf } from '../../../format/decimal.ts'
import { COUNT_EXAMPLES, draftOf, rateLimitField, SPEND_WINDOWS, type KeyDraft } from './key-draft.ts'

/** What would let a refused request pass, as the form of the key shows it. */
export interface SuggestedChange {
  /** The field at which the form opens, by its name. */
  readonly at: string
  /** The changed part; null where only the reader knows it. */
  readonly change: Partial<KeyDraft> | null
}

type Group = Pick<GroupView, 'name' | 'enabled' | 'usable'>

interface Known {
  readonly key: ApiKeyView
  readonly facts: FaultFacts
  readonly groups: readonly Group[]
  readonly models: readonly { readonly name: string; readonly groups: readonly { readonly name: string }[] }[]
}

const EXTENDED_DAYS = 30

/** The change of one setting that the facts of a refusal call for: at least enough, and a round figure. */
export function suggestedChange(field: KeyField, known: Known): SuggestedChange {
  const { key, facts } = known
  switch (field) {
    case 'quota_limit': {
      const quotaLimit = roomier(facts.limit_usd ?? key.quota_limit ?? '0', [key.spent, facts.needed_usd ?? '0'])
      return { at: 'quota_limit', change: { quotaLimit } }
    }
    case 'expires_at':
      return { at: 'validity', change: { validity: { kind: 'days', days: EXTENDED_DAYS } } }
    case 'rate_limit':
      return suggestedLimit(key, facts)
    case 'group': {
      const group = suggestedGroup(known)
      return { at: 'group', change: group === undefined ? null : { group } }
    }
    case 'allowed_models':
    case 'allowed_ips':
      return { at: field, change: null }
  }
}

const COUNTED = { concurrency: 'concurrency', requests: 'requests_per_minute', tokens: 'tokens_per_minute' } as const

function suggestedLimit(key: ApiKeyView, facts: FaultFacts): SuggestedChange {
  const { counts, spend } = draftOf(key)
  if (facts.limit === undefined) return { at: 'rate_limit', change: null }
  if (facts.limit === 'spend') {
    const window = SPEND_WINDOWS.find((each) => each === facts.window)
    if (window === undefined) return { at: 'rate_limit.spend', change: null }
    const usd = roomier(facts.limit_usd ?? spend[window], [facts.limit_usd ?? '0', facts.needed_usd ?? '0'])
    return { at: `rate_limit.spend.${window}`, change: { spend: { ...spend, [window]: usd } } }
  }
  const field = COUNTED[facts.limit]
  const asked = (facts.input_tokens ?? 0) + (facts.output_tokens ?? 0)
  const least = isZeroLimit(facts) ? Number(COUNT_EXAMPLES[field]) : 2 * (facts.max ?? Number(counts[field]))
  const count = rounded(BigInt(Math.max(least, asked, 1)))
  return { at: rateLimitField(field), change: { counts: { ...counts, [field]: count.toString() } } }
}

/** The first other group that is open to the reader and, where a model was asked for, serves it. */
function suggestedGroup({ key, facts, groups, models }: Known): string | undefined {
  const serving = models.find(({ name }) => name === facts.model)?.groups.map(({ name }) => name)
  if (facts.model !== undefined && serving === undefined) return undefined
  const serves = ({ name }: Group): boolean => serving?.includes(name) !== false
  return groups.find((group) => group.enabled && group.usable && group.name !== key.group && serves(group))?.name
}

const ONE_USD = 1_000_000_000n

/** Twice the limit or more, so that `parts` together fit in: at least a dollar. All in decimal USD. */
function roomier(limit: string, parts: readonly string[]): string {
  const needed = parts.reduce((sum, part) => sum + nanoOf(part), 0n)
  const least = [2n * nanoOf(limit), needed, ONE_USD].reduce((most, each) => (each > most ? each : most))
  return usdOf(rounded(least))
}

/** The next number up with two digits that count. */
function rounded(count: bigint): bigint {
  let unit = 1n
  // An amount of money has at most nineteen digits.
  while (count / unit >= 100n) unit *= 10n
  return ((count + unit - 1n) / unit) * unit
}
