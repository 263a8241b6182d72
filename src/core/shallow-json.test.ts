import { expect, test } from 'vitest'
import { parseShallow } from './shallow-json.ts'

const parsed = (text: string): unknown => parseShallow(Buffer.from(text))

test('a document is parsed, whatever stands in its texts', () => {
  const document = { data: [{ id: '[[[{{{"\\' }, { id: 'a,b' }], more: null }
  expect(parsed(JSON.stringify(document))).toEqual(document)
  expect(parsed('\uFEFF[1]')).toEqual([1])
})

// from: agentrust-io/cmcp#147, where brackets in a body end the process before a key is checked.
test.for([
  ['brackets', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ['objects', '{"a":'.repeat(300_000) + '1' + '}'.repeat(300_000)],
  ['values', `[${'1,'.repeat(900_000)}1]`],
  ['brackets that are never closed', '['.repeat(1_000_000)],
] as const)('%s beyond what any list has are refused before they are parsed', ([, text]) => {
  expect(() => parsed(text)).toThrow(/It (?:is nested|has) more than/)
})
