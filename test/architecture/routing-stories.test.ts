import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// docs/routing-stories.md names a test for each law; here they are looked for.

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs', 'routing-stories.md'), 'utf8')

const stories = PAGE.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what happened'))
  .map((line) => {
    const [story = '', , law = '', keptBy = ''] = line.split(' | ')
    const tests = [...keptBy.matchAll(/`([^`]+)`: “(.+?)”(?=;| \|)/g)]
    return { story: story.slice(2), law, tests: tests.map(([, file = '', name = '']) => ({ file, name })) }
  })

test('every story has its law, and a test that keeps it', () => {
  expect(stories).toHaveLength(17)
  for (const { story, law, tests } of stories) {
    expect(law, story).not.toBe('')
    expect(tests.length, story).toBeGreaterThan(0)
  }
})

test.for(stories.flatMap(({ tests }) => tests))('$file has the test “$name”', ({ file, name }) => {
  const path = join(ROOT, file)
  expect(existsSync(path)).toBe(true)
  expect(isTestIn(readFileSync(path, 'utf8'), name)).toBe(true)
})

test('a test that is not there, or is only spoken of, is found', () => {
  const text = `test('is there', () => {})\ntest.each(['a'])(\n  'and %s', () => {})\n// 'spoken of'`
  expect(['is there', 'and %s', 'spoken of', 'there'].map((name) => isTestIn(text, name))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

/** Whether a test of that name begins there: behind the opening of a call, on its line or the next. */
function isTestIn(text: string, name: string): boolean {
  return [`('${name}'`, `(\n  '${name}'`, `(\n    '${name}'`].some((call) => text.includes(call))
}
