import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanBody } from './body-scan.ts'

function scan(text: string): ReturnType<typeof scanBody> {
  return scanBody(Buffer.from(text))
}

test('the scan finds what a parser finds, whatever else is in the body', () => {
  const distractors = fc.constantFrom('model', 'stream', 'stream_options', 'include_usage', '"model":"x"', '\\', 'ü"{[')
  const words = fc.oneof(distractors, fc.string())
  const noise = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.boolean(), fc.integer(), words, fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(words, tie('value'), { maxKeys: 4 }),
  }))
  const body = fc.record({
    noise: noise.value,
    model: fc.stringMatching(/^[a-z/?=&0-9.-]{1,30}$/),
    stream: fc.option(fc.boolean(), { nil: undefined }),
    options: fc.option(fc.boolean(), { nil: undefined }),
    indent: fc.constantFrom(0, 1, '\t'),
    modelLast: fc.boolean(),
  })
  fc.assert(
    fc.property(body, ({ noise: inner, model, stream, options, indent, modelLast }) => {
      const switches = {
        stream,
        ...(options === undefined ? {} : { stream_options: { x: [], include_usage: options } }),
      }
      const object = modelLast ? { ...switches, metadata: inner, model } : { model, metadata: inner, ...switches }
      const expected = { model, stream: stream ?? false, includeUsage: options ?? false }
      expect(scan(JSON.stringify(object, null, indent))).toEqual(expected)
    }),
  )
})

test('only the fields at the top level count', () => {
  const text = '{"model":"m","metadata":{"include_usage":true,"stream":true,"model":"x"},"list":[{"stream":true}]}'
  expect(scan(text)).toEqual({ model: 'm', stream: false, includeUsage: false })
})

test.for([
  ['no model', '{"stream":true}'],
  ['a model other than text', '{"model":7}'],
  ['escapes in the model', '{"model":"fake\\/fixed"}'],
  ['a string without end', '{"model":"fake/fixed","x":"'],
  ['a body cut short', '{"model":"fake/fixed"'],
  ['letters beyond ASCII in the model', '{"model":"fäke"}'],
  ['nothing', ''],
] as const)('the scan leaves %s to the parser', ([, text]) => {
  expect(scan(text)).toBeNull()
})
