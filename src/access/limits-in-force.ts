import { type AccountLimits, NO_ACCOUNT_LIMITS, type SetLimits } from '../core/account-limits.ts'
import { isRunning, type Subscription } from './subscription.ts'

/** The sources that may limit one account, now or later, beside its subscriptions. */
export interface LimitSources {
  /** Set on the account itself by an admin. */
  readonly own: SetLimits | undefined
  /** Limits of the installation, for all accounts. */
  readonly standard: SetLimits | undefined
  /** Absent: none was given, or it was taken back. */
  readonly raise?: LimitRaise
}

/** More for a while, on one account: it ends by itself. It lowers nothing, and limits nothing that is not limited. */
export interface LimitRaise {
  readonly limits: SetLimits
  /** Epoch milliseconds: until then, exclusive. */
  readonly endsAt: number
}

/** The parts of a subscription on which its limits depend. */
type Limiting = Pick<Subscription, 'limits' | 'startsAt' | 'endsAt' | 'cancelledAt'>

/** The sources of an account's limits; undefined: nothing limits it, now or later, which is so for most. */
export function limitSources(
  account: { readonly limits?: SetLimits; readonly raise?: LimitRaise } | null,
  standard: SetLimits | undefined,
  subscriptions: readonly Pick<Subscription, 'limits'>[],
): LimitSources | undefined {
  const { limits: own, raise } = account ?? {}
  const isSet = own !== undefined || standard !== undefined || subscriptions.some(({ limits }) => limits !== undefined)
  return isSet ? { own, standard, ...(raise === undefined ? {} : { raise }) } : undefined
}

/**
 * The limits that hold for an account at this moment (epoch milliseconds). Each limit has one source: the account's own value,
 * else the running subscriptions (the most generous, where several set it), else the installation. A raise that is not over
 * lifts it from there.
 */
export function limitsInForce(
  { own, standard, raise }: LimitSources,
  subscriptions: readonly Limiting[],
  nowMs: number,
): AccountLimits {
  const sold = subscriptions.flatMap((each) =>
    each.limits !== undefined && isRunning(each, nowMs) ? [each.limits] : [],
  )
  const lasting = { ...NO_ACCOUNT_LIMITS, ...standard, ...mostGenerous(sold), ...own }
  return raise === undefined || nowMs >= raise.endsAt ? lasting : raised(lasting, raise.limits)
}

function raised(lasting: AccountLimits, more: SetLimits): AccountLimits {
  const counts = COUNTS.map((name) => {
    const [limit, wanted] = [lasting[name], more[name]]
    if (limit === null || wanted === undefined) return [name, limit]
    return [name, wanted === null ? null : Math.max(limit, wanted)]
  })
  const { spend } = more
  if (spend === undefined) return { ...lasting, ...Object.fromEntries(counts) }
  // A window that it does not name stays; what lifts all of them is the empty list, as everywhere.
  const windows =
    spend.length === 0
      ? []
      : lasting.spend.map(({ window, usd }) => {
          const wanted = spend.find((each) => each.window === window)?.usd ?? usd
          return { window, usd: wanted > usd ? wanted : usd }
        })
  return { ...lasting, ...Object.fromEntries(counts), spend: windows }
}

/** Returns, for each limit that one of them sets, the value that allows most. */
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
