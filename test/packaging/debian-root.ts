/** A fresh Debian, and in it Node.js and npm as the official images have them. */
import { cp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pinnedNode } from '../../bin/pinned-node.js'
import { needTools, runTool } from './run-tool.ts'

/** How the root came about: where no mirror of Debian can be reached, of this machine’s own files. */
export type RootSource = 'mmdebstrap' | 'this machine'

/** Writes a small Debian to `archive`, without what the slim images leave out; else the files that Node.js and npm need of this machine. */
export async function makeRoot(archive: string): Promise<RootSource> {
  await needTools({ mmdebstrap: 'mmdebstrap' })
  try {
    const leftOut = ['doc', 'info', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
    await runTool('mmdebstrap', '--variant=minbase', '--include=libatomic1', ...leftOut, 'bookworm', archive)
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

async function isPath(path: string): Promise<boolean> {
  return realpath(path).then(
    () => true,
    () => false,
  )
}
