import type { ReactNode } from 'react'
import type { IncidentsView } from '../../../../src/contract/incidents.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { hourOptions } from '../../../format/time.ts'
import { dateTimeFormat } from '../../../format/kept-formats.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import { type AxisSpan, inLanes, positionOf } from './timeline-place.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Failures of each hour, incidents as long as they lasted, and changes, one above the other on the same axis. */
export function IncidentTimeline({ view }: { readonly view: IncidentsView }): ReactNode {
  const t = useTexts('incidents')
  const format = useFormat()
  const span = { fromMs: Date.parse(view.from), toMs: Date.parse(view.to) }
  const lanes = inLanes(view.data, span)
  return (
    <div
      role="img"
      aria-label={`${t.timeline}: ${t.summary(view.data.length, view.changes.length)}`}
      className="grid gap-3 text-sm"
    >
      <Lane name={t.lanes.failures} legend={view.hours.length === 0 ? t.noTraffic : <Legend />}>
        <FailedHours view={view} span={span} />
      </Lane>
      <Lane name={t.lanes.incidents}>
        <div className="relative rounded-sm bg-sunken" style={{ height: `${Math.max(1, lanes.length) * 0.875}rem` }}>
          {lanes.flatMap((lane, row) =>
            lane.map((each) => (
              <span
                key={`${each.kind} ${each.upstream} ${each.about} ${each.from}`}
                className="absolute h-2.5 min-w-1 rounded-xs bg-bad forced-color-adjust-none"
                style={{
                  top: `${row * 0.875 + 0.125}rem`,
                  // The shortest mark that there is stays inside, also at the end.
                  left: `min(${positionOf(Date.parse(each.from), span)}%, calc(100% - 0.25rem))`,
                  width: `${positionOf(each.until === null ? span.toMs : Date.parse(each.until), span) - positionOf(Date.parse(each.from), span)}%`,
                }}
              />
            )),
          )}
        </div>
      </Lane>
      <Lane name={t.lanes.changes}>
        <div className="relative h-4 rounded-sm bg-sunken">
          {view.changes.map((each) => (
            <span
              key={each.id}
              title={`${each.action} · ${format.time(each.created_at)}`}
              className="absolute top-0.5 h-3 w-1 -translate-x-1/2 rounded-xs bg-accent forced-color-adjust-none"
              style={{ left: `${positionOf(Date.parse(each.created_at), span)}%` }}
            />
          ))}
        </div>
      </Lane>
      <Ticks span={span} />
    </div>
  )
}

/** Days, or hours of one day, so far apart that they have room on a phone. */
function Ticks({ span: { fromMs, toMs } }: { readonly span: AxisSpan }): ReactNode {
  const { language } = usePreferences()
  const days = Math.round((toMs - fromMs) / DAY_MS)
  const count = days === 1 ? 4 : days === 7 ? 7 : 6
  const phoneStep = count === 7 ? 3 : 2
  const format = dateTimeFormat(
    language,
    days === 1 ? { ...hourOptions(), minute: '2-digit' } : { month: 'short', day: 'numeric' },
  )
  return (
    <div className="relative h-4 text-xs text-ink-3">
      {Array.from({ length: count + 1 }, (_, at) => (
        <span
          key={at}
          className={classNames(
            'absolute whitespace-nowrap',
            at === count ? '-translate-x-full' : at > 0 && '-translate-x-1/2',
            at % phoneStep !== 0 && 'max-sm:hidden',
          )}
          style={{ left: `${(at / count) * 100}%` }}
        >
          {format.format(fromMs + ((toMs - fromMs) * at) / count)}
        </span>
      ))}
    </div>
  )
}

function Lane(props: { readonly name: string; readonly legend?: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <p className="mb-1 flex flex-wrap justify-between gap-x-4 text-ink-2">
        {props.name}
        {props.legend !== undefined && <span className="text-ink-3">{props.legend}</span>}
      </p>
      {props.children}
    </div>
  )
}

function Legend(): ReactNode {
  const t = useTexts('incidents').legend
  return (
    <span className="flex gap-x-3">
      {(['upstream', 'gateway'] as const).map((each) => (
        <span key={each} className="inline-flex items-center gap-1.5">
          <span className={`size-2 rounded-xs forced-color-adjust-none ${COLOURS[each]}`} />
          {t[each]}
        </span>
      ))}
    </span>
  )
}

const COLOURS = { upstream: 'bg-bad', gateway: 'bg-brass' } as const

type Hour = IncidentsView['hours'][number]

/** The share of each hour's requests that failed, from the ground up. */
function FailedHours({ view, span }: { readonly view: IncidentsView; readonly span: AxisSpan }): ReactNode {
  const width = (HOUR_MS / (span.toMs - span.fromMs)) * 100
  return (
    <div className="relative h-24 overflow-hidden rounded-sm border-b border-edge bg-sunken">
      <span className="absolute top-0.5 left-1 text-xs text-ink-3">100%</span>
      {view.hours
        .filter(({ failed }) => failed.upstream + failed.gateway > 0)
        .map((hour) => (
          <FailedHour key={hour.at} hour={hour} left={positionOf(Date.parse(hour.at), span)} width={width} />
        ))}
    </div>
  )
}

function FailedHour(props: { readonly hour: Hour; readonly left: number; readonly width: number }): ReactNode {
  const t = useTexts('incidents')
  const format = useFormat()
  const { hour, left, width } = props
  const { upstream, gateway } = hour.failed
  const share = (count: number): string => `${Math.max(count === 0 ? 0 : 3, (count / hour.requests) * 100)}%`
  const said = t.hour(format.time(hour.at), format.number(upstream + gateway), format.number(hour.requests))
  return (
    <span
      title={said}
      className="absolute bottom-0 flex h-full min-w-px flex-col justify-end"
      style={{ left: `${left}%`, width: `${width}%` }}
    >
      <span className={`forced-color-adjust-none ${COLOURS.gateway}`} style={{ height: share(gateway) }} />
      <span className={`forced-color-adjust-none ${COLOURS.upstream}`} style={{ height: share(upstream) }} />
    </span>
  )
}
