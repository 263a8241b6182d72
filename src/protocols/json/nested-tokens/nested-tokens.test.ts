import { expect, test } from 'vitest'
import { inSuite } from '../../../../test/support/run/suite.ts'
import { JsonFlaw } from '../json-bytes.ts'
import { JsonWalk, type ScanOptions } from '../json-walk.ts'
import { nestedTokensOf, type NameFilter, signOf, SIGNS } from './nested-tokens.ts'

const RUNS = inSuite({ long: 1_000_000, short: 1_500 })
/** Another one in each run of the long suite. */
const SEED = inSuite({ long: Date.now(), short: 20_261_130 })

/** Numbers from 0 to below 1, the same for each seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const CONTENTS = [
  '',
  'x',
  'type',
  'tools',
  'text',
  '\\"',
  '\\\\',
  '\\u00e9',
  'é',
  '{',
  '}]',
  '":',
  ', "',
  '\\\\\\"',
  'ſpeed_limit',
]
const NAMES = [
  'type',
  'name',
  'url',
  'text',
  'file_id',
  'fil\\u0065_id',
  'content',
  'é',
  '',
  'x'.repeat(260),
  'container',
]
const LENGTHS = [0, 1, 2, 3, 8, 20, 62, 64, 250, 300, 511, 512, 600, 1_100, 600, 64, 3, 9, 1, 5_000, 9_000]
const LITERALS = ['1', 'null', 'true', '-1.5e3', '', 'yes', '_']
const BLANKS = ['', '', '', ' ', '\n  ', '\t', ' '.repeat(70)]

/** A text that is often a JSON object: what is nested in it is balanced, and then some of it is damaged. */
function textOf(random: () => number): Buffer {
  const any = <Item>(of: readonly Item[]): Item => of[Math.floor(random() * of.length)] as Item
  const string = (): string => {
    const content = any(CONTENTS)
    return `"${content.repeat(Math.ceil(any(LENGTHS) / Math.max(1, content.length)))}${any(CONTENTS)}"`
  }
  const pieces: string[] = []
  const value = (depth: number): void => {
    const kind = random()
    if (depth > 4 || kind < 0.4) pieces.push(kind < 0.15 ? any(LITERALS) : string())
    else if (kind > 0.995) pieces.push('['.repeat(205), ']'.repeat(205))
    else {
      const isList = kind < 0.6
      pieces.push(isList ? '[' : '{', any(BLANKS))
      for (let left = Math.floor(random() * 4); left > 0; left--) {
        if (!isList) pieces.push(`"${any(NAMES)}"`, any(BLANKS), ':', any(BLANKS))
        value(depth + 1)
        pieces.push(any(BLANKS), left > 1 ? ',' : '', any(BLANKS))
      }
      pieces.push(isList ? ']' : '}')
    }
  }
  pieces.push('{"a":')
  value(0)
  pieces.push(',"list":[')
  for (let left = Math.floor(random() * 6); left > 0; left--) {
    value(1)
    if (left > 1) pieces.push(',')
  }
  pieces.push('],"b":1}')
  const bytes = Buffer.from(pieces.join(''))
  if (random() < 0.4)
    bytes[Math.floor(random() * bytes.length)] = any([0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x59, 0x5f, 0x3a, 0x20, 0x75])
  return random() < 0.1 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
}

const signs = new Uint8Array(SIGNS)
for (const name of ['type', 'file_id', 'container'])
  signs[signOf(name.length, name.charCodeAt(0), name.charCodeAt(name.length - 1))] = 1
const FILTER: NameFilter = { signs, wantsAll: (key) => key === 'a' }

function mustBeShown(name: Buffer): boolean {
  const isOdd = name.some((byte) => byte > 0x7f || byte === 0x5c)
  return (isOdd && name.length >= 7) || ['type', 'file_id', 'container'].includes(name.toString())
}

/** All that a walk shows, which pauses after so many bytes. */
function shownBy(
  bytes: Buffer,
  of: { tokensOf: typeof nestedTokensOf | null; isFiltered: boolean; step: number },
): string {
  const shown: string[] = []
  const options: ScanOptions = {
    wanted: new Set(['a', 'b']),
    noted: new Set(['list']),
    onName: (walk, start, end) => {
      const name = bytes.subarray(start + 1, end - 1)
      if (of.isFiltered && walk.keyAt(0) !== 'a' && !mustBeShown(name)) return
      shown.push(`${walk.depth} ${start} ${end} ${walk.innermost} ${walk.keysAbove(start)?.join('.')}`)
    },
    onLongString: (walk, string) => {
      shown.push(`${walk.depth} ${string.start}-${string.end} ${walk.keysAbove(string.start)?.join('.')}`)
      // It may be taken for one that it is not, and never the reverse.
      const written = bytes.toString('latin1', string.start, string.end)
      const isThere = written.replace(/\\[^u]/gs, '').includes('\\u')
      if (isThere && !walk.hasUnicodeEscape(string)) shown.push('an escape is not seen')
    },
    ...(of.isFiltered ? { names: FILTER } : {}),
  }
  try {
    const walk = new JsonWalk(bytes, options, of.tokensOf)
    let at = -1
    for (let until = of.step; !walk.advance(until); until = walk.at + of.step) {
      if (walk.at <= at) throw new Error(`it stays at ${at}`)
      ;({ at } = walk)
    }
    const { fields, noted, repeated } = walk.found
    return JSON.stringify([[...fields], [...noted], repeated, shown])
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return JSON.stringify([flaw.message, shown])
    throw flaw
  }
}

test('a walk by vectors shows and finds what one byte by byte does, wherever it pauses', () => {
  for (let run = 0; run < RUNS; run++) {
    const random = randomFrom(SEED + run)
    const bytes = textOf(random)
    const isFiltered = random() < 0.5
    const step = random() < 0.5 ? Infinity : 1 + Math.floor(random() * 3_000)
    const byBytes = shownBy(bytes, { tokensOf: null, isFiltered, step: Infinity })
    const tokensOf: typeof nestedTokensOf = (text, openers) => nestedTokensOf(text, openers, 0)
    const byTokens = shownBy(bytes, { tokensOf, isFiltered, step })
    if (byTokens !== byBytes) expect(byTokens, `seed ${SEED + run}, step ${step}`).toBe(byBytes)
  }
})

test('two texts that are walked over in turns do not disturb each other', () => {
  const options: ScanOptions = { wanted: new Set(['a', 'b']), noted: new Set(['list']) }
  for (let run = 0; run < RUNS / 20; run++) {
    const random = randomFrom(SEED - run)
    const walks = [textOf(random), textOf(random)].map((bytes) => ({
      bytes,
      walk: new JsonWalk(bytes, options),
      result: '',
    }))
    const alone = walks.map(({ bytes }) => resultOf(() => new JsonWalk(bytes, options, null).advance(Infinity)))
    for (let left = 1_000; walks.some(({ result }) => result === '') && left > 0; left--) {
      for (const one of walks.filter(({ result }) => result === '')) {
        const result = resultOf(() => one.walk.advance(one.walk.at + 700))
        one.result = result === 'false' ? '' : result
      }
    }
    expect(
      walks.map(({ result }) => result),
      `seed ${SEED - run}`,
    ).toEqual(alone)
  }
})

function resultOf(run: () => boolean): string {
  try {
    return String(run())
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return flaw.message
    throw flaw
  }
}
