import { expect, test } from 'vitest'
import { checkModelNames } from './model-names.ts'
import { printed, readSources } from './source-files.ts'

const sources = await readSources('src', /\.ts$/)

test('what a model takes stands in the table of models alone', () => {
  expect(sources.length).toBeGreaterThan(1_000)
  expect(printed(sources.flatMap(checkModelNames))).toEqual([])
})

test.each([
  "if (/^claude-opus-4-7/.test(model)) drop('temperature')",
  "const isOld = model.startsWith('gpt-4')",
  "const isOwn = name === 'deepseek-chat'",
  "switch (model) { case 'kimi-k2.5': break }",
])('a rule for a name is found: %s', (text) => {
  expect(printed(checkModelNames({ path: 'src/protocols/hub/a.ts', text }))).toHaveLength(1)
  expect(checkModelNames({ path: 'src/models/rows/a.ts', text })).toEqual([])
})

test('a name as an example or in a comment is none', () => {
  const text =
    "/** Models such as gpt-5.5. */\nconst shown = 'gpt-5.5'\nexport const model = { name: 'claude-opus-4-5' }"
  expect(checkModelNames({ path: 'src/protocols/hub/a.ts', text })).toEqual([])
})
