import { countedLimitFacts } from '../../core/counted-limits.ts'
import { Fault } from '../../core/faults.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { QuotaWindow } from '../../core/quota-window.ts'
import type { Budget } from '../budgets/budget.ts'
import type { EstimatedTokens, LimitRefusal } from '../limits/key-limits.ts'

/** What a refused request lacks. */
export interface Shortage {
  readonly needed: NanoUsd
  readonly available: NanoUsd
  readonly limit: NanoUsd
  /** When the period or window ends; null: never, or it has not opened. */
  readonly endsAt: number | null
  readonly window: QuotaWindow | null
  readonly nowMs: number
  readonly advice: string | null
}

/** The wait that is announced for a limit that waiting does not help: longer than any client waits. */
const NEVER_SECONDS = 86_400

export function balanceExhausted(shortage: Shortage): Fault {
  return new Fault(
    'balance_exhausted',
    `${amounts(shortage)} of the account's balance. Top up the account, or send a smaller request.${adviceOf(shortage)}`,
  )
}

/** A plan's quota is used up and the balance cannot step in. */
export function subscriptionExhausted(subscription: Shortage, balance: Shortage): Fault {
  const others = `The account's balance has $${formatUsd(balance.available)}, which is not enough either.`
  return new Fault(
    'subscription_quota_exhausted',
    `${amounts(subscription)} of the subscription's quota for ${subscription.window ?? 'its whole term'}. ${resetOf(subscription)} ${others} Top up the balance, or send a smaller request.${adviceOf(balance.available > subscription.available ? balance : subscription)}`,
  )
}

/** A cap of the key: its quota, or what it may spend in a window; or what all keys of its account may spend in one. */
export function capExhausted(budget: Budget, shortage: Shortage): Fault {
  if (budget.kind === 'key_quota') {
    return new Fault(
      'key_quota_exhausted',
      `${amounts(shortage)} of this API key's quota. ${resetOf(shortage)} Raise the key's quota limit, use another key, or send a smaller request.${adviceOf(shortage)}`,
    )
  }
  const { endsAt, nowMs } = shortage
  const [who, remedy] =
    budget.kind === 'account_spend'
      ? ['all API keys of this account together', "Ask an admin to raise the account's spend limit"]
      : ['this API key', "Raise the key's spend limit, use another key"]
  return new Fault(
    'rate_limited',
    `${amounts(shortage)} of the $${formatUsd(shortage.limit)} that ${who} may spend in ${shortage.window}. ${resetOf(shortage)} ${remedy}, or send a smaller request.${adviceOf(shortage)}`,
    { retryAfterSeconds: endsAt === null ? NEVER_SECONDS : Math.max(1, Math.ceil((endsAt - nowMs) / 1000)) },
  )
}

/** Whose limit it is, in the words of messages. */
const HOLDERS = {
  key: { who: 'This API key', they: 'it', whose: "This API key's", raise: "raise the key's" },
  account: {
    who: 'All API keys of this account together',
    they: 'they',
    whose: "This account's",
    raise: "ask an admin to raise the account's",
  },
} as const

/** `of`: whose limit refused it. */
export function limitReached(refusal: LimitRefusal, tokens: EstimatedTokens, of: keyof typeof HOLDERS = 'key'): Fault {
  const { who, they, whose, raise } = HOLDERS[of]
  const { limit, max, used, waitMs, part, nodes } = refusal
  const seconds = Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1000)) : NEVER_SECONDS
  const details = { retryAfterSeconds: seconds }
  const { window, unit } = countedLimitFacts(limit)
  if (max === 0) {
    const message = `${whose} limit is 0 ${unit} ${window === null ? 'at once' : 'a minute'}, so ${of === 'key' ? 'it' : 'an API key of it'} cannot be used. ${raise.charAt(0).toUpperCase()}${raise.slice(1)} limit.`
    return new Fault('rate_limited', message, { retryAfterSeconds: NEVER_SECONDS })
  }
  const shared = nodes > 1 ? ` ${nodes} nodes share this limit, and this one's part is ${part}.` : ''
  if (window === null) {
    return new Fault(
      'rate_limited',
      `${who} may have ${counted(max, 'request')} running at once, and ${used} ${used === 1 ? 'is' : 'are'}.${shared} ${part === 0 ? 'Try again, since another node may serve it' : 'Wait until one ends'}, or ${raise} concurrency limit.`,
      details,
    )
  }
  const asked =
    unit === 'tokens' ? `, and this request has about ${tokens.input} of input and may write ${tokens.output}` : ''
  const remedy = Number.isFinite(waitMs)
    ? `Try again in ${seconds} s, or ${raise} limit.`
    : `It cannot be served under this limit: ${unit === 'tokens' ? `send at most ${part} tokens of input, or ` : ''}${raise} limit.`
  return new Fault(
    'rate_limited',
    `${who} may use ${counted(max, unit.slice(0, -1))} a minute. In the last minute ${they} used ${used}${asked}.${shared} ${remedy}`,
    details,
  )
}

function amounts({ needed, available }: Shortage): string {
  return `This request may cost up to $${formatUsd(needed)} and $${formatUsd(available)} is left`
}

function adviceOf({ advice }: Shortage): string {
  return advice === null ? '' : ` ${advice}`
}

function resetOf({ endsAt, window, nowMs }: Shortage): string {
  if (endsAt === null && window !== null) return 'Nothing of it is spent yet, so waiting gives no more.'
  if (endsAt === null) return 'It does not reset by itself.'
  return `It resets at ${new Date(endsAt).toISOString()} (in ${roughly(endsAt - nowMs)}).`
}

/** The two largest units are exact enough for a wait. */
function roughly(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`
}

function counted(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`
}
