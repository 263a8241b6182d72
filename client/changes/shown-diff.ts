import { shown } from '../gateway/shown.ts'
import type { PreparedFile } from './prepared-file.ts'

const DOTS = '••••••••'
const MOST_LINES = 1_000
/** Lines around a change, by which its place is found. */
const AROUND = 1

/** The change of a file, line by line, with dots in place of secrets. */
export function shownDiff({ path, link, current, after }: PreparedFile): string {
  const place = link === null ? path : `${link} (a link to ${path}, which is changed)`
  if (after === null) return `${place}: deleted\n`
  const rows = diff(linesOf(current ?? ''), linesOf(after))
  const near = rows.map((_, at) =>
    rows.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  const lines = rows.flatMap(({ sign, line }, at) => {
    if (near[at] !== true) return near[at - 1] === true ? ['    …'] : []
    return [`  ${sign} ${shownLine(line)}`]
  })
  return `${place}${current === null ? ' (new)' : ''}\n${lines.join('\n')}\n`
}

interface Row {
  readonly sign: ' ' | '+' | '-'
  readonly line: string
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The shortest way from one list of lines to the other, between what they begin and end with alike. */
function diff(before: readonly string[], after: readonly string[]): readonly Row[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const kept = (lines: readonly string[]): Row[] => lines.map((line) => ({ sign: ' ', line }))
  const middle = between(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  return [...kept(before.slice(0, head)), ...middle, ...kept(before.slice(before.length - tail))]
}

function between(before: readonly string[], after: readonly string[]): readonly Row[] {
  const all = (sign: '+' | '-', lines: readonly string[]): Row[] => lines.map((line) => ({ sign, line }))
  if (before.length * after.length > MOST_LINES ** 2) return [...all('-', before), ...all('+', after)]
  // lengths[i][j]: how many lines the rests from i and j have in common.
  const lengths: number[][] = []
  const common = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    const row: number[] = []
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), row[j + 1] ?? 0)
    }
    lengths[i] = row
  }
  const rows: Row[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const isSame = i < before.length && j < after.length && before[i] === after[j]
    if (isSame) rows.push({ sign: ' ', line: before[i] ?? '' })
    else if (j >= after.length || (i < before.length && common(i + 1, j) >= common(i, j + 1))) {
      rows.push({ sign: '-', line: before[i++] ?? '' })
      continue
    } else {
      rows.push({ sign: '+', line: after[j++] ?? '' })
      continue
    }
    i++
    j++
  }
  return rows
}

/** Names behind which a secret may stand. Those of commands and of variables are not secrets themselves. */
const OF_SECRET =
  /((?:key|token|secret|password|passwd|authorization|credential)s?["']?\s*[:=]\s*["']?)([^\s"',!][^"',\n]*)/gi
const NOT_SECRET = /helper|command|env_?key|ttl/i
const SECRET = /\b(?:sk|pk|rk|tg|xai|gsk|ghp|gho|AIza|Bearer )[\w.-]{12,}/g

/** A line as it may be shown. */
function shownLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0].replaceAll('\t', '  ') ?? ''
  const masked = NOT_SECRET.test(line) ? line : line.replace(OF_SECRET, (_, before: string) => `${before}${DOTS}`)
  return indent + shown(masked.replace(SECRET, DOTS), 300)
}
