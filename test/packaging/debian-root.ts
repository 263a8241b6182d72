/** A fresh Debian, and in it Node.js and npm as the official images have them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pinnedNode } from '../../bin/pinned-node.js'
import { needTools, runTool } from './run-tool.ts'

/** How the root came about: where no mirror of Debian can be reached, of this machine’s own files. */
export type RootSource = 'mmdebstrap' | 'this machine'

export interface UserOfRoot {
  readonly name: string
  readonly id: number
  readonly home: string
}

export const ROOT_USER: UserOfRoot = { name: 'root', id: 0, home: '/root' }
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/**
 * Writes a small Debian with these packages to `archive`, without what the slim images leave out; else the files that Node.js
 * and npm need of this machine.
 */
export async function makeRoot(archive: string, packages: readonly string[] = []): Promise<RootSource> {
  await needTools({ mmdebstrap: 'mmdebstrap' })
  try {
    const leftOut = ['doc', 'info', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
    const included = `--include=${['libatomic1', ...packages].join(',')}`
    await runTool('mmdebstrap', '--variant=minbase', included, ...leftOut, 'bookworm', archive)
    return 'mmdebstrap'
  } catch {
    await rm(archive, { force: true })
    const parts = [
      'bin',
      'lib',
      'lib64',
      'sbin',
      'usr/bin',
      'usr/sbin',
      'usr/lib/x86_64-linux-gnu',
      'etc/passwd',
      'etc/group',
    ]
    const there = await Promise.all(parts.map((part) => isPath(join('/', part)).then((is) => (is ? [part] : []))))
    await runTool('tar', '--create', '--file', archive, '--directory', '/', '--ignore-failed-read', ...there.flat())
    return 'this machine'
  }
}

/** The pinned Node.js, this machine's npm, and the authorities that this machine trusts, copied to these paths. */
export async function copyNode(paths: { readonly node: string; readonly npm: string; readonly authorities: string }) {
  const node = pinnedNode()
  if (node === null) throw new Error('The pinned Node.js is not installed: run "npm ci".')
  await cp(node, paths.node)
  const { stdout } = await runTool('npm', 'root', '--global')
  await cp(await realpath(join(stdout.trim(), 'npm')), paths.npm, { recursive: true })
  await cp('/etc/ssl/certs/ca-certificates.crt', paths.authorities)
}

/** Puts Node.js and npm into an unpacked root, and what they need to reach the registry. */
export async function furnishRoot(root: string): Promise<void> {
  const modules = join(root, 'usr/local/lib/node_modules')
  const paths = ['usr/local/bin', 'etc/ssl/certs', 'opt', 'proc', 'dev', 'root', 'tmp']
  for (const path of [modules, ...paths.map((name) => join(root, name))]) await mkdir(path, { recursive: true })
  await chmod(join(root, 'tmp'), 0o1777)
  const node = join(root, 'usr/local/bin/node')
  await copyNode({ node, npm: join(modules, 'npm'), authorities: join(root, AUTHORITIES) })
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name))
  }
  for (const name of ['resolv.conf', 'hosts']) await copyFile(join('/etc', name), join(root, 'etc', name))
}

/** A program of that user, with the variables that a sign-in gives and `more` of them. It leads a process group. */
export function spawnIn(
  root: string,
  { user: { id, home }, more }: { readonly user: UserOfRoot; readonly more: Readonly<Record<string, string>> },
  command: readonly string[],
): ChildProcess {
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: home,
    NODE_EXTRA_CA_CERTS: AUTHORITIES,
    npm_config_update_notifier: 'false',
    ...more,
  }
  const env = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const script =
    'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 125; root=$1 id=$2 home=$3; shift 3; ' +
    'exec chroot --userspec="$id:$id" --groups="$id" "$root" env --ignore-environment --chdir="$home" "$@"'
  const args = ['--mount', 'sh', '-c', script, 'sh', root, String(id), home, ...env, ...command]
  return spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
}

async function isPath(path: string): Promise<boolean> {
  return realpath(path).then(
    () => true,
    () => false,
  )
}
