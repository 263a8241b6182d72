import { execFile } from 'node:child_process'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
const LEFT_OUT = new Set(['.git', 'data', 'dist', 'node_modules'])
const NPM_MS = 600_000

/**
 * Packs this checkout into `folder` as npm would publish it, and returns the path of the tarball. Done in `copy`, an empty
 * directory: packing empties `dist` and fills it again, and other tests have gateways that serve from it.
 */
export async function packTollgate(copy: string, folder: string): Promise<string> {
  const names = await readdir(ROOT)
  for (const name of names.filter((each) => !LEFT_OUT.has(each))) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: copy, timeout: NPM_MS })
  const tarball = (await readdir(folder)).find((name) => /^tollgate-\d+\.\d+\.\d+\.tgz$/.test(name))
  if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}.`)
  return join(folder, tarball)
}
