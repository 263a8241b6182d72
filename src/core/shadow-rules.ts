/**
 * The rules that may be in shadow: evaluated, counted and shown, and not enforced. Each with the letter that a usage record
 * keeps of it.
 */
export const SHADOW_RULES = {
  max_concurrency: 'c',
  requests_per_minute: 'r',
  tokens_per_minute: 't',
  spend_per_day: 's',
  min_margin: 'm',
} as const

export type ShadowRule = keyof typeof SHADOW_RULES

export const SHADOW_RULE_NAMES = Object.keys(SHADOW_RULES) as readonly ShadowRule[]

/** The rules that each may have in shadow, in the order in which they are written. */
export const UPSTREAM_SHADOWS = ['spend_per_day'] as const satisfies readonly ShadowRule[]
export const TARGET_SHADOWS = ['min_margin', 'spend_per_day'] as const satisfies readonly ShadowRule[]
export const CREDENTIAL_SHADOWS = [
  'max_concurrency',
  'requests_per_minute',
  'tokens_per_minute',
  'spend_per_day',
] as const satisfies readonly ShadowRule[]

export type UpstreamShadow = (typeof UPSTREAM_SHADOWS)[number]
export type TargetShadow = (typeof TARGET_SHADOWS)[number]
export type CredentialShadow = (typeof CREDENTIAL_SHADOWS)[number]

/** What an entry of a list of rules in shadow must be, for `mustBe`. */
export const SHADOW_FORM = 'the name of a rule that is set beside it'

/** The first of these rules that is not set, by its place in the list; -1: all are. */
export function unsetShadow<Rule extends ShadowRule>(
  shadow: readonly Rule[],
  rules: { readonly [Each in Rule]?: unknown },
): number {
  return shadow.findIndex((rule) => rules[rule] == null)
}

/** Returns the rules in shadow of an object of which most have none: each rule once, in one order, whatever order they are written in. */
export function shadowOf<Rule extends ShadowRule>(
  all: readonly Rule[],
  written: readonly Rule[],
): { readonly shadow?: readonly Rule[] } {
  const shadow = all.filter((rule) => written.includes(rule))
  return shadow.length === 0 ? {} : { shadow }
}
