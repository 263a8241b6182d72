import { mustBe } from '../../core/must-be.ts'
import { expect, test } from 'vitest'
import type { CatalogueLists } from '../../entitlement/catalogue.ts'
import type { Model, Upstream } from '../../routing/catalog.ts'
import { parseDeclarativeFile } from './declarative-file.ts'
import { refusedTarget } from './judge-catalogue.ts'

const NOTHING: CatalogueLists = { upstreams: [], models: [], groups: [] }
const HEAD = `upstreams:
  - { name: main, protocol: openai, base_url: "https://a.example.test/v1" }
  - { name: messages, protocol: anthropic, base_url: "https://b.example.test" }
  - { name: bound, protocol: openai, base_url: "https://c.example.test/v1", credentials: [{ name: a, secret: x, models: [n] }] }
groups:
  - { name: default, multiplier: "1", models: ["*"] }
  - { name: other, multiplier: "1", models: [n] }
models:
`

function parsed(targets: string, endpoints = '') {
  const text = `${HEAD}  - { name: m, ${endpoints}targets: ${targets} }\n  - { name: n, targets: [{ upstream: bound }] }\n`
  return parseDeclarativeFile(text, { name: 'tollgate.yaml', environment: {} })
}

const refused = (targets: string, endpoints = '', stored = NOTHING) =>
  refusedTarget(parsed(targets, endpoints).declaration, stored)

test.for<readonly [string, string, string, string]>([
  [
    'weight 0 for all that are asked first',
    '[{ upstream: main, weight: 0 }, { upstream: messages, priority: 1 }]',
    '',
    'weight',
  ],
  ['a protocol that carries no endpoint', '[{ upstream: messages }]', 'endpoints: [openai-embeddings], ', 'upstream'],
  ['no credential that may be sent for the model', '[{ upstream: bound }]', '', 'upstream'],
  ['groups that do not have the model', '[{ upstream: main, groups: [other] }]', '', 'groups'],
])('a target with $0 is refused at its place', ([, targets, endpoints, field]) => {
  expect(refused(targets, endpoints)?.path).toEqual(['models', 0, 'targets', 0, field])
})

test('what may be reached is taken: a spare of weight 0, one group of several, a credential that is for the model', () => {
  const spare =
    '{ upstream: main, weight: 0 }, { upstream: messages }, { upstream: main, model: n, priority: 1, weight: 0 }'
  expect(refused(`[${spare}, { upstream: bound, model: n, groups: [other, default] }]`)).toBeNull()
})

test('an installation that stands so already is taken as it is, and the next target that is wrong is refused', () => {
  const upstream = { id: 'u1', name: 'main', protocol: 'openai', credentials: [] } as unknown as Upstream
  const target = { upstreamId: 'u1', model: 'm', priority: 0, weight: 0 }
  const model = { id: 'm1', name: 'm', targets: [target] } as unknown as Model
  const stored = { upstreams: [upstream], models: [model], groups: [] }
  expect(refused('[{ upstream: main, weight: 0 }]', '', stored)).toBeNull()
  const worse = '[{ upstream: main, weight: 0 }, { upstream: bound }]'
  expect(refused(worse, '', stored)).toMatchObject({ path: ['models', 0, 'targets', 1, 'upstream'] })
})

test('the refusal has the line', () => {
  const file = parsed('[{ upstream: main, weight: 0 }]')
  const found = refusedTarget(file.declaration, NOTHING)
  expect(file.refusal(found?.path ?? [], mustBe(found?.takes ?? '')).message).toMatch(
    /line 9, column \d+: .*weight must be above 0/,
  )
})
