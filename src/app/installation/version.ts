import { readFileSync } from 'node:fs'

/** The version in the package's manifest, which lies at the same distance from the sources and from what is compiled. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const isVersioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isVersioned ? String(manifest.version) : 'unknown'
}
