/**
 * `npm run test:changed`: the tests that a change touches, by imports, servers and browsers included.
 *
 *   npm run test:changed                      what is not committed; where all is, the last commit
 *   npm run test:changed -- --since main~3    all since that commit
 *   npm run test:changed -- --list            says which, and runs none
 *
 * Of the short suite; with TEST_SUITE=long of the long one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isLongFile, isLongSuite } from './support/run/suite.ts'
import { testsOfChange } from './support/run/tests-of-change.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['bin', 'src', 'console', 'client', 'tools', 'bench', 'test']

const { values } = parseArgs({ options: { since: { type: 'string' }, list: { type: 'boolean', default: false } } })

const changed = values.since === undefined ? lastChange() : changedSince(values.since)
const { tests: touched, untested } = testsOfChange(ROOT, changed, FOLDERS)
const tests = touched.filter((path) => isLongSuite || !isLongFile(path))
console.log(`${changed.length} changed files touch ${tests.length} test files.`)
if (untested.length > 0) console.log(`No test imports, starts or names:\n  ${untested.join('\n  ')}`)
if (values.list) console.log(tests.join('\n'))
else if (tests.length > 0) runTests()

/** What is not committed; where all is, the last commit. */
function lastChange(): string[] {
  const now = changedSince('HEAD')
  return now.length > 0 ? now : changedSince('HEAD~1')
}

function changedSince(revision: string): string[] {
  const tracked = git('diff', '--name-only', revision)
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...new Set([...tracked, ...added])].toSorted()
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
}

function runTests(): void {
  const child = spawn('vitest', ['run', ...tests], { cwd: ROOT, stdio: 'inherit' })
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
