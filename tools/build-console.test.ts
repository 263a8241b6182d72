import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildConsole } from './build-console.ts'

const FIRST_LOAD_LIMIT_BYTES = 190 * 1024
const STYLES_LIMIT_BYTES = 13 * 1024

let folder: string
let page: string
let assets: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-build-console-'))
  await buildConsole(folder)
  page = await readFile(join(folder, 'console.html'), 'utf8')
  assets = await readdir(join(folder, 'assets'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the page has no inline script or style, and names nothing of another origin', () => {
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=/i)
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1])
  expect(addresses.length).toBeGreaterThan(3)
  for (const address of addresses) expect(address).toMatch(/^\.\/assets\/[\w-]+-[\w-]{8}\.\w+$/)
})

test.for([
  ['the sign-in page', ['sign-in-page', 'outside-zh-cn']],
  ['the start page', ['start-page', 'start-zh-cn']],
  ['the page of keys', ['keys-page', 'keys-zh-cn']],
] as const)('the first load of %s stays below its bar', async ([, parts]) => {
  const entries = [...page.matchAll(/assets\/([\w-]+\.js)/g)].map((found) => found[1] ?? '')
  const wanted = assets.filter((name) => name.endsWith('.js') && parts.some((part) => name.startsWith(`${part}-`)))
  const files = await withStaticImports([...entries, ...wanted])
  const sizes = await Promise.all([...files].map(async (name) => gzipSync(await asset(name), { level: 9 }).length))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_LIMIT_BYTES)
})

test('all styles together stay below their bar', async () => {
  const styles = await Promise.all(assets.filter((name) => name.endsWith('.css')).map(asset))
  expect(styles.length).toBeGreaterThan(0)
  const size = styles.reduce((sum, style) => sum + gzipSync(style, { level: 9 }).length, 0)
  expect(size).toBeLessThanOrEqual(STYLES_LIMIT_BYTES)
})

test('no schema library is in the browser', async () => {
  for (const name of assets.filter((one) => one.endsWith('.js'))) {
    expect((await asset(name)).toString(), name).not.toMatch(/ZodError|invalid_union|zod-openapi/)
  }
})

test('what lies compressed beside a file is that file', async () => {
  const name = assets.find((one) => one.startsWith('console-') && one.endsWith('.js')) ?? ''
  const plain = await asset(name)
  expect(brotliDecompressSync(await asset(`${name}.br`)).equals(plain)).toBe(true)
  expect(gunzipSync(await asset(`${name}.gz`)).equals(plain)).toBe(true)
})

function asset(name: string): Promise<Buffer> {
  return readFile(join(folder, 'assets', name))
}

/** The files and all they import before they run. */
async function withStaticImports(names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const text = (await asset(name)).toString()
    open.push(...[...text.matchAll(/(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g)].map((match) => match[1] ?? ''))
  }
  return found
}
