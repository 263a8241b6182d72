import { expect, test } from 'vitest'
import { printed, readSources } from './source-files.ts'
import { checkTypeNames, SEVERAL_LEFT } from './type-names.ts'

test('each type name of the sources means one thing', async () => {
  const sources = (await readSources('src', /\.ts$/)).filter(({ path }) => !path.endsWith('.test.ts'))
  expect(sources.length).toBeGreaterThan(1_000)
  expect(printed(checkTypeNames(sources, SEVERAL_LEFT))).toEqual([])
})

test('a name that a second file declares is reported there, and one of the list that has become single', () => {
  const files = [
    { path: 'src/core/a.ts', text: 'export interface Place {}\ntype Own = 1' },
    { path: 'src/core/b.ts', text: '\ntype Place = string' },
  ]
  expect(printed(checkTypeNames(files, []))).toEqual(['src/core/b.ts:2 Place is a type of src/core/a.ts too'])
  expect(printed(checkTypeNames(files, ['Place', 'Own']))).toEqual([
    'test/architecture/type-names.ts:1 Own means one thing',
  ])
})
