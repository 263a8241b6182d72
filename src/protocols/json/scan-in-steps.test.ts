import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atOnce } from '../../core/turns.ts'
import { BODY_STEP_BYTES } from '../../core/limits.ts'
import { JsonFlaw } from './json-bytes.ts'
import { scanInSteps, scanObject } from './json-scan.ts'
import { JsonWalk, type ScanOptions } from './json-walk.ts'

interface Heard {
  readonly names: string[]
  readonly long: string[]
}

function listening(heard: Heard): ScanOptions {
  return {
    wanted: new Set(['a', 'b']),
    noted: new Set(['list', 'c']),
    onName: (walk, start, end) =>
      heard.names.push(`${walk.depth} ${walk.bytes.toString('utf8', start, end)} ${walk.keysAbove(start)?.join('.')}`),
    onLongString: (_, { start, end }) => heard.long.push(`${start}-${end}`),
  }
}

/** What a walk finds that pauses every few bytes. */
function inSteps(bytes: Buffer, size: number): unknown {
  const heard: Heard = { names: [], long: [] }
  try {
    const walk = new JsonWalk(bytes, listening(heard))
    for (let until = 0; !walk.advance(until); until += size)
      if (until > bytes.length + 2 * size) throw new Error('it does not end')
    return { found: walk.found, heard }
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return flaw.message
    throw flaw
  }
}

const ODD = [
  '{"a":"\\"\\"\\"\\\\","list":[[],{},{"x":"\\\\\\""}],"\\u0062":1e3}',
  `{"a":"${'\\"'.repeat(700)}","c":{"k":["${'x'.repeat(600)}",{"deep":[1,2,[3]]}]}} \n`,
  '{ "a" : [ 1 , 2 ] , "b" : { "k" : null } , "a" : 3 }',
  '{"a":[1,2}',
  '{"a":"open',
  '{"a":1}}',
  '{"a":tru"e"}',
  '﻿{"a":1}',
]

describe('a walk that pauses finds the same as one that does not', () => {
  test.for(ODD)('%s', (text) => {
    const bytes = Buffer.from(text)
    const whole = inSteps(bytes, Infinity)
    for (let size = 1; size < 40; size++) expect(inSteps(bytes, size)).toEqual(whole)
  })

  test('whatever the body is', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(2),
        fc.integer({ min: 1, max: 50 }),
        (body, space, size) => {
          const bytes = Buffer.from(JSON.stringify(body, null, space))
          expect(inSteps(bytes, size)).toEqual(inSteps(bytes, Infinity))
        },
      ),
    )
  })
})

/** Bodies of a few steps that are slow to read, each in its own way. */
const SLOW: Readonly<Record<string, string>> = {
  'escaped quotes': `{"a":"${'\\"'.repeat(4 * BODY_STEP_BYTES)}"}`,
  'escaped quotes in a name': `{"${'\\"'.repeat(4 * BODY_STEP_BYTES)}":1}`,
  numbers: `{"a":[${'1,'.repeat(4 * BODY_STEP_BYTES)}1]}`,
  brackets: `{"a":[${'[],'.repeat(3 * BODY_STEP_BYTES)}1]}`,
  names: `{"a":{${'"k":1,'.repeat(2 * BODY_STEP_BYTES)}"k":1}}`,
  blanks: `{"a":[1${' '.repeat(8 * BODY_STEP_BYTES)}]}`,
}

test.for(Object.entries(SLOW))('no step of a body of %s reads much more than its bytes', ([, text]) => {
  const bytes = Buffer.from(text)
  const walk = scanInSteps(bytes, { wanted: new Set(['a']) })
  let steps = 1
  while (walk.next().done !== true) steps += 1
  expect(steps).toBeGreaterThanOrEqual(Math.floor(bytes.length / BODY_STEP_BYTES))
  expect(atOnce(scanInSteps(bytes, { wanted: new Set(['a']) }))).toEqual(scanObject(bytes, { wanted: new Set(['a']) }))
})

test('blanks between a name and its value are bounded, and around a body they are not', () => {
  const blanks = ' '.repeat(70_000)
  expect(() => scanObject(Buffer.from(`{"a":{"b"${blanks}:1}}`), { wanted: new Set(), onName: () => {} })).toThrow(
    /more than 65536 blanks/,
  )
  expect(() => scanObject(Buffer.from(`${blanks}{"a":1}${blanks}`), { wanted: new Set() })).not.toThrow()
})

test('a key that only looks like another where an escape stands before it is not taken for that one', () => {
  const paths: (string | undefined)[] = []
  const onName: ScanOptions['onName'] = (walk, start) => {
    if (walk.depth > 1) paths.push(walk.keysAbove(start)?.join('.'))
  }
  scanObject(Buffer.from('{"input":[{"x\\"metadata":{"file_id":1}}]}'), { wanted: new Set(), onName })
  expect(paths).toContain('input.?')
})
