import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { faultsDictionary, faultTextOf } from '../../dictionaries/faults.ts'
import { usageDictionary } from '../../dictionaries/usage.ts'
import { useFormat } from '../../format/use-format.ts'
import { classNames } from '../../ui/class-names.ts'
import { attemptTimes } from './attempt-times.ts'
import { RecordPart } from './record-part.tsx'
import { RecordRoute } from './record-route.tsx'
import { tokensPerSecond, waitedMs } from './record-texts.ts'

/** What was tried, when, and how long each try took. */
export function RecordAttempts({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = usageDictionary.useTexts()
  const faults = faultsDictionary.useTexts()
  const format = useFormat()
  const times = attemptTimes(record)
  const firstMs = record.first_byte_ms
  const speed = tokensPerSecond(record)
  const waited = waitedMs(record)
  const figures = [
    ...(record.attempts.length === 0 ? [] : [{ label: t.record.beforeAttempts, ms: waited }]),
    ...(firstMs === null
      ? []
      : [
          { label: t.record.untilFirstByte, ms: firstMs },
          { label: t.record.afterwards, ms: Math.max(0, record.total_ms - firstMs) },
        ]),
    { label: t.record.inAll, ms: record.total_ms },
  ]
  return (
    <RecordPart title={t.record.attempts}>
      {record.attempts.length === 0 ? (
        <p className="text-ink-2">{t.record.noAttempts}</p>
      ) : (
        <ol className="grid gap-3">
          {record.attempts.map((attempt, index) => {
            const said =
              attempt.fault === null ? t.record.attemptOk : (faultTextOf(faults, attempt.fault)?.title ?? attempt.fault)
            const time = times[index] ?? { start: 0, length: 0 }
            return (
              <li key={index}>
                <div className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{t.record.attempt(index + 1, t.upstream(attempt.upstream))}</span>
                  {attempt.model !== null && <code className="font-mono text-sm text-ink-2">{attempt.model}</code>}
                  <span className={attempt.fault === null ? 'text-good' : 'text-bad'}>{said}</span>
                  <span className="text-sm text-ink-3">{attempt.status !== null && `HTTP ${attempt.status}`}</span>
                  <span className="ml-auto">{format.duration(attempt.total_ms)}</span>
                </div>
                <div aria-hidden="true" className="relative mt-1 h-1.5 rounded-full bg-line">
                  <div
                    className={classNames(
                      'absolute inset-y-0 min-w-1 rounded-full',
                      attempt.fault === null ? 'bg-accent' : 'bg-bad',
                    )}
                    style={{ left: `${Math.min(98, time.start * 100)}%`, width: `${time.length * 100}%` }}
                  />
                  {firstMs !== null && index === times.length - 1 && (
                    // The first byte, which the last attempt brought.
                    <div
                      className="absolute -inset-y-1 w-0.5 rounded-full bg-ink"
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
      <dl className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
        {figures.map(({ label, ms }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-sm text-ink-3">{label}</dt>
            <dd className="text-lg font-semibold">{format.duration(ms)}</dd>
          </div>
        ))}
        {speed !== null && (
          <div className="flex flex-col-reverse">
            <dt className="text-sm text-ink-3">{t.record.speed}</dt>
            <dd className="text-lg font-semibold">{t.record.perSecond(format.number(Math.round(speed)))}</dd>
          </div>
        )}
      </dl>
    </RecordPart>
  )
}
