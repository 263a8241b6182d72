import type { ReactNode } from 'react'
import type { RouteAnswer } from '../../../src/contract/route.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useFormat } from '../../format/use-format.ts'
import { formatMultiplier } from '../../format/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { FaultCode } from '../../ui/fault-code.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useNow } from '../../ui/use-now.ts'

/** What would come of a request: refused and why, or sent, with every target in the order of calls. */
export function ExplainedRoute({ route }: { readonly route: RouteAnswer }): ReactNode {
  const t = useTexts('diagnose').explain
  const r = useTexts('record')
  const format = useFormat()
  const faults = useTexts('faults')
  const { fault, group, multiplier, candidates } = route
  const page = fault === null ? undefined : faultTextOf(faults, fault)
  return (
    <>
      {fault !== null ? (
        <Notice tone="bad" title={t.refused(page?.title ?? fault)}>
          <p>{page?.remedy ?? route.detail}</p>
          <p className="mt-2">
            <FaultCode code={fault} />
          </p>
        </Notice>
      ) : (
        group !== null && <Notice tone="good" title={t.goes(group, formatMultiplier(multiplier ?? '1'))} />
      )}
      <RouteLimits limits={route.limits} />
      <h3 className="font-medium">{t.targets}</h3>
      {candidates.length === 0 ? (
        <p className="text-ink-2">{t.noTargets}</p>
      ) : (
        <ol aria-label={t.targets} className="grid gap-2">
          {candidates.map((each, index) => (
            <li
              key={index}
              className="grid gap-x-4 gap-y-0.5 rounded-lg border border-line px-3 py-2.5 sm:grid-cols-[2rem_minmax(0,1fr)_minmax(0,1fr)]"
            >
              <span className="text-ink-3" title={t.attempt}>
                {each.attempt ?? '–'}
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium">{r.upstream(each.upstream)}</span>
                {each.model !== null && <span className="block font-mono text-sm text-ink-2">{each.model}</span>}
              </span>
              <span className="min-w-0">
                {each.wait_ms === null ? r.routeReasons[each.reason] : t.waits(format.duration(each.wait_ms))}
                {each.wait_ms === null && each.rest_seconds !== null && (
                  <span className="text-ink-3"> {r.routeRest(each.rest_seconds)}</span>
                )}
                {each.why !== null && <span className="block text-sm text-ink-2">{r.obstacle(each.why, null)}</span>}
                {each.hedge && <Badge>{t.hedge}</Badge>}
                {each.shadow.length > 0 && (
                  <span className="block text-sm text-ink-2">
                    {r.routeShadow(each.shadow.map((rule) => r.shadowRules[rule]))}
                  </span>
                )}
                {each.learned.map(({ setting, value, refused_at: at, said }) => (
                  <span key={`${setting} ${value}`} className="block text-sm [overflow-wrap:anywhere] text-ink-2">
                    {r.routeLearned(value === null ? setting : `${setting} ${value}`)}{' '}
                    <span className="text-ink-3">{r.routeLearnedSaid(format.time(at), said)}</span>
                  </span>
                ))}
                <span className="block text-sm text-ink-3">
                  {[
                    t.order(each.priority, each.weight),
                    each.group === null ? '' : `${each.group} ${formatMultiplier(each.multiplier ?? '1')}`,
                  ]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** How much of each limit by the minute is used now; those that are used up would refuse the request. */
function RouteLimits({ limits }: Pick<RouteAnswer, 'limits'>): ReactNode {
  const t = useTexts('diagnose').explain
  const k = useTexts('key').detail
  const format = useFormat()
  const nowMs = useNow()
  if (limits.length === 0) return null
  return (
    <>
      <h3 className="font-medium">{t.limits}</h3>
      <ul aria-label={t.limits} className="grid gap-1">
        {limits.map(({ of, type, used, limit, resets_at: resetsAt }) => (
          <li key={`${of} ${type}`} className="flex flex-wrap gap-x-3">
            <span>{t.limitOf[of](k.counted[type])}</span>
            <span className={used >= limit ? 'text-bad' : 'text-ink-2'}>
              {k.of(format.number(used), format.number(limit))}
            </span>
            {resetsAt !== null && <span className="text-ink-3">{k.resets(format.relative(resetsAt, nowMs))}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
