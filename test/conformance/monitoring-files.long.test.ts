import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAMILIES } from '../../src/telemetry/families.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { promtool } from '../support/promtool.ts'
import { type Scrape, scrape } from '../support/scrape.ts'
import { temporaryDirectory, testRedis } from '../support/test-servers.ts'

// The files for Prometheus and Grafana, checked by Prometheus' own tool and against a real scrape.

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'monitoring')
const MODEL = 'fake/slow-chunks?chunks=2&delay_ms=1&tag=monitoring'

interface Panel {
  readonly title: string
  readonly datasource: { readonly uid: string }
  readonly targets: readonly { readonly expr: string }[]
}

/** What a reader of the dashboard chooses: an installation of Prometheus, or a value of a label there. */
interface Variable {
  readonly name: string
  readonly type: 'datasource' | 'query'
  readonly query: string | { readonly query: string }
}

interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly Variable[] }
}

let gateway: GatewayUnderTest
let seen: Scrape

beforeAll(async () => {
  // With all that a metric is about.
  gateway = await gatewayUnderTest({ environment: { REDIS_URL: (await testRedis()).url } })
  await gateway.model(MODEL, { protocols: ['openai'] })
  const { secret } = await gateway.key(await gateway.account())
  const body = { model: MODEL, stream: true, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }
  const headers = { authorization: `Bearer ${secret}` }
  const chats = `${gateway.origin}/v1/chat/completions`
  await (await fetch(chats, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  seen = await scrape(gateway.origin)
})
afterAll(() => gateway.close())

function file(name: string): Promise<string> {
  return readFile(join(FOLDER, name), 'utf8')
}

async function dashboard(): Promise<Dashboard> {
  return JSON.parse(await file('tollgate-grafana.json')) as Dashboard
}

/** Expressions of the panels, as they are after Grafana put its own words in. */
async function expressions(): Promise<readonly string[]> {
  const { panels } = await dashboard()
  return panels.flatMap(({ targets }) =>
    targets.map(({ expr }) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*').replaceAll('$job', 'tollgate'),
    ),
  )
}

test('promtool finds nothing wrong with a scrape', async () => {
  expect(await promtool(['check', 'metrics'], { input: seen.text })).toBe('')
})

test('every metric that is promised is in a scrape after one request', () => {
  expect(new Set(seen.families)).toEqual(new Set(Object.values(FAMILIES).map(({ name }) => name)))
})

test('every metric that the files name is in a real scrape', async () => {
  const texts = [...(await expressions()), await file('tollgate-alerts.yaml'), await file('tollgate-alerts.test.yaml')]
  const named = texts.flatMap((text) => text.match(/\b(?:tollgate|process)_[a-z_]+\b(?=[{\s[>)])/g) ?? [])
  expect(named.length).toBeGreaterThan(40)
  const known = new Set(seen.families.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]))
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})

test('docs/metrics.md describes every metric, and names no other', async () => {
  const text = await readFile(join(FOLDER, '..', 'metrics.md'), 'utf8')
  const described = text.match(/`(?:tollgate|process)_[a-z_]+`/g) ?? []
  expect(new Set(described)).toEqual(new Set(seen.families.map((name) => `\`${name}\``)))
})

test('the alert rules are sound, and each is raised by what it is for and by nothing else', async () => {
  expect(await promtool(['check', 'rules', join(FOLDER, 'tollgate-alerts.yaml')])).toContain('15 rules found')
  expect(await promtool(['test', 'rules', join(FOLDER, 'tollgate-alerts.test.yaml')])).toContain('SUCCESS')
})

test('every expression of the Grafana dashboard is sound', async () => {
  const all = await expressions()
  const rules = all.map((expr, at) => ({ record: `panel:${String(at).replaceAll(/\d/g, letterOf)}`, expr }))
  const path = join(await temporaryDirectory(), 'panels.yaml')
  await writeFile(path, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  expect(await promtool(['check', 'rules', path])).toContain(`${all.length} rules found`)
})

test('every variable of the dashboard asks for labels of a metric that is in a scrape, and narrows every panel', async () => {
  const { panels, templating } = await dashboard()
  const named = templating.list.map(({ name }) => name)
  expect(named).toEqual(['datasource', 'job', 'instance'])
  for (const { name, type, query } of templating.list) {
    for (const { title, datasource, targets } of panels) {
      const uses = type === 'datasource' ? [datasource.uid] : targets.map(({ expr }) => expr)
      for (const use of uses) expect(use, `${title}, ${name}`).toMatch(new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`))
    }
    if (type === 'datasource') continue
    const asked = typeof query === 'string' ? query : query.query
    const [, metric = '', chosen = '', label = ''] = /^label_values\((\w+)(?:\{(.*)\})?, (\w+)\)$/.exec(asked) ?? []
    expect(seen.families, asked).toContain(metric)
    expect(labelsOf(metric)).toEqual(expect.arrayContaining([label, ...labelsIn(chosen)]))
    expect(named).toEqual(expect.arrayContaining(asked.match(/(?<=\$)\w+/g) ?? []))
  }
})

test('every label that a panel or an alert picks by is one of its metric', async () => {
  const texts = [...(await expressions()), await file('tollgate-alerts.yaml')]
  const picks = texts.flatMap((text) => [...text.matchAll(/\b((?:tollgate|process)_\w+)\{([^}]*)\}/g)])
  expect(picks.length).toBeGreaterThan(30)
  for (const [pick, metric = '', chosen = ''] of picks) {
    expect(labelsOf(metric), pick).toEqual(expect.arrayContaining(labelsIn(chosen)))
  }
})

/** Labels of a metric, with those that Prometheus adds to what it scrapes. */
function labelsOf(metric: string): readonly string[] {
  const family = Object.values(FAMILIES).find(({ name }) => name === metric.replace(/_(?:bucket|sum|count)$/, ''))
  if (family === undefined) return []
  return ['job', 'instance', ...family.labels, ...(metric.endsWith('_bucket') ? ['le'] : [])]
}

function labelsIn(chosen: string): string[] {
  return chosen.match(/\w+(?=(?:=~|!~|!=|=)")/g) ?? []
}

/** Names of rules hold letters. */
function letterOf(digit: string): string {
  return 'abcdefghij'[Number(digit)] ?? ''
}
