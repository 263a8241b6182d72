import { describe, expect, test } from 'vitest'
import { printed, readProjectFile, readSources } from './source-files.ts'
import { checkComments, checkVoice } from './voice.ts'

const FOLDERS = ['src', 'console', 'client', 'docs', 'bin', 'tools', 'test', 'bench']
const PAGES = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CHANGELOG.md']
/** Bytes that providers and clients really sent, and the phrases themselves. */
const NOT_OURS = /^test\/(fixtures\/|architecture\/voice)/

describe('this project', async () => {
  const folders = await Promise.all(FOLDERS.map((folder) => readSources(folder, /\.(tsx?|js|md|html|css)$/)))
  const pages = await Promise.all(PAGES.map(async (path) => ({ path, text: await readProjectFile(path) })))
  const files = [...folders.flat(), ...pages].filter(({ path }) => !NOT_OURS.test(path))

  test('has texts to read in each of its folders', () => {
    for (const folder of FOLDERS) expect(files.some(({ path }) => path.startsWith(`${folder}/`))).toBe(true)
  })

  test('speaks with one voice', () => {
    expect(printed(files.flatMap(checkVoice))).toEqual([])
  })

  test('has doc comments that stand alone', () => {
    const code = files.filter(({ path }) => /\.(tsx?|js)$/.test(path))
    expect(printed(code.flatMap(checkComments))).toEqual([])
  })
})

/** The beginning of a doc comment, so written that samples are not read as comments of this file. */
const OPENING = '/\u002A*'

test.each([
  [`${OPENING} Of the last of them: what it is called. */`, 'Of'],
  [`  ${OPENING}\n   * The same, once it is over.\n   */`, 'The same'],
  [`${OPENING} It takes some seconds. */`, 'It'],
])('%s hangs on the line above', (comment, word) => {
  expect(printed(checkComments({ path: 'src/core/a.ts', text: `\n${comment}` }))).toEqual([
    `src/core/a.ts:2 a comment begins with "${word}": name its subject first`,
  ])
})

test('a comment that names its subject stands alone', () => {
  const text = '/** The name of the last one. */\n/** Formats it. */\n/** Items of a page. */'
  expect(checkComments({ path: 'src/core/a.ts', text })).toEqual([])
})

test.each([
  ['// Nobody waits for it.', 'Nobody'],
  ['const NOBODY = null', 'NOBODY'],
  ['throw new Error(`ask somebody`)', 'somebody'],
  ['test("whoever comes second", f)', 'whoever'],
  ['/** What the caller was told. */', 'told'],
  ['// This tells of the limit.', 'tells of'],
  ['const how = "Mend it and try again"', 'Mend'],
  ['/** Fulfils when it is done. */', 'Fulfils'],
  ['"It can not be read."', 'can not'],
  ["// It can't be read.", "can't"],
  ['"Your e-mail"', 'e-mail'],
  ['"not valid in this place"', 'this place'],
  ['/** Null when it is no number. */', 'is no number'],
  ['"Its operator has to set one."', 'Its operator'],
  ['A page about the set-up of clients', 'set-up'],
  ['/** Closes it; answers whether it was open. */', 'answers whether'],
])('%s is reported', (line, phrase) => {
  const [finding, ...more] = checkVoice({ path: 'src/gateway/a.ts', text: `\n${line}` })
  expect([finding?.line, finding?.what, more]).toEqual([2, expect.stringContaining(`"${phrase}": `), []])
})

test.each([
  'There is no model of this name. It is no longer served.',
  "Promise.allSettled(all).filter(({ status }) => status === 'fulfilled'); route.fulfill({ status: 403 })",
  "const link = '/console/set-up', address = 'nobody@example.test', sign = node['operator']",
  'Answers to questions. It answers the request. Never said: nobody, e-mail.',
])('%s is allowed', (text) => {
  expect(checkVoice({ path: 'src/gateway/a.ts', text })).toEqual([])
})

test('the console may contract, and no other room', () => {
  const text = 'You can’t use it.'
  expect(checkVoice({ path: 'console/dictionaries/keys-en.ts', text })).toEqual([])
  expect(checkVoice({ path: 'src/core/a.ts', text })).toHaveLength(1)
})
