import type { z } from '@hono/zod-openapi'
import type { attention } from '../../contract/margins.ts'
import { formatUsd, type NanoUsd } from '../../core/money.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { isNearCap } from '../../routing/spend-cap.ts'
import type { ControlParts } from '../parts.ts'

type Item = z.output<typeof attention>['data'][number]

/** The caps on spending that are used by four fifths or more, as this node knows them. */
export function spendCapItems(
  upstreams: readonly Upstream[],
  { capsNow, credentialsNow }: Pick<ControlParts, 'capsNow' | 'credentialsNow'>,
): readonly Item[] {
  return upstreams.flatMap((upstream) => {
    const at = upstream.name
    const own = capsNow(upstream.id).flatMap(({ model, perDay, spentToday }) =>
      itemsOf(
        { upstream: at, model, spender: model === null ? spenderOf(at) : targetOf(at, model) },
        perDay,
        spentToday,
      ),
    )
    const stateOf = new Map(credentialsNow(upstream.id).map((each) => [each.name, each]))
    const ofCredentials = upstream.credentials.flatMap(({ name, spendPerDay }) => {
      const spentToday = stateOf.get(name)?.spentToday ?? null
      if (spendPerDay === null || spentToday === null) return []
      const spender = `The credential "${name}" of the upstream "${at}"`
      return itemsOf({ upstream: at, model: null, spender }, spendPerDay, spentToday)
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

function itemsOf(
  { spender, ...at }: { readonly upstream: string; readonly model: string | null; readonly spender: string },
  perDay: NanoUsd,
  spentToday: NanoUsd,
): readonly Item[] {
  if (!isNearCap(spentToday, perDay)) return []
  const spent = `${spender} has cost $${formatUsd(spentToday)} today of the $${formatUsd(perDay)} that it may`
  const then = spentToday >= perDay ? 'and is not used until midnight UTC' : 'and is not used once it reaches them'
  return [
    { kind: 'spend_cap', ...at, group: null, detail: `${spent}, ${then}. Raise spend_per_day to use it further.` },
  ]
}
