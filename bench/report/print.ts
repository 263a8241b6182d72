/** What a person reads while the bench runs. */
import { type Bar, comparedIn } from '../bars.ts'
import type { Machine } from '../machine/describe.ts'
import type { Books } from '../measure/books.ts'
import {
  cpuUsPerEvent,
  cpuUsPerRequest,
  differenceOf,
  figureOf,
  p50Ms,
  p99Ms,
  ratioOf,
  type Figure,
  type Reader,
} from '../measure/figures.ts'
import type { Series } from '../measure/interleave.ts'
import type { SubjectName } from '../subjects/target.ts'
import { writeNumber, writePercent, writeTable } from './table.ts'

export function writeMachine(machine: Machine): string {
  const { cpu, cores, memoryGb, linux, dataOn, node, nginx } = machine
  return `${cpu}, ${cores} cores, ${memoryGb} GB, Linux ${linux}; Node ${node}, nginx ${nginx}; database on ${dataOn}`
}

/** One workload: a line for each subject, the ratios, and what to know before believing them. */
export function writeSeries(series: Series): string {
  const { workload, turns, disturbed, noisy } = series
  const { subjects } = workload
  const columns = workload.stream ? [...COLUMNS.slice(0, 1), ...STREAM_COLUMNS, ...COLUMNS.slice(1)] : COLUMNS
  const rows = subjects.map((name) => [name, ...columns.map((column) => cell(series, name, column))])
  const foreign = Math.max(...turns.flatMap((turn) => Object.values(turn).map((round) => round.foreign)))
  const notes = [
    `${turns.length} turns; at most ${writePercent(foreign)} of the two cores used by anything else`,
    ...(disturbed > 0 && !noisy ? [`${disturbed} disturbed turns left out`] : []),
    ...(noisy ? ['NOISY: too few quiet turns, so the disturbed ones count. Measure again on a quiet machine'] : []),
  ]
  const table = writeTable(['', ...columns.map(({ title }) => title)], rows)
  return [`${workload.name}: ${workload.title}`, table, ...writeComparisons(series), `  (${notes.join('; ')})`].join(
    '\n',
  )
}

export function writeBars(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, figure, limit, unit, met }) => [
    name,
    `${writeFigure(figure)} ${unit}`,
    limit === null ? '' : `<= ${limit} ${unit}`,
    limit === null ? 'no bar' : met ? 'met' : 'MISSED',
  ])
  return writeTable(['bar', 'measured', 'allowed', ''], rows)
}

export function writeBooks({ asked, recorded, askedOfAll, servedByUpstream, agree }: Books): string {
  return (
    `books ${agree ? 'agree' : 'DISAGREE'}: ${asked} requests through the gateway, ${recorded} usage records; ` +
    `${askedOfAll} requests in all, ${servedByUpstream} served by the upstream`
  )
}

interface Column {
  readonly title: string
  readonly read: Reader
  /** False: means nothing where no process is measured. */
  readonly ofDirect: boolean
  readonly write: (value: number) => string
}

const COLUMNS: readonly Column[] = [
  { title: 'CPU µs/request', read: cpuUsPerRequest, ofDirect: false, write: writeNumber },
  { title: 'requests/s', read: (round) => round.requestsPerSecond, ofDirect: true, write: writeNumber },
  { title: 'p50 ms', read: p50Ms, ofDirect: true, write: writeNumber },
  { title: 'p90 ms', read: (round) => round.latency.p90Us / 1000, ofDirect: true, write: writeNumber },
  { title: 'p99 ms', read: p99Ms, ofDirect: true, write: writeNumber },
  { title: 'its core busy', read: (round) => round.busy, ofDirect: false, write: writePercent },
  { title: 'MB', read: (round) => round.residentMb, ofDirect: false, write: writeNumber },
]

const STREAM_COLUMNS: readonly Column[] = [
  { title: 'µs/chunk', read: cpuUsPerEvent, ofDirect: false, write: writeNumber },
  { title: 'chunks/read', read: (round) => round.eventsPerRead, ofDirect: true, write: writeNumber },
]

function cell(series: Series, subject: SubjectName, { read, ofDirect, write }: Column): string {
  if (subject === 'direct' && !ofDirect) return '-'
  return write(figureOf(series, subject, read).median)
}

function writeComparisons(series: Series): string[] {
  const read = series.workload.stream ? cpuUsPerEvent : cpuUsPerRequest
  const compared = comparedIn(series.workload)
  const [of, to] = compared
  const lines = [`  ${of}: CPU = ${writeFigure(ratioOf(series, compared, read))} × ${to}'s`]
  if (of === 'translating') {
    const unit = series.workload.stream ? 'chunk' : 'request'
    lines.push(`  translating adds ${writeFigure(differenceOf(series, compared, read))} µs of CPU per ${unit}`)
  }
  if (series.turns[0]?.direct === undefined) return lines
  const added = (subject: SubjectName): string =>
    `${writeFigure(differenceOf(series, [subject, 'direct'], p50Ms))} ms by ${subject}`
  return [...lines, `  added to the p50: ${added('gateway')}, ${added('nginx')}`]
}

function writeFigure({ median, low, high }: Figure): string {
  return `${writeNumber(median)} (${writeNumber(low)}-${writeNumber(high)})`
}
