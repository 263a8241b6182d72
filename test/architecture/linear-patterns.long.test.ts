import { describe, expect, test } from 'vitest'
import { presentedSecret } from '../../src/gateway/callers/caller.ts'
import { familyOfPath, recognise } from '../../src/gateway/arrival/paths.ts'
import { CREDENTIAL_LIMIT_CHARACTERS } from '../../src/core/limits.ts'
import { diagnose } from '../../src/access/key-secret.ts'
import { ABOUT_LINEAR, growthOf } from '../support/growth.ts'
import { readSources } from './source-files.ts'
import { parse } from './syntax-tree.ts'

/**
 * Patterns that read what a stranger sent: headers, paths and bodies, before anything is known of who sent them. One that goes
 * back over a long run takes the square of its length, and stops all requests meanwhile.
 */
const READS_STRANGERS =
  /^src\/(?:access|app\/server|contract|control\/(?:api|sign-in|who)|core|gateway|protocols\/reading)\//

/** What they read are figures of our own, and an admin's base URLs. */
const READS_OTHERS = ['src/core/money.ts', 'src/core/upstream-protocol.ts']

/** The most that Node takes of headers. */
const MOST_CHARACTERS = 16_000
/** A pattern that looks at each character once takes less by far; the square of that many takes ten times as long. */
const SUSPECT_MS = 8

const patterns = await patternsOf(READS_STRANGERS)

test('the patterns that read strangers were found', () => {
  expect(patterns.length).toBeGreaterThan(50)
})

test('no pattern that reads what strangers send takes longer for a character the more of it there are', () => {
  const found = patterns.flatMap(({ where, pattern }) =>
    runsFor(pattern)
      .filter((run) => isBeyondItsLength(pattern, run))
      .map(({ before, filler, after }) => `${where} ${String(pattern)} on ${JSON.stringify([before, filler, after])}`),
  )
  expect(found).toEqual([])
}, 120_000)

test.for([
  [/["']+$/, '"', 'x', true],
  [/^\s*(?:bearer)?\s*$/i, '\u00a0', 'x', true],
  [/^[a-z]+$/, 'a', '\u0001', false],
] as const)('%s is found to go back over a run of its characters: %s', ([pattern, filler, after, isFound]) => {
  const runs = runsFor(pattern).filter((run) => isBeyondItsLength(pattern, run))
  expect(runs.some((run) => run.filler === filler && run.after === after)).toBe(isFound)
})

describe('a header or a path of 16 KB takes no more for a character than a short one', () => {
  const fillers = [
    '\u00a0',
    ' ',
    '"',
    '!',
    'a',
    '/',
    '-',
    '.',
    ':',
    '=',
    '%',
    '{',
    '*',
    '\u00ff',
    '/v1',
    'api-',
    'sk-tg-',
  ]
  const ends = ['', 'x', '\u0001']
  const credentials = ['', 'Bearer ', 'Bearer a', 'Bearer "'].flatMap((start) =>
    fillers.flatMap((filler) => ends.map((end) => [start, filler, end] as const)),
  )

  test('as a credential', () => {
    const look = ([start, filler, end]: (typeof credentials)[number], size: number) => {
      const secret = presentedSecret({ authorization: start + filler.repeat(size / filler.length) + end })
      // No longer one is looked at.
      if (secret !== null && secret.length <= CREDENTIAL_LIMIT_CHARACTERS) diagnose(secret)
    }
    expect(credentials.filter((each) => isDear((size) => look(each, size)))).toEqual([])
  })

  test('as a path', () => {
    const paths = ['/', '/v1/', '/v1/responses/', '/v1beta/models/', '/models/a:generateContent/'].flatMap((start) =>
      fillers.flatMap((filler) => ends.map((end) => [start, filler, end] as const)),
    )
    const look = ([start, filler, end]: (typeof paths)[number], size: number) => {
      const path = start + filler.repeat(size / filler.length) + end
      try {
        recognise('POST', path, 'http://here')
      } catch {
        familyOfPath(path, false)
      }
    }
    expect(paths.filter((each) => isDear((size) => look(each, size)))).toEqual([])
  })
})

function isDear(work: (size: number) => void): boolean {
  // Looked at twice, since collecting garbage, or other work of the machine, may fall into either.
  const isSuspect = () => msOf(() => work(MOST_CHARACTERS)) > SUSPECT_MS && growthOf(work, SIZES) > ABOUT_LINEAR
  return isSuspect() && isSuspect()
}

interface Run {
  readonly before: string
  readonly filler: string
  readonly after: string
}

const SIZES = { few: 1_000, many: MOST_CHARACTERS }

/** Long runs of each of a pattern's own characters, behind how it begins and before what it does not expect. */
function runsFor(pattern: RegExp): Run[] {
  const { source } = pattern
  // Of letters those that may repeat: all others come once.
  const own = source.replace(/\\[a-zA-Z]/g, '').match(/[^a-zA-Z0-9\\^$()]|[a-zA-Z0-9](?=[+*{])/g) ?? []
  const fillers = [...own, ' ', '\u00a0', 'a', '0', '-', '!']
  const start = /^\^?((?:\\?[/.:{}$"'-]|[\w ;,=])*)/.exec(source)?.[1] ?? ''
  const befores = new Set(['', 'a', start.replaceAll('\\', ''), start.replaceAll('\\', '').slice(0, -1)])
  return [...new Set(fillers)].flatMap((filler) =>
    [...befores].flatMap((before) => ['\u0001', 'x'].map((after) => ({ before, filler, after }))),
  )
}

function isBeyondItsLength(pattern: RegExp, run: Run): boolean {
  return isDear((size) => search(pattern, run, size))
}

function search(pattern: RegExp, { before, filler, after }: Run, size: number): void {
  pattern.lastIndex = 0
  pattern.test(before + filler.repeat(size) + after)
}

function msOf(work: () => void): number {
  const before = performance.now()
  work()
  return performance.now() - before
}

async function patternsOf(paths: RegExp): Promise<{ where: string; pattern: RegExp }[]> {
  const files = (await readSources('src', /\.ts$/))
    .filter(({ path }) => paths.test(path) && !path.endsWith('.test.ts'))
    .filter(({ path }) => !READS_OTHERS.includes(path))
  return files.flatMap((file) => {
    const tree = parse(file)
    return [...tree.nodes()].flatMap((node) => {
      const regex = node.type === 'Literal' ? node['regex'] : undefined
      if (!isRegex(regex)) return []
      return [{ where: `${file.path}:${tree.lineOf(node.start)}`, pattern: new RegExp(regex.pattern, regex.flags) }]
    })
  })
}

function isRegex(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value
}
