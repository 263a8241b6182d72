import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forRunTime, leading, type LockedPackages, neededAtRunTime } from './lock-for-runtime.ts'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: LockedPackages
}

test('npm ci --omit=dev brings no build tools: what is not needed at run time is marked dev, and no peer leads to it', () => {
  const needed = neededAtRunTime(lock.packages)
  for (const name of ['better-auth', 'hono', 'pg', 'zod']) expect(needed).toContain(`node_modules/${name}`)
  for (const name of ['vitest', 'vite', 'lightningcss', 'react']) expect(needed).not.toContain(`node_modules/${name}`)
  const left = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true && !needed.has(path),
  )
  const hint = 'run: npm run lock:runtime'
  expect(
    left.map(([path]) => path),
    hint,
  ).toEqual([])
  for (const path of needed) expect([path, leading(lock.packages, path, needed)], hint).toEqual([path, []])
})

test('a lock that npm has written anew is brought back, and a second time changes nothing', () => {
  const written = {
    packages: {
      '': { dependencies: { runs: '1' } },
      'node_modules/runs': {
        dependencies: { inner: '1' },
        peerDependencies: { builds: '*', absent: '*', inner: '1' },
        peerDependenciesMeta: { builds: { optional: true }, absent: { optional: true } },
      },
      'node_modules/runs/node_modules/inner': {},
      'node_modules/builds': { devOptional: true, optionalDependencies: { binary: '1' } },
      'node_modules/binary': { optional: true },
    },
  }
  const { packages } = forRunTime(written)
  expect(packages).toEqual({
    ...written.packages,
    'node_modules/runs': {
      dependencies: { inner: '1' },
      peerDependencies: { absent: '*', inner: '1' },
      peerDependenciesMeta: { absent: { optional: true } },
    },
    'node_modules/builds': { dev: true, optionalDependencies: { binary: '1' } },
    'node_modules/binary': { optional: true, dev: true },
  })
  expect(forRunTime({ packages })).toEqual({ packages })
})
