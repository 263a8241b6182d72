import { execFile } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../support/test-servers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** What a script of package.json runs through `tools/pinned-node.js`. */
const COMMAND = ['node', '--eval', 'console.log("it ran")']

/** A checkout after `npm ci --omit=optional`: no pinned Node below node_modules. */
let checkout = ''
beforeAll(async () => {
  checkout = await temporaryDirectory()
  await writeFile(join(checkout, 'package.json'), '{ "type": "module" }')
  for (const file of [
    'tools/pinned-node.js',
    'bin/pinned-node.js',
    'bin/npm-end.js',
    'bin/bundle.js',
    'bin/memory.js',
    'bin/tollgate.js',
  ]) {
    await mkdir(join(checkout, file, '..'), { recursive: true })
    await copyFile(join(ROOT, file), join(checkout, file))
  }
})

test('a script runs with the pinned Node and says nothing about it', async () => {
  expect(await run(join(ROOT, 'tools/pinned-node.js'), { args: COMMAND })).toEqual({
    exitCode: 0,
    stdout: 'it ran\n',
    stderr: '',
  })
})

test('without the pinned Node, a script runs with a recent Node of the system and says so', async () => {
  const { exitCode, stdout, stderr } = await run(join(checkout, 'tools/pinned-node.js'), { args: COMMAND })
  expect([exitCode, stdout]).toEqual([0, 'it ran\n'])
  expect(stderr).toMatch(/^The pinned Node\.js \(npm package \S+\) is not installed.*: running with Node\.js \d/)
})

test('without the pinned Node, an old Node of the system is refused with what is missing and what to do', async () => {
  const asOld = await run(join(checkout, 'tools/pinned-node.js'), { args: COMMAND, version: '20.20.2' })
  expect([asOld.exitCode, asOld.stdout]).toEqual([1, ''])
  expect(asOld.stderr).toMatch(/pinned Node\.js \(npm package \S+\) is not installed/)
  expect(asOld.stderr).toContain("the system's Node.js 20.20.2 is too old (24 or newer is needed)")
  expect(asOld.stderr).toContain('npm ci')
})

test('the launcher of the gateway refuses an old Node as well, where the pinned one is missing', async () => {
  const { exitCode, stderr } = await run(join(checkout, 'bin/tollgate.js'), { args: ['start'], version: '20.20.2' })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('Tollgate needs Node.js 24 or newer and this is 20.20.2')
})

/** Runs a script as it is, or as a Node of another version would. */
function run(script: string, { args, version }: { readonly args: readonly string[]; readonly version?: string }) {
  const faked = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const options = version === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(faked)}`]
  return new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [...options, script, ...args], (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
