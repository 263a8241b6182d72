import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonFlaw } from './json-bytes.ts'
import { scanObject } from './json-scan.ts'

const WANTED = new Set(['model', 'stream', 'n'])

function found(text: string): Record<string, string> {
  const bytes = Buffer.from(text)
  const { fields } = scanObject(bytes, { wanted: WANTED })
  return Object.fromEntries([...fields].map(([key, { start, end }]) => [key, bytes.toString('utf8', start, end)]))
}

test.for([
  ['{"model":"a","stream":true}', { model: '"a"', stream: 'true' }],
  ['\uFEFF \r\n{ "model" : "a" , "n":1 }\t\n', { model: '"a"', n: '1' }],
  [String.raw`{"mod\u0065l":"a","\u006e":2}`, { model: '"a"', n: '2' }],
  ['{"x":{"model":"b","y":[{"model":"c"}]},"model":"a"}', { model: '"a"' }],
  [String.raw`{"x":"\"model\":\"b\"\\","model":"a\\\""}`, { model: String.raw`"a\\\""` }],
  ['{"messages":["}]{[\\"}"],"model":"模型"}', { model: '"模型"' }],
  [`{"x":"${'a'.repeat(500)}\\"${'b'.repeat(500)}","n":-1.5e3}`, { n: '-1.5e3' }],
  ['{"n":[1,[2],{"n":3}],"stream":{}}', { n: '[1,[2],{"n":3}]', stream: '{}' }],
  ['{}', {}],
] as const)('finds the top-level fields of %s', ([text, fields]) => {
  expect(found(text)).toEqual(fields)
})

test('reports a wanted key that appears twice, also when it is written in two ways, and reads the last one', () => {
  const scanned = scanObject(Buffer.from('{"n":1,"x":1,"x":2,"\\u006e":22}'), { wanted: WANTED })
  expect(scanned.repeated).toBe('n')
  expect(scanned.fields.get('n')).toEqual({ start: 28, end: 30 })
})

test.for([
  ['', 'expected a JSON object, which begins with { at byte 0, but the body ends there'],
  ['[]', 'expected a JSON object, which begins with { at byte 0, but byte 0 is something else'],
  ['{"a":1', 'expected a , or a } behind the value at byte 6, but the body ends there'],
  ['{"a" 1}', 'expected a : behind the key at byte 5, but byte 5 is something else'],
  ['{a:1}', 'expected a key in double quotes at byte 1, but byte 1 is something else'],
  ['{"a":}', 'expected a value at byte 5, but byte 5 is something else'],
  ['{"a":1,}', 'expected a key in double quotes at byte 7, but byte 7 is something else'],
  ['{"a":"b\\"}', 'the string at byte 5 is never closed'],
  ['{"a":{"b":[1,2}}', 'the bracket at byte 14 does not close the one at byte 10'],
  ['{"a":[[1]', 'the bracket at byte 5 is never closed'],
  ['{"a":1}x', 'there is more behind the JSON object, at byte 7'],
  ['{"\\x":1}', 'the key at byte 1 has an escape that JSON does not know'],
  [`{"a":${'['.repeat(201)}`, 'it is nested deeper than 200 levels'],
] as const)('refuses %s and says where', ([text, message]) => {
  expect(() => scanObject(Buffer.from(text), { wanted: WANTED })).toThrow(new JsonFlaw(message))
})

test('a thousand keys are read and one more is refused', () => {
  const keys = (count: number): Buffer =>
    Buffer.from(`{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join()}}`)
  expect(() => scanObject(keys(1_000), { wanted: WANTED })).not.toThrow()
  expect(() => scanObject(keys(1_001), { wanted: WANTED })).toThrow(/more than 1000 keys/)
})

test('finds what JSON.parse finds, in any object', () => {
  const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 12 })
  fc.assert(
    fc.property(objects, fc.nat(3), (object, indent) => {
      const bytes = Buffer.from(JSON.stringify(object, null, indent))
      const parsed = JSON.parse(bytes.toString()) as Record<string, unknown>
      const ascii = Object.keys(parsed).filter((key) => /^[ -~]*$/.test(key))
      const { fields, repeated } = scanObject(bytes, { wanted: new Set(ascii) })
      expect(repeated).toBeNull()
      for (const key of ascii) {
        const { start, end } = fields.get(key) ?? { start: 0, end: 0 }
        expect(JSON.parse(bytes.toString('utf8', start, end))).toEqual(parsed[key])
      }
    }),
  )
})

test('a string ends at its first quote that is not escaped, at every length and offset', () => {
  const piece = fc.constantFrom('a', '#', ']', '\\\\', '\\"', '\\]', '\\#', '{', '模')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 240 }), fc.nat(8), (pieces, blanks) => {
      const text = `"${pieces.join('')}"`
      const bytes = Buffer.from(`{${' '.repeat(blanks)}"model":${text},"n":1}`)
      const { start, end } = scanObject(bytes, { wanted: WANTED }).fields.get('model') ?? { start: 0, end: 0 }
      expect(bytes.toString('utf8', start, end)).toBe(text)
    }),
    { numRuns: 1_000 },
  )
})

test('the keys above a long string are those that lead to it', () => {
  const long = 'x'.repeat(600)
  const body = Buffer.from(
    `{"a":1,"m":[{"r":"u"},{ "c" : [ {"u":{"b" :\n "${long}"}}, "${long}"]}],"${'k'.repeat(90)}":"${long}"}`,
  )
  const paths: (string[] | null)[] = []
  scanObject(body, { wanted: WANTED, onLongString: (walk, { start }) => paths.push(walk.keysAbove(start)) })
  expect(paths).toEqual([['m', 'c', 'u', 'b'], ['m', 'c'], ['?']])
})

test('a noted field says where the first 16 objects and lists stand that are directly in it', () => {
  const items = [{ a: [{}, '"}]'] }, 'text', 7, [[1], []], ...Array.from({ length: 20 }, (_, i) => ({ i }))]
  const body = Buffer.from(
    `{"other": [{}], "list": ${JSON.stringify(items, null, 1)}, "text": "[{}]", "last": {"a": {}}}`,
  )
  const { noted } = scanObject(body, { wanted: new Set(), noted: new Set(['list', 'text', 'last']) })
  const inside = (name: string) =>
    noted.get(name)?.inside.map(({ start, end }): unknown => JSON.parse(body.toString('utf8', start, end)))
  expect(inside('list')).toEqual(items.filter((item) => typeof item === 'object').slice(0, 16))
  expect(inside('text')).toEqual([])
  expect(inside('last')).toEqual([{}])
  expect(noted.has('other')).toBe(false)
})
