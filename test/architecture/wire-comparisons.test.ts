import { expect, test } from 'vitest'
import { printed, readSources } from './source-files.ts'
import { checkWireComparisons } from './wire-comparisons.ts'

const sources = [...(await readSources('src', /\.tsx?$/)), ...(await readSources('console', /\.tsx?$/))].filter(
  ({ path }) => !/\.test\.tsx?$/.test(path),
)

test('no source asks for a wire, a family or an upstream protocol by its name', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(printed(sources.flatMap(checkWireComparisons))).toEqual([])
})

test.for([
  [`if (wire === 'gemini') go()`, 'gemini'],
  [`if ('openai-chat' !== wire) go()`, 'openai-chat'],
  [`const a = family == 'anthropic' ? 1 : 2`, 'anthropic'],
  [`switch (protocol) { case 'demo': go() }`, 'demo'],
] as const)('%s is reported', ([text, name]) => {
  expect(printed(checkWireComparisons({ path: 'src/gateway/a.ts', text }))).toEqual([
    `src/gateway/a.ts:1 compares with '${name}': use a table of wires`,
  ])
})

test('a table that names them all is not', () => {
  const text = `const HEADERS: Record<WireFamily, string> = { openai: '', anthropic: '', gemini: '' }`
  expect(checkWireComparisons({ path: 'src/gateway/a.ts', text })).toEqual([])
})
