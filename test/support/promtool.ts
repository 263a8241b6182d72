import { execFile } from 'node:child_process'
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const WITHIN_MS = 300_000

/**
 * Runs Prometheus' own tool; resolves with its output and rejects with what it says. Where it is not installed, Debian's
 * package is fetched and this one program is taken out of it, into a cache outside the repository: 19 MB are read once, and
 * neither the server nor the twelve packages it needs are installed. That takes no root. Elsewhere it has to be installed.
 */
export async function promtool(args: readonly string[], { input = '' } = {}): Promise<string> {
  tool ??= findOrFetch()
  const running = run(await tool, args, { timeout: WITHIN_MS })
  running.child.stdin?.end(input)
  const { stdout, stderr } = await running
  return stdout + stderr
}

let tool: Promise<string> | undefined

async function findOrFetch(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate-tests')
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', cache]
  for (const folder of folders) {
    const path = join(folder, 'promtool')
    if (folder !== '' && (await isExecutable(path))) return path
  }
  await mkdir(cache, { recursive: true })
  const scratch = await mkdtemp(join(tmpdir(), 'promtool-'))
  try {
    return await fetchInto(cache, scratch)
  } catch (cause) {
    throw new Error('promtool is needed and was not found. Install Prometheus (Debian: apt-get install prometheus).', {
      cause,
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function fetchInto(cache: string, scratch: string): Promise<string> {
  const download = () => run('apt-get', ['download', '-q', 'prometheus'], { cwd: scratch, timeout: WITHIN_MS })
  // The lists may be missing, and reading them takes root.
  await download().catch(() => run('apt-get', ['update', '-q'], { timeout: WITHIN_MS }).then(download))
  const [archive = ''] = (await readdir(scratch)).filter((name) => name.endsWith('.deb'))
  await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$0" | tar -x ./usr/bin/promtool', archive], { cwd: scratch })
  const path = join(cache, 'promtool')
  const own = join(cache, `promtool.${process.pid}`)
  await run('cp', [join(scratch, 'usr/bin/promtool'), own])
  await chmod(own, 0o755)
  // Whole or not at all: another test may look for it at the same moment.
  await rename(own, path)
  return path
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
