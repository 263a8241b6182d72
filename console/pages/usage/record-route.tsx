import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { usageDictionary } from '../../dictionaries/usage.ts'

/** Which targets were taken or skipped, and why; nothing where there was one, which was simply asked. */
export function RecordRoute({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = usageDictionary.useTexts()
  const { route, route_more: more } = record
  const isPlain =
    route.length <= 1 && more === 0 && route[0]?.reason !== 'panic' && (route[0]?.shadow ?? []).length === 0
  if (isPlain && record.attempts.length > 0) return null
  if (route.length === 0) return null
  return (
    <div className="mt-4">
      <h4 className="font-medium">{t.record.route}</h4>
      <ul className="mt-1 grid gap-1 text-sm">
        {route.map((step, index) => (
          <li key={index}>
            {t.record.routeStep(t.upstream(step.upstream), t.routeReasons[step.reason])}
            {step.shadow.length > 0 && (
              <span className="text-ink-2">
                {' · '}
                {t.record.routeShadow(step.shadow.map((rule) => t.shadowRules[rule]))}
              </span>
            )}
            {step.rest_seconds !== null && <span className="text-ink-3"> {t.record.routeRest(step.rest_seconds)}</span>}
          </li>
        ))}
        {more > 0 && <li className="text-ink-2">{t.record.routeMore(more)}</li>}
      </ul>
    </div>
  )
}
