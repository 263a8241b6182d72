import { expect, test } from 'vitest'
import { type Finding, printed, readProjectFile, readSources, type SourceFile } from './source-files.ts'

/** More than anyone keeps in mind, and a list of them all tells a newcomer nothing. */
const MOST_SCRIPTS = 20

/** Scripts that take a word, and the file whose table has the words. */
const FILE_OF_WORDS = { bench: 'bench/main.ts', 'test:more': 'test/more.ts', build: 'tools/build.ts' } as const

/** What may be said after `npm run`: the scripts, and the words of those that take one. */
interface Commands {
  readonly scripts: ReadonlySet<string>
  readonly wordsOf: ReadonlyMap<string, ReadonlySet<string>>
}

async function readCommands(): Promise<Commands> {
  const { scripts } = JSON.parse(await readProjectFile('package.json')) as { scripts: Record<string, string> }
  const words = Object.entries(FILE_OF_WORDS).map(
    async ([script, file]) => [script, wordsIn(await readProjectFile(file))] as const,
  )
  return { scripts: new Set(Object.keys(scripts)), wordsOf: new Map(await Promise.all(words)) }
}

/** The keys of the table of sub-commands. */
function wordsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^ {2}'?([a-z][a-z-]*)'?: \{\n {4}does:/gm)].map(([, word = '']) => word))
}

/** Every command of the page that does not exist. */
function unknownCommands({ path, text }: SourceFile, { scripts, wordsOf }: Commands): Finding[] {
  const found = [...text.matchAll(/\bnpm run (?:-s )?([a-z][a-z:-]*[a-z])(?: -- ([a-z][a-z-]*|-))?/g)]
  return found.flatMap(({ 0: command, 1: script = '', 2: word, index }) => {
    const words = wordsOf.get(script)
    const isKnown = scripts.has(script) && (words === undefined || word === undefined || words.has(word))
    return isKnown ? [] : [{ file: path, line: text.slice(0, index).split('\n').length, what: command }]
  })
}

test('there are fewer than 20 scripts', async () => {
  expect((await readCommands()).scripts.size).toBeLessThan(MOST_SCRIPTS)
})

test('each script that takes a word has some', async () => {
  const { scripts, wordsOf } = await readCommands()
  for (const [script, words] of wordsOf) {
    expect(scripts).toContain(script)
    expect(words.size, script).toBeGreaterThan(1)
  }
})

test('every script that a page names exists, and so does the word behind it', async () => {
  const commands = await readCommands()
  const ofRoot = [
    'README.md',
    'README.zh-CN.md',
    'AGENTS.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'Dockerfile',
    '.ci/run',
  ]
  const pages = [
    ...(await Promise.all(ofRoot.map(async (path) => ({ path, text: await readProjectFile(path) })))),
    ...(
      await Promise.all(['docs', 'packaging', 'bench', 'test', 'tools'].map((folder) => readSources(folder, /\.md$/)))
    ).flat(),
  ]
  // Notes of what there was then stay as they were written.
  const ofToday = pages.filter(({ path }) => !path.startsWith('docs/history/'))
  expect(printed(ofToday.flatMap((page) => unknownCommands(page, commands)))).toEqual([])
})

const COMMANDS: Commands = { scripts: new Set(['lint', 'bench']), wordsOf: new Map([['bench', new Set(['soak'])]]) }

test.for([
  ['npm run lint -- --fix, then npm run bench', []],
  ['npm run bench -- soak --rate 5', []],
  ['npm run lint:fix', ['page:1 npm run lint:fix']],
  ['npm run bench -- year', ['page:1 npm run bench -- year']],
  ['\nnpm run bench -- --quick', ['page:2 npm run bench -- -']],
  ['npm run -s bench -- views|soak', ['page:1 npm run -s bench -- views']],
] as const)('of %j the unknown commands are found', ([text, findings]) => {
  expect(printed(unknownCommands({ path: 'page', text }, COMMANDS))).toEqual(findings)
})
