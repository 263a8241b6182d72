import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedGateway, attackedGateway, type Purse, UPSTREAM_CREDENTIAL } from '../attacked-gateway.ts'
import { longAttack } from '../attack.ts'
import { readSettings } from '../settings.ts'
import { BODY_BRANCHES, type BodyBranch, bodyOf, BOUNDARY, formOf, FORMS, takes } from './body-branches.ts'
import { BODY_SHAPES, type BodyShape, LARGE_BYTES } from './body-shapes.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../../support/scripted-upstream.ts'
import { REFUSES, sink } from './sink-upstream.ts'

// One body of the largest size may not keep the event loop from turning: not for long where its key has no money or has used up its
// limit, and not for much longer where it is paid for.

/** Processor time of the main thread between two turns. */
const MOST_MS = { poor: 50, limited: 50, rich: 200 }
type PurseKind = keyof typeof MOST_MS
/** What is seen once may be a collection of garbage or the compiler: it counts when the same body does it each time. */
const TRIES = 4

/** What a run of all tests has of it: the first of each pair is a branch, the second a shape. */
const SHORT: readonly (readonly [string, string, PurseKind])[] = [
  ['responses', 'items by their ids', 'limited'],
  ['messages', 'a mark and names', 'rich'],
  ['gemini', 'objects in what is the client’s own', 'poor'],
]

let gateway: AttackedGateway
let sinkUpstream: ScriptedUpstream
let purses: Record<PurseKind, Purse>
const longest = new Map<string, { ms: number; shape: string; kind: PurseKind }>()

beforeAll(async () => {
  gateway = await attackedGateway('sqlite', { TOLLGATE_STORED_IDS: 'unclaimed' })
  sinkUpstream = await scriptedUpstream(sink)
  await openSinkModels()
  purses = {
    poor: await gateway.purse('0'),
    limited: await gateway.purse('1000', { rate_limit: { requests_per_minute: 1 } }),
    rich: await gateway.purse('1000000'),
  }
})
afterAll(async () => {
  await gateway.close()
  sinkUpstream.close()
})

const { isLong } = readSettings(process.env)
const cases = BODY_BRANCHES.flatMap((branch) =>
  BODY_SHAPES.filter((shape) => takes(branch, shape)).map((shape) => ({ branch, shape })),
)

test('a small body is served everywhere, so that a large one is refused for what it is', async () => {
  const statuses: Record<string, number> = {}
  for (const branch of BODY_BRANCHES) {
    const small = { name: '', fields: () => '' }
    const model = modelOf(branch)
    const body =
      branch.form === undefined ? bodyOf(branch, small, model) : formOf(branch.form, [Buffer.from('x')], model)
    statuses[branch.name] = await send(branch, { purse: purses.rich, body })
  }
  expect(statuses).toEqual(
    Object.fromEntries(BODY_BRANCHES.map(({ name, model }) => [name, model === 'refused' ? 400 : 200])),
  )
})

if (!isLong) {
  describe('the longest turn', () => {
    test.for(SHORT)('of %s with %s, %s', { timeout: 120_000 }, async ([branchName, shapeName, kind]) => {
      const found = cases.find(({ branch, shape }) => branch.name === branchName && shape.name === shapeName)
      if (found === undefined) throw new Error('there is no such case')
      await expectShort(found.branch, found.shape, kind)
    })
  })
}

for (const branch of BODY_BRANCHES) {
  longAttack(`no body keeps others waiting for long at ${branch.name}`, async () => {
    for (const shape of BODY_SHAPES.filter((each) => takes(branch, each))) {
      for (const kind of ['poor', 'limited', 'rich'] as const) await expectShort(branch, shape, kind)
    }
    const { form } = branch
    for (const [name, filesOf] of form === undefined ? [] : Object.entries(FORMS)) {
      for (const kind of ['poor', 'rich'] as const) {
        const body = formOf(String(form), filesOf(LARGE_BYTES), modelOf(branch))
        await expectBody(branch, { name, body, kind })
      }
    }
  })
}

longAttack('the longest turns of all are printed', async () => {
  const lines = [...longest].map(
    ([branch, { ms, shape, kind }]) => `${ms.toFixed(0).padStart(6)} ms  ${branch}: ${shape} (${kind})`,
  )
  console.log(`The longest turns of each branch:\n${lines.join('\n')}`)
})

async function expectShort(branch: BodyBranch, shape: BodyShape, kind: PurseKind): Promise<void> {
  await expectBody(branch, { name: shape.name, body: bodyOf(branch, shape, modelOf(branch)), kind })
}

async function expectBody(branch: BodyBranch, what: { name: string; body: Buffer; kind: PurseKind }): Promise<void> {
  const { name, body, kind } = what
  let least = Infinity
  let status = 0
  for (let tries = 0; tries < TRIES && least >= MOST_MS[kind]; tries++) {
    if (kind === 'limited') await useUpLimit()
    await gateway.stalls()
    status = await send(branch, { purse: purses[kind], body })
    least = Math.min(least, (await gateway.stalls())?.stalls[0]?.ms ?? 0)
  }
  const key = `${branch.name} ${kind === 'rich' ? 'with money' : 'without'}`
  if (least > (longest.get(key)?.ms ?? 0)) longest.set(key, { ms: least, shape: name, kind })
  const said = `${branch.name}, ${name}, ${kind}, status ${status}`
  // What counts tokens costs nothing, and what is not JSON is refused as that.
  const isFree = branch.name.includes('counted')
  if (kind === 'poor' && !isFree) expect([400, 402], said).toContain(status)
  if (kind === 'limited' && !isFree) expect([400, 429], said).toContain(status)
  expect(status, said).toBeLessThan(500)
  if (process.env['ATTACKS_MEASURE'] === '1') console.log(`${least.toFixed(0).padStart(6)} ms  ${said}`)
  else expect(least, said).toBeLessThan(MOST_MS[kind])
}

/** Makes the only request of this minute. */
async function useUpLimit(): Promise<void> {
  const [branch] = BODY_BRANCHES
  if (branch === undefined) return
  const small = { name: '', fields: () => '"max_tokens":1' }
  await send(branch, { purse: purses.limited, body: bodyOf(branch, small, modelOf(branch)) })
}

function modelOf({ model }: BodyBranch): string {
  return `${gateway.prefix}${model}`
}

async function openSinkModels(): Promise<void> {
  const { admin, prefix } = gateway
  const upstream = async (protocol: string, name: string, path: string) =>
    admin.ask('POST', '/api/upstreams', {
      name: prefix + name,
      protocol,
      base_url: sinkUpstream.url + path,
      credential: UPSTREAM_CREDENTIAL,
    })
  await upstream('openai', 'sink-openai', '/v1')
  await upstream('openai', 'sink-openai-b', '/b/v1')
  await upstream('anthropic', 'sink-anthropic', '/v1')
  await upstream('gemini', 'sink-gemini', '/v1beta')
  await upstream('openai', 'sink-refuses', `${REFUSES}/v1`)
  await upstream('openai', 'sink-refuses-b', `${REFUSES}/b/v1`)
  const targets: Record<BodyBranch['model'], readonly string[]> = {
    own: ['sink-openai', 'sink-openai-b', 'sink-anthropic', 'sink-gemini'],
    'at-openai': ['sink-openai'],
    'at-anthropic': ['sink-anthropic'],
    'at-gemini': ['sink-gemini'],
    refused: ['sink-refuses', 'sink-refuses-b'],
  }
  for (const [name, upstreams] of Object.entries(targets)) {
    await admin.ask('POST', '/api/models', {
      name: prefix + name,
      price: { input: '1', output: '1', cache_read: '0.1', audio_input: '2', image_input: '2' },
      context_tokens: 100_000_000,
      max_output_tokens: 1_000,
      targets: upstreams.map((each) => ({ upstream: prefix + each, model: 'm' })),
    })
  }
}

/** Resolves with the status; 0: the connection was closed before. */
async function send(
  branch: BodyBranch | undefined,
  { purse, body }: { readonly purse: Purse; readonly body: Buffer },
): Promise<number> {
  if (branch === undefined) return 0
  const secret = branch.secretHeader === 'authorization' ? `Bearer ${purse.secret}` : purse.secret
  const type = branch.form === undefined ? 'application/json' : `multipart/form-data; boundary=${BOUNDARY}`
  try {
    const answer = await fetch(gateway.origin + branch.path(modelOf(branch)), {
      method: 'POST',
      headers: { 'content-type': type, [branch.secretHeader]: secret },
      body,
    })
    const text = await answer.text()
    if (answer.status >= 500) console.log(`${answer.status}: ${text.slice(0, 500)}`)
    return answer.status
  } catch {
    return 0
  }
}
