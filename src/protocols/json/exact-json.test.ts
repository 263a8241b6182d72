import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject } from './json-object.ts'
import { textAsObject, writeJson, writtenAs } from './exact-json.ts'
import { parseExactly, parseExactText } from './exact-reader.ts'
import { isAsJavaScriptHasIt, surveyJson } from './json-survey.ts'
import { isWrittenAlike } from './text-survey.ts'

const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '0.50', '1e3', '2E-7', '0.0000001', '0.000001', '123456789012345', '1e400', '-1.5'),
  fc.constantFrom('9007199254740993', '2512292042121000001', '3.14159265358979323846', '100000000000000000000000'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => JSON.stringify(each)),
  fc.integer().map(String),
)
const keys = fc.oneof(fc.constantFrom('a', 'b', '1', '10', '2', '01', '__proto__', 'toString', 'input'), fc.string())
const strings = fc.string({ unit: 'grapheme' }).map((each) => JSON.stringify(each))
const spaces = fc.constantFrom('', ' ', '\n', '\t ')

const { texts: jsonTexts } = fc.letrec<{ texts: string }>((tie) => {
  const members = fc.array(fc.tuple(keys, tie('texts'), spaces), { maxLength: 5 })
  const list = fc.array(fc.tuple(tie('texts'), spaces), { maxLength: 4 })
  return {
    texts: fc.oneof(
      { maxDepth: 4 },
      numbers,
      strings,
      fc.constantFrom('true', 'false', 'null'),
      members.map(
        (all) => `{${all.map(([key, value, space]) => `${space}${JSON.stringify(key)}:${space}${value}`).join(',')}}`,
      ),
      list.map((all) => `[${all.map(([value, space]) => space + value + space).join(',')}]`),
    ),
  }
})
const objects = fc
  .array(fc.tuple(keys, jsonTexts), { maxLength: 6 })
  .map((all) => `{${all.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`)

function squeezed(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

test('whatever JSON is read exactly is written as it came, but for white space', () => {
  fc.assert(
    fc.property(objects, (text) => {
      const read = parseExactText(text, null)
      expect(squeezed(writeJson(() => read))).toBe(squeezed(text))
      expect(squeezed(writeJson(() => ({ within: [read] })))).toBe(`{"within":[${squeezed(text)}]}`)
      expect(isObject(read)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('what is said to be as JavaScript has it, it is; and plain JSON is', () => {
  fc.assert(
    fc.property(objects, (text) => {
      const again = JSON.stringify(JSON.parse(text))
      if (isAsJavaScriptHasIt(Buffer.from(text), null)) expect(again).toBe(squeezed(text))
      if (isWrittenAlike(text, JSON.parse(text))) expect(again).toBe(squeezed(text))
    }),
    { numRuns: 1_000 },
  )
  const plain = '{"a":[1,2.5,-3,{"b":"1.0 \\"x\\": 1e5"}],"c":{"a":true},"d":"12345678901234567890"}'
  expect(isAsJavaScriptHasIt(Buffer.from(plain), null)).toBe(true)
  expect(isWrittenAlike(plain, JSON.parse(plain))).toBe(true)
})

test('only what is below free fields is looked at and kept', () => {
  const free = new Map([
    ['args', 'data'],
    ['schema', 'schema'],
  ] as const)
  const read = (text: string): unknown => parseExactly(Buffer.from(text), free)
  expect(read('{"temperature":1.0,"n":9007199254740993}')).toEqual({ temperature: 1, n: 9_007_199_254_740_992 })
  const text = '{"temperature":1.0,"call":{"args":{"n":1.0,"args":[1e2]}},"x":[{"schema":[2.0]}],"args":"1.0"}'
  expect((read(text) as { temperature: unknown }).temperature).toBe(1)
  expect(writeJson(() => read(text))).toBe(text.replace('1.0', '1'))
  const survey = (json: string): unknown => ({ ...surveyJson(Buffer.from(json), { free, mostValues: 9 }) })
  expect(survey('{"args":"args","b":[1.0,2.0]}')).toMatchObject({ isExact: true, hasMoreValues: false })
  expect(survey('{"args" : {"b":1,"b":2}}')).toMatchObject({ isExact: false, hasMoreValues: false })
  expect(survey('{"schema":{"b":1,"b":2}}')).toMatchObject({ isExact: true, hasMoreValues: false })
  expect(survey('{"schema":{"1":1}}')).toMatchObject({ isExact: false })
  expect(survey('{"args":[1.0,2,3,4,5,6,7,8,9,10]}')).toMatchObject({ hasMoreValues: true })
  expect(survey('[1,2,3,4,5,6,7,8,9,10]')).toMatchObject({ hasMoreValues: true })
})

test('what is not JSON is refused as JSON.parse refuses it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        objects.map((text) => text.slice(0, -1)),
        objects.map((text) => text.replace(/[:,]/, '')),
      ),
      (text) => {
        let wanted: unknown
        try {
          wanted = JSON.parse(text)
        } catch {
          wanted = 'refused'
        }
        if (wanted === 'refused') expect(() => parseExactText(text, null)).toThrow(SyntaxError)
        else expect(JSON.parse(writeJson(() => parseExactText(text, null)))).toEqual(wanted)
      },
    ),
    { numRuns: 500 },
  )
})

test('a text stands where its value stood, once for each, whatever else is written', () => {
  const texts = ['{"a":1.0}', '{"b":[ ]}']
  const within = (): unknown => ({
    list: texts.map((text) => textAsObject(text, JSON.parse)),
    said: '\u007f0 \u007f',
    end: 1,
  })
  expect(writeJson(within)).toBe('{"list":[{"a":1.0},{"b":[ ]}],"said":"\u007f0 \u007f","end":1}')
  expect(within()).toEqual({ list: [{ a: 1 }, { b: [] }], said: '\u007f0 \u007f', end: 1 })
  expect(writeJson(() => ({ x: writeJson(within), y: textAsObject('{"c":2.0}', JSON.parse) }))).toContain(
    '"y":{"c":2.0}',
  )
})

test('an object keeps its text until it is copied with other fields', () => {
  const kept = writtenAs({ a: 1 }, '{"a":1.0}')
  expect(writeJson(() => ({ kept, copied: { ...kept, b: 2 } }))).toBe('{"kept":{"a":1.0},"copied":{"a":1,"b":2}}')
  expect(JSON.stringify(kept)).toBe('{"a":1}')
})

test('text is written in one line and in characters that UTF-8 has', () => {
  const text = '{\r\n"a":"\ud83d x","b":"🍸"\n}'
  expect(writeJson(() => textAsObject(text, JSON.parse))).toBe('{ "a":"\\ud83d x","b":"🍸" }')
})
