import type { ReactNode } from 'react'
import type { UpstreamHealthView } from '../../../../src/contract/attention.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { hourOptions } from '../../../format/time.ts'
import { dateTimeFormat } from '../../../format/kept-formats.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import { classNames } from '../../../ui/class-names.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { Section } from '../../../ui/section.tsx'

const HOUR_MS = 3_600_000
/** The share of an hour’s requests that may fail while it counts as well. */
const WELL_BELOW = 0.02
const PARTLY_BELOW = 0.25

/** How each upstream answered in the last 24 hours, an hour a bar; what callers got wrong does not count. */
export function HealthStrips({ health }: { readonly health: UpstreamHealthView }): ReactNode {
  const t = useTexts('operations').health
  const format = useFormat()
  return (
    <Section title={t.title} lead={t.lead}>
      {health.data.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul className="grid gap-2">
          {health.data.map(({ upstream, requests, failed }) => {
            const [asked, lost] = [sumOf(requests), sumOf(failed)]
            return (
              <li
                key={upstream ?? ''}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)_9rem]"
              >
                <span className="min-w-0">{upstream === null ? t.before : <CutName text={upstream} />}</span>
                <Strip
                  label={t.strip(upstream ?? t.before, format.number(lost), format.number(asked))}
                  of={{ requests, failed, fromMs: Date.parse(health.from) }}
                />
                <span className="text-right text-sm text-ink-2 max-sm:col-start-2 max-sm:row-start-1">
                  {t.failed(format.number(lost), format.number(asked))}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

/** Colour and height say the same, so that colour is not needed to see it. */
function Strip(props: {
  readonly label: string
  readonly of: { readonly requests: readonly number[]; readonly failed: readonly number[]; readonly fromMs: number }
}): ReactNode {
  const t = useTexts('operations').health
  const format = useFormat()
  const { language } = usePreferences()
  const clock = dateTimeFormat(language, { ...hourOptions(), minute: '2-digit' })
  const { requests, failed, fromMs } = props.of
  return (
    <div role="img" aria-label={props.label} className="flex h-6 items-end gap-0.5 max-sm:col-span-2">
      {requests.map((asked, at) => {
        const lost = failed[at] ?? 0
        const hourAt = fromMs + at * HOUR_MS
        return (
          <span
            key={hourAt}
            title={t.hour(clock.format(hourAt), format.number(lost), format.number(asked))}
            className={classNames('min-w-0 flex-1 rounded-xs forced-color-adjust-none', lookOf(asked, lost))}
          />
        )
      })}
    </div>
  )
}

function lookOf(asked: number, lost: number): string {
  if (asked === 0) return 'h-1/4 bg-line'
  if (lost / asked < WELL_BELOW) return 'h-full bg-good'
  return lost / asked < PARTLY_BELOW ? 'h-3/4 bg-brass' : 'h-1/2 bg-bad'
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
