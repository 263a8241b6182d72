import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { isNearCap } from '../../routing/spend-cap.ts'
import type { ControlParts } from '../parts.ts'
import type { Failures } from './attention-failures.ts'
import type { RawItem } from './attention-item.ts'

/** The caps on spending that are enforced and used by four fifths or more, as this node knows them. */
export function spendCapItems(
  upstreams: readonly Upstream[],
  { capsNow, credentialsNow }: Pick<ControlParts, 'capsNow' | 'credentialsNow'>,
  failures: Pick<Failures, 'seen'>,
): readonly RawItem[] {
  return upstreams.flatMap((upstream) => {
    const at = upstream.name
    const hits = (credential: string | null, model: string | null): number =>
      failures.seen(
        (record) =>
          record.upstreamName === at &&
          (credential === null || record.credentialName === credential) &&
          (model === null || record.model === model),
      )
    const own = capsNow(upstream.id).flatMap(({ model, perDay, spentToday, isShadow }) =>
      isShadow
        ? []
        : itemsOf(
            {
              upstream,
              credential: null,
              model,
              spender: model === null ? spenderOf(at) : targetOf(at, model),
              hits: hits(null, model),
            },
            perDay,
            spentToday,
          ),
    )
    const stateOf = new Map(credentialsNow(upstream.id).map((each) => [each.name, each]))
    const ofCredentials = upstream.credentials.flatMap(({ name, spendPerDay, shadow }) => {
      const spentToday = stateOf.get(name)?.spentToday ?? null
      if (spendPerDay === null || spentToday === null || shadow?.includes('spend_per_day') === true) return []
      const spender = `The credential "${name}" of the upstream "${at}"`
      return itemsOf(
        { upstream, credential: name, model: null, spender, hits: hits(name, null) },
        spendPerDay,
        spentToday,
      )
    })
    return [...own, ...ofCredentials]
  })
}

function spenderOf(upstream: string): string {
  return `The upstream "${upstream}"`
}

function targetOf(upstream: string, model: string): string {
  return `The target of the model "${model}" at the upstream "${upstream}"`
}

interface CappedSpender {
  readonly upstream: Pick<Upstream, 'id' | 'name'>
  readonly credential: string | null
  readonly model: string | null
  readonly spender: string
  /** Requests there in the last ten minutes. */
  readonly hits: number
}

function itemsOf(
  { spender, hits, upstream: { id, name }, ...at }: CappedSpender,
  perDay: NanoUsd,
  spentToday: NanoUsd,
): readonly RawItem[] {
  if (!isNearCap(spentToday, perDay)) return []
  const [used, limit] = [formatUsd(spentToday), formatUsd(perDay)]
  const spent = `${spender} has cost $${used} today of the $${limit} that it may`
  const then = spentToday >= perDay ? 'and is not used until midnight UTC' : 'and is not used once it reaches them'
  const detail = `${spent}, ${then}. Raise spend_per_day to use it further.`
  return [{ kind: 'spend_cap', ...at, upstream: { id, name }, used, limit, requests: hits, detail }]
}
