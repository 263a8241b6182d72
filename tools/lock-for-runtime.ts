// `npm run lock:runtime` after every `npm install`: keeps build tools out of `npm ci --omit=dev`. npm follows optional peers
// (better-auth names vitest and react as such), takes what the checkout has for them as perhaps needed at run time, and
// installs it. It reads them in package-lock.json, and `overrides` cannot take one away: so they are left out of the lock.
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/** What is read of an entry of `packages` in package-lock.json (version 3). */
export interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>

/** The paths of all packages that the root's dependencies reach, optional ones included and optional peers not. */
export function neededAtRunTime(packages: LockedPackages): ReadonlySet<string> {
  const needed = new Set<string>()
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = packages[path] ?? {}
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
    )
    const names = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]
    for (const name of names) {
      const found = resolved(packages, path, name)
      if (found === null || needed.has(found)) continue
      needed.add(found)
      waiting.push(found)
    }
  }
  return needed
}

/** As Node looks for it: beside the package's own dependencies, then in each folder above. null: it is not installed. */
function resolved(packages: LockedPackages, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return null
  }
}

/**
 * The same lock without the optional peers by which what runs would reach what only development needs, and with the mark
 * `dev` at all that is reached in no other way.
 */
export function forRunTime<Lock extends { readonly packages: LockedPackages }>(lock: Lock): Lock {
  const needed = neededAtRunTime(lock.packages)
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (path === '') return [path, entry] as const
    if (needed.has(path)) return [path, withoutPeers(entry, leading(lock.packages, path, needed))] as const
    return [path, marked(entry)] as const
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** Optional peers of a package that runs, as far as the checkout has them for development alone. */
export function leading(packages: LockedPackages, path: string, needed: ReadonlySet<string>): readonly string[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {}
  return Object.keys(peerDependencies).filter((name) => {
    const found = resolved(packages, path, name)
    return peerDependenciesMeta[name]?.optional === true && found !== null && !needed.has(found)
  })
}

function withoutPeers(entry: LockedPackage, names: readonly string[]): LockedPackage {
  if (names.length === 0) return entry
  const kept = <Value>(of: Readonly<Record<string, Value>> | undefined) =>
    Object.fromEntries(Object.entries(of ?? {}).filter(([name]) => !names.includes(name)))
  return {
    ...entry,
    peerDependencies: kept(entry.peerDependencies),
    peerDependenciesMeta: kept(entry.peerDependenciesMeta),
  }
}

/** npm writes `dev` where it wrote `devOptional`, so that its own next change of the lock moves nothing. */
function marked(entry: LockedPackage): LockedPackage {
  if (entry.dev === true) return entry
  const fields = Object.entries(entry).map(([name, value]) => (name === 'devOptional' ? ['dev', true] : [name, value]))
  const result = Object.fromEntries(fields) as LockedPackage
  return result.dev === true ? result : { ...result, dev: true }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { readonly packages: LockedPackages }
  writeFileSync(file, `${JSON.stringify(forRunTime(lock), null, 2)}\n`)
}
