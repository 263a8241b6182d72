import { type AccountLimits, NO_ACCOUNT_LIMITS, type SetLimits } from '../core/account-limits.ts'
import { isRunning, type Subscription } from './subscription.ts'

/** The sources that may limit one account, now or later, beside its subscriptions. */
export interface LimitSources {
  /** Set on the account itself by an admin. */
  readonly own: SetLimits | undefined
  /** Of the installation, for all accounts. */
  readonly standard: SetLimits | undefined
}

/** As much of a subscription as its limits depend on. */
type Limiting = Pick<Subscription, 'limits' | 'startsAt' | 'endsAt' | 'cancelledAt'>

/** The sources of an account's limits; undefined: nothing limits it, now or later, which is so for most. */
export function limitSources(
  own: SetLimits | undefined,
  standard: SetLimits | undefined,
  subscriptions: readonly Pick<Subscription, 'limits'>[],
): LimitSources | undefined {
  const isSet = own !== undefined || standard !== undefined || subscriptions.some(({ limits }) => limits !== undefined)
  return isSet ? { own, standard } : undefined
}

/**
 * The limits that hold for an account at this moment (epoch milliseconds). Each limit has one source: the account's own value,
 * else the running subscriptions (the most generous, where several set it), else the installation.
 */
export function limitsInForce(
  { own, standard }: LimitSources,
  subscriptions: readonly Limiting[],
  nowMs: number,
): AccountLimits {
  const sold = subscriptions.flatMap((each) =>
    each.limits !== undefined && isRunning(each, nowMs) ? [each.limits] : [],
  )
  return { ...NO_ACCOUNT_LIMITS, ...standard, ...mostGenerous(sold), ...own }
}

/** Of each limit that one of them sets, the value that allows most. */
function mostGenerous(sold: readonly SetLimits[]): SetLimits {
  const [first = {}, ...others] = sold
  return others.reduce<SetLimits>((so, each) => ({ ...so, ...each, ...allowingMost(so, each) }), first)
}

/** What two plans both set. Of a window that one of them leaves free nothing is asked. */
function allowingMost(one: SetLimits, other: SetLimits): SetLimits {
  const both = COUNTS.flatMap((name) => {
    const [a, b] = [one[name], other[name]]
    return a === undefined || b === undefined ? [] : [[name, a === null || b === null ? null : Math.max(a, b)]]
  })
  const counts = Object.fromEntries(both) as SetLimits
  if (one.spend === undefined || other.spend === undefined) return counts
  const spend = one.spend.flatMap(({ window, usd }) => {
    const more = other.spend?.find((each) => each.window === window)?.usd
    return more === undefined ? [] : [{ window, usd: more > usd ? more : usd }]
  })
  return { ...counts, spend }
}

type CountName = Exclude<keyof AccountLimits, 'spend'>
const COUNTS = Object.keys(NO_ACCOUNT_LIMITS).filter((name): name is CountName => name !== 'spend')
