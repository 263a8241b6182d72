import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildClient } from './build-client.ts'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

test('the client is one file without dependencies, packed the same way twice, with the version of the gateway', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-build-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  for (const each of [first, second]) await buildClient(each)
  const tarball = await readFile(join(first, 'client.tgz'))
  expect(tarball.equals(await readFile(join(second, 'client.tgz')))).toBe(true)
  await run('tar', ['xzf', join(first, 'client.tgz'), '-C', folder])
  const described = JSON.parse(await readFile(join(folder, 'package', 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(described).toMatchObject({ name: 'tollgate-client', version, bin: { tollgate: 'tollgate.cjs' } })
  expect(described).not.toHaveProperty('dependencies')
  const { stdout } = await run(process.execPath, [join(folder, 'package', 'tollgate.cjs'), '--version'])
  expect(stdout).toBe(`${version}\n`)
  const loaded = [
    ...(await readFile(join(first, 'tollgate.cjs'), 'utf8')).matchAll(/\b(?:require|import)\("([^"]+)"\)/g),
  ]
  expect(loaded.map(([, name = '']) => name).filter((name) => !name.startsWith('node:'))).toEqual([])
})
