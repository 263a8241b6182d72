import type { FaultFacts } from '../core/fact-values.ts'
import { type Explanation, isZeroLimit, roughWait } from './explanation.ts'

/** Explains a limit in counts or in money, in English. */
export function limited(facts: FaultFacts, time: (text: string) => string): Explanation | null {
  const { limit, scope, max, used, wait_s: wait, part, nodes, window } = facts
  const isAccount = scope === 'account'
  if (limit === 'spend') {
    if (facts.limit_usd === undefined) return null
    const who = isAccount ? 'all API keys of this account together' : 'this API key'
    const ways = isAccount
      ? ["Ask an admin to raise the account's spend limit"]
      : ["Raise the key's spend limit", 'use another key']
    if (!isZeroLimit(facts)) ways.push('send a smaller request')
    const sum = `of the $${facts.limit_usd} that ${who} may spend in ${window ?? 'this window'}`
    const cause = facts.needed_usd === undefined ? `Nothing is left ${sum}` : `${amounts(facts)} ${sum}`
    return {
      cause: `${cause}. ${resets(facts, time)}`,
      remedy: `${oneOf(ways)}.${affordable(facts)}`,
    }
  }
  if (limit === undefined || max === undefined) return null
  const holder = isAccount
    ? { who: 'All API keys of this account together', they: 'they', whose: "This account's" }
    : { who: 'This API key', they: 'it', whose: "This API key's" }
  const raise = isAccount ? "ask an admin to raise the account's" : "raise the key's"
  const unit = limit === 'tokens' ? 'token' : 'request'
  if (max === 0) {
    return {
      cause: `${holder.whose} limit is 0 ${unit}s ${limit === 'concurrency' ? 'at once' : 'a minute'}, so ${isAccount ? 'an API key of it' : 'it'} cannot be used.`,
      remedy: `${raise.charAt(0).toUpperCase()}${raise.slice(1)} limit.`,
    }
  }
  const shared =
    nodes === undefined || part === undefined ? '' : ` ${nodes} nodes share this limit, and this one's part is ${part}.`
  if (limit === 'concurrency') {
    return {
      cause: `${holder.who} may have ${count(max, 'request')} running at once, and ${used ?? max} ${used === 1 ? 'is' : 'are'}.${shared}`,
      remedy: `${part === 0 ? 'Try again, since another node may serve it' : 'Wait until one ends'}, or ${raise} concurrency limit.`,
    }
  }
  const asked =
    facts.input_tokens === undefined
      ? ''
      : `, and this request has about ${facts.input_tokens} of input and may write ${facts.output_tokens ?? 0}`
  const fits =
    limit === 'tokens' ? `send at most ${part ?? max} tokens of input, or ${raise} limit.` : `${raise} limit.`
  return {
    cause: `${holder.who} may use ${count(max, unit)} a minute. In the last minute ${holder.they} used ${used ?? 0}${asked}.${shared}`,
    remedy:
      wait === undefined
        ? `It cannot be served under this limit: ${fits}`
        : `Try again in ${wait} s, or ${raise} limit.`,
  }
}

export function amounts({ needed_usd: needed, left_usd: left }: FaultFacts): string {
  return `This request may cost up to $${needed} and $${left ?? '0'} is left`
}

export function resets(facts: FaultFacts, time: (text: string) => string): string {
  const { resets_at: at, wait_s: wait, window } = facts
  if (isZeroLimit(facts)) return 'The limit is $0, so waiting gives no more.'
  if (at === undefined) {
    return window === undefined
      ? 'It does not reset by itself.'
      : 'Nothing of it is spent yet, so waiting gives no more.'
  }
  return `It resets at ${time(at)}${wait === undefined ? '' : ` (in ${roughWait(wait, { min: 'min', h: 'h', days: 'days' })})`}.`
}

export function affordable({ affordable_tokens: tokens, input_usd: input, model }: FaultFacts): string {
  if (tokens !== undefined) return ` What is left pays for about ${tokens} output tokens: ask for at most that many.`
  return input === undefined
    ? ''
    : ` Its input alone costs about $${input}${model === undefined ? '' : ` with ${model}`}.`
}

/** “A”, “A, or B”, “A, B, or C”. */
function oneOf(ways: readonly string[]): string {
  const last = ways.length < 2 ? '' : `, or ${ways.at(-1)}`
  return ways.slice(0, Math.max(1, ways.length - 1)).join(', ') + last
}

function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`
}
