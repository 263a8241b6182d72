/** What a person reads while the bench runs. */
import { type Bar, comparedIn, cpuReader } from './bars.ts'
import type { Machine } from './machine/describe.ts'
import type { Books } from './measure/books.ts'
import {
  chunkDelayP50Ms,
  chunkDelayP99Ms,
  cpuUsPerEvent,
  cpuUsPerRequest,
  differenceOf,
  figureOf,
  p50Ms,
  p99Ms,
  ratioOf,
  type Figure,
  type Reader,
} from './measure/figures.ts'
import { FOREIGN_LIMIT, type Series, foreignIn } from './measure/series.ts'
import type { MemoryUse } from './measure/memory.ts'
import type { SubjectName, Workload } from './workloads.ts'
import { writeNumber, writePercent, writeTable } from '../table.ts'

export function writeMachine(machine: Machine): string {
  const { cpu, cores, memoryGb, linux, dataOn, node, nginx } = machine
  return `${cpu}, ${cores} cores, ${memoryGb} GB, Linux ${linux}; Node ${node}, nginx ${nginx}; database on ${dataOn}`
}

/** One workload: a line for each subject, the ratios, and what to know before believing them. */
export function writeSeries(series: Series): string {
  const { workload, turns, disturbed, loudest, failed } = series
  const head = `${workload.name}: ${workload.title}`
  const left = failed.map(({ name, reason }) => `  ${name} is left out: ${reason.split('\n')[0] ?? ''}`)
  if (turns.length === 0) return [head, writeNotTaken(disturbed, loudest), ...left].join('\n')
  const columns = columnsOf(workload)
  const rows = series.subjects.map((name) => [name, ...columns.map((column) => cell(series, name, column))])
  const notes = [
    `${turns.length} turns; at most ${writePercent(Math.max(...turns.map(foreignIn)))} of the cores used by anything else`,
    ...(disturbed > 0 ? [`${disturbed} disturbed turns left out, with up to ${writePercent(loudest)}`] : []),
  ]
  const table = writeTable(['', ...columns.map(({ title }) => title)], rows)
  return [head, table, ...writeComparisons(series), ...left, `  (${notes.join('; ')})`].join('\n')
}

function writeNotTaken(disturbed: number, loudest: number): string {
  return (
    `  NOT TAKEN: in ${disturbed} turns something else used up to ${writePercent(loudest)} of the cores, ` +
    `and ${writePercent(FOREIGN_LIMIT)} is the most. Measure again on a calm machine`
  )
}

export function writeBars(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, figure, limit, goal, unit, met, atLeast = false }) => [
    name,
    figure === null ? 'not taken' : `${writeFigure(figure)} ${unit}`,
    limit === null ? '' : `<= ${limit} ${unit}`,
    limit === null ? 'no bar' : met ? 'met' : 'MISSED',
    goal === null ? '' : `${atLeast ? '>=' : '<='} ${goal} ${unit}`,
    goal === null || figure === null ? '' : writeGoal(figure.median, { goal, atLeast }),
  ])
  return writeTable(['bar', 'measured', 'allowed', '', 'goal', ''], rows)
}

function writeGoal(median: number, { goal, atLeast }: { goal: number; atLeast: boolean }): string {
  if (atLeast) return median >= goal ? 'reached' : 'BELOW'
  return median <= goal ? 'reached' : 'OVER'
}

/** Memory of each subject that has a process. */
export function writeMemory(memory: readonly MemoryUse[]): string {
  const cellOf = (mb: number | null): string => (mb === null ? '-' : writeNumber(mb))
  const rows = memory.map(({ name, idleMb, mostMb, afterMb }) => [name, ...[idleMb, mostMb, afterMb].map(cellOf)])
  return writeTable(['memory in MB', 'idle', 'at most, after a round', '30 s after the loads'], rows)
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
  { title: 'cores used', read: (round) => round.busy, ofDirect: false, write: writePercent },
  { title: 'MB', read: (round) => round.residentMb, ofDirect: false, write: writeNumber },
]

const STREAM_COLUMNS: readonly Column[] = [
  { title: 'µs/chunk', read: cpuUsPerEvent, ofDirect: false, write: writeNumber },
  { title: 'chunks/read', read: (round) => round.eventsPerRead, ofDirect: true, write: writeNumber },
]

const STAMP_COLUMNS: readonly Column[] = [
  { title: 'delay p50 ms', read: chunkDelayP50Ms, ofDirect: true, write: writeNumber },
  { title: 'delay p99 ms', read: chunkDelayP99Ms, ofDirect: true, write: writeNumber },
]

function columnsOf({ stream, isStamped }: Workload): readonly Column[] {
  const ofStreams = [...(stream ? STREAM_COLUMNS : []), ...(isStamped ? STAMP_COLUMNS : [])]
  return [...COLUMNS.slice(0, 1), ...ofStreams, ...COLUMNS.slice(1)]
}

function cell(series: Series, subject: SubjectName, { read, ofDirect, write }: Column): string {
  if (subject === 'direct' && !ofDirect) return '-'
  return write(figureOf(series, subject, read).median)
}

function writeComparisons(series: Series): string[] {
  const { workload, subjects } = series
  const read = cpuReader(workload)
  const [of, to] = comparedIn(workload)
  const ratio = (one: SubjectName, other: SubjectName): string =>
    `  ${one}: CPU = ${writeFigure(ratioOf(series, [one, other], read))} × ${other}'s`
  const lines = [ratio(of, to)]
  if (of === 'translating') {
    const unit = workload.stream ? 'chunk' : 'request'
    lines.push(`  translating adds ${writeFigure(differenceOf(series, [of, to], read))} µs of CPU per ${unit}`)
  }
  for (const name of subjects) {
    if (name === 'warm') lines.push(ratio('warm', 'nginx'), ratio('gateway', 'warm'))
    if (name === 'beside') lines.push(ratio('beside', 'nginx'), ratio('gateway', 'beside'))
    if (name.startsWith('peer ')) lines.push(ratio(name, 'nginx'))
  }
  return subjects.includes('direct') ? [...lines, ...writeAdded(series)] : lines
}

/** What each adds to the time that a request takes without it. */
function writeAdded(series: Series): string[] {
  const added = (read: Reader): string =>
    series.subjects
      .filter((name) => name !== 'direct')
      .map((name) => `${writeFigure(differenceOf(series, [name, 'direct'], read))} ms by ${name}`)
      .join(', ')
  return [`  added to the p50: ${added(p50Ms)}`, `  added to the p99: ${added(p99Ms)}`]
}

function writeFigure({ median, low, high }: Figure): string {
  return `${writeNumber(median)} (${writeNumber(low)}-${writeNumber(high)})`
}
