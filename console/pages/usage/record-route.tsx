import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { useTexts } from '../../dictionaries/texts.ts'

/** The targets that were taken or skipped, and why; nothing where the only one was simply asked. */
export function RecordRoute({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const { route, route_more: more } = record
  const isPlain =
    route.length <= 1 && more === 0 && route[0]?.reason !== 'panic' && (route[0]?.shadow ?? []).length === 0
  if (isPlain && record.attempts.length > 0) return null
  if (route.length === 0) return null
  return (
    <div className="mt-4">
      <h4 className="font-medium">{r.route}</h4>
      <ul className="mt-1 grid gap-1 text-sm">
        {route.map((step, index) => (
          <li key={index}>
            {r.routeStep(r.upstream(step.upstream), r.routeReasons[step.reason])}
            {step.shadow.length > 0 && (
              <span className="text-ink-2">
                {' · '}
                {r.routeShadow(step.shadow.map((rule) => r.shadowRules[rule]))}
              </span>
            )}
            {step.rest_seconds !== null && <span className="text-ink-3"> {r.routeRest(step.rest_seconds)}</span>}
          </li>
        ))}
        {more > 0 && <li className="text-ink-2">{r.routeMore(more)}</li>}
      </ul>
    </div>
  )
}
