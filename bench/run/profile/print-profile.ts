/** The tables of a profile. All times are CPU microseconds per request or per chunk. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeNumber, writePercent, writeTable } from '../../table.ts'
import type { FunctionTime, ThreadTimes } from './cpu-profile.ts'

export interface ThreadProfile {
  readonly label: string
  readonly times: ThreadTimes
  /** CPU time of the thread in the stretch, by the system's count. */
  readonly cpuUs: number
}

export interface PrintOptions {
  /** Requests or chunks in the stretch. */
  readonly units: number
  /** Folder that paths are written relative to. */
  readonly root: string
  readonly isOwn: (url: string) => boolean
  /** Lines of the longest table. */
  readonly top: number
}

const FEWER = 2

/** Files, functions by self time, and our own functions with all that they call. */
export function writeThread({ label, times, cpuUs }: ThreadProfile, options: PrintOptions): string {
  const { units, top } = options
  // Samples count time on the clock: a thread that waits for the core or the disk has a function on its stack, too. So
  // only the shares are taken from them, and a function that waits for the disk gets more than its own.
  const scale = times.busyUs === 0 ? 0 : cpuUs / times.busyUs / units
  const us = (busy: number): string => writeNumber(busy * scale)
  const share = (busy: number): string => writePercent(busy / times.busyUs)
  const where = (one: { readonly url: string; readonly line: number }): string => writePlace(one, options.root)
  const bySelf = [...times.functions].filter((one) => one.selfUs > 0).sort((a, b) => b.selfUs - a.selfUs)
  const own = [...times.functions].filter((one) => options.isOwn(one.url)).sort((a, b) => b.totalUs - a.totalUs)
  return [
    `=== ${label}: ${us(times.busyUs)} µs of CPU, ${writeNumber(times.busyUs / units)} µs on the clock`,
    '',
    leftLast(
      ['self µs', '', 'file or part'],
      byPart(bySelf, options).map(([part, busy]) => [us(busy), share(busy), part]),
      Math.ceil(top / FEWER),
    ),
    '',
    leftLast(
      ['self µs', '', 'total µs', 'function', 'where', 'hottest line', 'mostly for'],
      bySelf.map((one) => [
        us(one.selfUs),
        share(one.selfUs),
        us(one.totalUs),
        nameOf(one),
        where(one),
        one.hottestLine > 0 && one.url !== '' ? String(one.hottestLine) : '',
        options.isOwn(one.url) ? '' : writeOwner(one),
      ]),
      top,
    ),
    '',
    leftLast(
      ['total µs', '', 'self µs', 'our function, with all it calls', 'where'],
      own.map((one) => [us(one.totalUs), share(one.totalUs), us(one.selfUs), nameOf(one), where(one)]),
      top,
    ),
  ].join('\n')
}

/** Numbers first, on the right; text after them, on the left. */
function leftLast(head: readonly string[], rows: readonly (readonly string[])[], most: number): string {
  const firstText = head.findIndex((title, i) => i > 0 && title !== '' && !title.includes('µs'))
  const shown = rows.slice(0, most)
  const widths = head.map((title, i) => Math.max(title.length, ...shown.map((row) => (row[i] ?? '').length)))
  const pad = (row: readonly string[]): string[] => {
    const numbers = row.slice(0, firstText).map((cell, i) => cell.padStart(widths[i] ?? 0))
    const texts = row.slice(firstText).map((cell, i) => cell.padEnd(widths[firstText + i] ?? 0))
    return [[...numbers, ...texts].join('  ')]
  }
  return writeTable(pad(head), shown.map(pad))
}

/** Self time by own file, package, part of Node, or what V8 calls it. */
function byPart(functions: readonly FunctionTime[], { root }: PrintOptions): [string, number][] {
  const parts = new Map<string, number>()
  for (const one of functions) {
    const part = partOf(one, root)
    parts.set(part, (parts.get(part) ?? 0) + one.selfUs)
  }
  return [...parts].sort((a, b) => b[1] - a[1])
}

function partOf({ name, url }: FunctionTime, root: string): string {
  if (url === '') return name.startsWith('(') ? name : 'native functions of Node'
  const path = writePath(url, root)
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\/.*?([^/]+)$/.exec(path)
  return inPackage === null ? path : `${inPackage[1]}: ${inPackage[2]}`
}

function writePlace({ url, line }: { readonly url: string; readonly line: number }, root: string): string {
  return url === '' ? '' : `${writePath(url, root).replace(/^.*node_modules\//, '')}:${line}`
}

function writePath(url: string, root: string): string {
  if (!url.startsWith('file:')) return url
  const path = fileURLToPath(url)
  const short = relative(root, path)
  return short.startsWith('..') ? path.replace(/^.*\//, '') : short
}

function writeOwner({ onBehalfOf, selfUs }: FunctionTime): string {
  const [first] = onBehalfOf
  if (first === undefined) return ''
  const name = first.name || `${first.url.replace(/^.*\//, '')}:${first.line}`
  return `${name} ${writePercent(first.us / selfUs)}`
}

function nameOf({ name }: FunctionTime): string {
  return name === '' ? '(anonymous)' : name
}
