import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory, testPostgres } from '../support/test-servers.ts'
import type { ReceivedRequest } from '../../tools/fake-upstream/request-log.ts'
import { CHANGES, takeChanges } from './changes/take-changes.ts'
import { MODEL, startTwoNodes, type TwoNodes, UPSTREAM } from './changes/two-nodes.ts'

// Two processes on one PostgreSQL: what is changed at one, and what is taken away while the other uses it.

const BAR_MS = 1_000
/** So long the other node is asked after the change was sent. */
const WATCHED_MS = 3_000

async function twoNodes(): Promise<TwoNodes> {
  const database = await testPostgres()
  onTestFinished(() => database.drop())
  const nodes = await startTwoNodes(database.url, await temporaryDirectory())
  onTestFinished(() => nodes.close())
  return nodes
}

test('what is changed through the API of one process holds at another when the call returns, and no stream breaks', async () => {
  const taken = await takeChanges(await twoNodes())
  expect(taken.map(({ kind }) => kind)).toEqual([...CHANGES])
  expect(taken.filter(({ heldOnReturn }) => !heldOnReturn)).toEqual([])
  expect(taken.filter(({ isStreamWhole }) => !isStreamWhole)).toEqual([])
})

/** One of two among which requests are divided, nearly all of which go to it. */
interface Part {
  readonly path: string
  readonly both: object
  readonly removal: { readonly path: string; readonly body: object }
  isUsed(request: ReceivedRequest | undefined): boolean
}

const credentials = [
  { name: 'one', secret: 'secret-of-one', weight: 1_000 },
  { name: 'two', secret: 'secret-of-two', weight: 1 },
]
const [one, two] = ['one', 'two'].map((tag) => ({ upstream: UPSTREAM, model: `${MODEL}&tag=${tag}` }))

const PARTS = {
  'a credential that is disabled': ({ paths }): Part => ({
    path: paths.upstream,
    both: { credentials },
    removal: { path: `${paths.upstream}/credentials/one`, body: { disabled: true } },
    isUsed: (request) => request?.headers.authorization === 'Bearer secret-of-one',
  }),
  'a target that is taken away': ({ paths }): Part => ({
    path: paths.model,
    both: { targets: [{ ...one, weight: 1_000 }, two] },
    removal: { path: paths.model, body: { targets: [two] } },
    isUsed: (request) => request?.body.includes(JSON.stringify(one?.model)) === true,
  }),
} satisfies Record<string, (nodes: TwoNodes) => Part>

// A busy machine may miss the bar by itself: then all of it is tried again, twice at most.
test.for(Object.entries(PARTS))(
  '%s through the API of one process gets no request of another after a second, and a stream with it goes on',
  { retry: 2 },
  async ([, partOf]) => {
    const nodes = await twoNodes()
    const { path, both, removal, isUsed } = partOf(nodes)
    const received = (id: string) => nodes.fakes[0].requests.findLast(({ requestId }) => requestId === id)
    await nodes.change(path, both)
    const { rest } = await nodes.stream()
    // Where something else is missed it is broken off, and looked at by none.
    rest.catch(() => {})
    expect(isUsed(nodes.fakes[0].requests.at(-1))).toBe(true)
    const from = performance.now()
    const sinceThen = () => performance.now() - from
    const changed = nodes.change(removal.path, removal.body)
    let lastUsedAt = 0
    let afterwards = 0
    for (let sentAt = 0; sentAt < WATCHED_MS; sentAt = sinceThen()) {
      const { status, requestId } = await nodes.ask()
      expect(status).toBe(200)
      if (isUsed(received(requestId))) lastUsedAt = sentAt
      else afterwards += 1
    }
    await changed
    expect(lastUsedAt).toBeLessThan(BAR_MS)
    expect(afterwards).toBeGreaterThan(1)
    expect(await rest).toContain('data: [DONE]')
  },
)
