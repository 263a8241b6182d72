import type { Format } from '../../format/use-format.ts'
import { usdOf } from '../../format/decimal.ts'
import { dateTimeFormat } from '../../format/kept-formats.ts'
import { hourOptions, type HourCycle } from '../../format/time.ts'
import type { UsageSeries } from './buckets.ts'
import type { BucketSize } from './span.ts'
import type { Measure, Split } from './usage-search.ts'
import type { PageTexts } from '../../dictionaries/page-texts.ts'

const HALF_DAY_MS = 43_200_000

/** A measured figure as people read it. */
export function figureText(value: bigint, measure: Measure, format: Format): string {
  if (measure === 'cost') return format.money(usdOf(value))
  return measure === 'tokens' ? format.compact(Number(value)) : format.number(Number(value))
}

/** What a series is called. */
function seriesName(series: UsageSeries, split: Split, t: PageTexts['usage']): string {
  if (series.isRest) return t.rest
  if (series.id === null || series.id === '') return t.withoutName[split]
  return series.name ?? series.id
}

/** The names of series; keys of the same name have the end of their secrets behind or, where they are gone, of their ids. */
export function seriesNames(all: readonly UsageSeries[], split: Split, t: PageTexts['usage']): readonly string[] {
  const names = all.map((series) => seriesName(series, split, t))
  return names.map((name, index) => {
    const id = all[index]?.id ?? ''
    const end = all[index]?.end ?? id.slice(-4)
    const isAlone = names.indexOf(name) === names.lastIndexOf(name)
    return isAlone || id === '' ? name : `${name} (…${end})`
  })
}

export interface BucketNames {
  /** Short, for the axis. */
  readonly label: string
  readonly name: string
  /** The hour of the reader's calendar, or the day, counted on: labels stand at multiples. */
  readonly place: number
}

/** How buckets are called in the reader's language and zone. A day is named by its noon, whatever its first hour is. */
export function bucketNames(
  starts: readonly number[],
  how: {
    readonly by: BucketSize
    readonly language: string
    readonly timeZone: string
    readonly hourCycle?: HourCycle
  },
): readonly BucketNames[] {
  const { timeZone, language } = how
  const day = dateTimeFormat(language, { timeZone, month: 'short', day: 'numeric' })
  if (how.by === 'day') {
    const full = dateTimeFormat(language, { timeZone, weekday: 'short', month: 'long', day: 'numeric' })
    return starts.map((ms, index) => ({
      label: day.format(ms + HALF_DAY_MS),
      name: full.format(ms + HALF_DAY_MS),
      // Counted from the last, so that today has its label.
      place: starts.length - 1 - index,
    }))
  }
  const time = dateTimeFormat(language, { timeZone, ...hourOptions(how.hourCycle), minute: '2-digit' })
  const hour = dateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' })
  const full = dateTimeFormat(language, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...hourOptions(how.hourCycle),
    minute: '2-digit',
  })
  let midnights = 0
  return starts.map((ms) => {
    const ofDay = Number(hour.format(ms)) % 24
    if (ofDay === 0) midnights += 1
    return {
      label: ofDay === 0 ? day.format(ms) : time.format(ms),
      name: full.format(ms),
      place: midnights * 24 + ofDay,
    }
  })
}
