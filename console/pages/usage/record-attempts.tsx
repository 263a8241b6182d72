import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { SaidAdvice } from '../faults/said-advice.tsx'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { classNames } from '../../ui/class-names.ts'
import { attemptTimes, stepTimes, type TimedStep } from './attempt-times.ts'
import { RecordPart } from './record-part.tsx'
import { tokensPerSecond } from './record-texts.ts'

/** What the parts of the way look like; their names and times stand below. With forced colours they keep theirs. */
const STEP_LOOKS: Readonly<Record<TimedStep, string>> = {
  queue: 'bg-ink-3 forced-color-adjust-none',
  earlier: 'bg-bad forced-color-adjust-none',
  connect: 'bg-brass forced-color-adjust-none',
  wait: 'bg-edge forced-color-adjust-none',
  answer: 'bg-accent forced-color-adjust-none',
}

const TONES = {
  good: { text: 'text-good', bar: 'bg-accent' },
  bad: { text: 'text-bad', bar: 'bg-bad' },
  hedgedAway: { text: 'text-ink-2', bar: 'bg-ink-3' },
} as const

/** What was tried, when, and how long each try took. */
export function RecordAttempts({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const faults = useTexts('faults')
  const format = useFormat()
  const times = attemptTimes(record)
  const firstMs = record.first_byte_ms
  const speed = tokensPerSecond(record)
  const steps = stepTimes(record)
  const figures = [
    ...steps.map(({ step, ms }) => ({ label: r.steps[step], ms, look: STEP_LOOKS[step] })),
    ...(firstMs === null ? [] : [{ label: r.untilFirstByte, ms: firstMs, look: null }]),
    { label: r.inAll, ms: record.total_ms, look: null },
  ]
  if (record.attempts.length === 0 && record.route.length === 0) return null
  return (
    <RecordPart title={r.attempts}>
      {record.attempts.length === 0 ? (
        <p className="text-ink-2">{r.noAttempts}</p>
      ) : (
        <ol className="grid gap-3">
          {record.attempts.map((attempt, index) => {
            const { fault, hedged_away: isHedgedAway } = attempt
            const well = isHedgedAway ? r.attemptHedgedAway : r.attemptOk
            const said = fault === null ? well : (faultTextOf(faults, fault)?.title ?? fault)
            const tone = isHedgedAway ? TONES.hedgedAway : fault === null ? TONES.good : TONES.bad
            const time = times[index] ?? { start: 0, length: 0 }
            return (
              <li key={index}>
                <div className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{r.attempt(index + 1, r.upstream(attempt.upstream))}</span>
                  {attempt.model !== null && <code className="font-mono text-sm text-ink-2">{attempt.model}</code>}
                  <span className={tone.text}>{said}</span>
                  <span className="text-sm text-ink-3">{attempt.status !== null && `HTTP ${attempt.status}`}</span>
                  <span className="ml-auto">{format.duration(attempt.total_ms)}</span>
                </div>
                {attempt.left_out.length > 0 && (
                  <p className="text-sm text-ink-2">{r.attemptLeftOut(format.list(attempt.left_out))}</p>
                )}
                {attempt.refused_settings.length > 0 && (
                  <p className="text-sm text-ink-2">
                    {r.attemptRefusedSettings(format.list(attempt.refused_settings))}
                  </p>
                )}
                {attempt.why !== null && (
                  <p className="text-sm [overflow-wrap:anywhere] text-ink-2">
                    {r.obstacle(attempt.why, attempt.redirects_to)}
                  </p>
                )}
                {attempt.said !== null && (
                  <p className="text-sm [overflow-wrap:anywhere] text-ink-2">
                    {r.providerSaid(attempt.said)} <SaidAdvice said={attempt.said} />
                  </p>
                )}
                {attempt.upstream_request_id !== null && (
                  <p className="text-sm [overflow-wrap:anywhere] text-ink-3">
                    {r.providerRequestId} <code className="font-mono select-all">{attempt.upstream_request_id}</code>
                  </p>
                )}
                <div
                  aria-hidden="true"
                  className="relative mt-1 h-1.5 rounded-full bg-line forced-colors:outline-1 forced-colors:outline-[CanvasText]"
                >
                  <div
                    className={classNames('absolute inset-y-0 min-w-1 rounded-full forced-color-adjust-none', tone.bar)}
                    style={{ left: `${Math.min(98, time.start * 100)}%`, width: `${time.length * 100}%` }}
                  />
                  {firstMs !== null && index === times.length - 1 && (
                    // The first byte, which the last attempt brought.
                    <div
                      className="absolute -inset-y-1 w-0.5 rounded-full bg-ink forced-color-adjust-none forced-colors:bg-[CanvasText]"
                      style={{ left: `${Math.min(99, (firstMs * 100) / Math.max(1, record.total_ms))}%` }}
                    />
                  )}
                </div>
              </li>
            )
          })}
        </ol>
      )}
      <RecordRoute record={record} />
      {steps.length > 0 && (
        <div aria-hidden="true" className="mt-4 flex h-2 gap-px">
          {steps
            .filter(({ ms }) => ms > 0)
            .map(({ step, ms }) => (
              <div key={step} className={classNames('min-w-1 rounded-xs', STEP_LOOKS[step])} style={{ flexGrow: ms }} />
            ))}
        </div>
      )}
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
        {figures.map(({ label, ms, look }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="flex items-center gap-1.5 text-sm text-ink-3">
              {look !== null && <span aria-hidden="true" className={classNames('size-2 shrink-0 rounded-xs', look)} />}
              {label}
            </dt>
            <dd className="text-lg font-semibold">{format.duration(ms)}</dd>
          </div>
        ))}
        {speed !== null && (
          <div className="flex flex-col-reverse">
            <dt className="text-sm text-ink-3">{r.speed}</dt>
            <dd className="text-lg font-semibold">{r.perSecond(format.number(Math.round(speed)))}</dd>
          </div>
        )}
      </dl>
    </RecordPart>
  )
}

/** The targets that were taken or skipped, and why; nothing where the only one was simply asked. */
function RecordRoute({ record }: { readonly record: UsageRecordView }): ReactNode {
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
