import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { testConsole } from '../support/test-servers.ts'
import { FIRST_PAGES, firstLoad, type FirstLoad } from './first-load.ts'
import { furnish, type Furnished } from './furnish.ts'
import { type Place, sharedPlace } from './place.ts'
import { visit } from './visit.ts'

/* How long a first visit takes is measured by `npm run bench -- console`. */

/** The bar is 130; 47 KB of each are Preact, the router and the cache of answers. */
const SCRIPT_KB: Readonly<Record<(typeof FIRST_PAGES)[number], number>> = {
  '/sign-in': 102,
  '/overview': 115,
  '/keys': 119,
  '/usage': 124,
  '/models': 114,
  '/billing': 118,
  '/playground': 108,
  '/account': 112,
}
const STYLE_BYTES = 13 * 1024
/** The typeface is one of them. */
const FILES = 23
const API_CALLS = 6
const LAYOUT_SHIFT = 0.02

let place: Place
let ada: Furnished
let folder: string
beforeAll(async () => {
  folder = await testConsole()
  place = await sharedPlace()
  ada = await furnish(place)
})

async function load(
  path: string,
  { width, hasSlowNetwork }: { width: number; hasSlowNetwork: boolean },
): Promise<FirstLoad> {
  const as = path === '/sign-in' ? {} : { as: ada }
  const { page, context } = await visit(place, { language: 'en', width, ...as })
  const seen = await firstLoad(page, path, { hasSlowNetwork, hasSlowProcessor: false })
  await context.close()
  return seen
}

/** Sizes as gzip makes them, the largest first: what would be sent to a browser that takes nothing better. */
async function zipped(files: readonly string[], ending: string): Promise<{ bytes: number; parts: string }> {
  const chosen = [...new Set(files)].filter((name) => name.endsWith(ending))
  const sizes = await Promise.all(
    chosen.map(async (name) => ({ name, bytes: gzipSync(await readFile(join(folder, name)), { level: 9 }).length })),
  )
  sizes.sort((a, b) => b.bytes - a.bytes)
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    parts: sizes.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`).join('\n'),
  }
}

describe.each(FIRST_PAGES)('the first load of %s', (path) => {
  test('is small, shifts nothing, and is under a strict policy', async () => {
    const { files, calls, layoutShift, policy } = await load(path, { width: 1280, hasSlowNetwork: false })
    const [scripts, styles] = await Promise.all([zipped(files, '.js'), zipped(files, '.css')])
    console.log(
      `${path}: JS ${kilobytes(scripts.bytes)}, CSS ${kilobytes(styles.bytes)}, ${files.length} files, ${calls.length} API calls, layout shift ${layoutShift.toFixed(4)}`,
    )
    expect(scripts.bytes).toBeGreaterThan(50_000)
    expect(scripts.bytes, scripts.parts).toBeLessThanOrEqual(SCRIPT_KB[path] * 1024)
    expect(styles.bytes).toBeGreaterThan(1_000)
    expect(styles.bytes, styles.parts).toBeLessThanOrEqual(STYLE_BYTES)
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(FILES)
    const ofShell = files.filter((name) => /\/(shell|navigation|announcements|palette|menus|floating)-/.test(name))
    if (path === '/sign-in') expect(ofShell).toEqual([])
    else expect(ofShell).not.toEqual([])
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(API_CALLS)
    expect(layoutShift).toBeLessThanOrEqual(LAYOUT_SHIFT)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('shifts nothing on a phone either, when everything comes late', async () => {
    const { largestPaintMs, layoutShift } = await load(path, { width: 360, hasSlowNetwork: true })
    expect(largestPaintMs).toBeGreaterThan(0)
    expect(layoutShift).toBeLessThanOrEqual(LAYOUT_SHIFT)
  })
})

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}
